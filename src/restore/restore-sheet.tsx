/** Before anything starts: what a job would get back from a snapshot, in the engine's own verdict. Opened from wherever a snapshot stands. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { CheckpointFlag } from '../checkpoints/flag.tsx'
import { lastPart } from '../storage/desk-types.ts'
import { Facts } from '../storage/facts.tsx'
import { isSavepointKind, kindOf } from '../storage/snapshot-facts.ts'
import { useSnapshot } from '../storage/use-snapshot.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useJob } from '../stores/job-store.ts'
import { useRun } from '../stores/run-store.ts'
import { startEdited } from '../stores/start-job.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { bytes } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { flinkRun } from './flink-run.ts'
import { cutOperators } from './key-group-cut.ts'
import { KeyGroupCutView } from './key-group-cut-view.tsx'
import { mappingOf } from './mapping-rows.ts'
import { MappingView } from './mapping-view.tsx'
import { RestoreChoices, type Choices } from './restore-choices.tsx'
import { contentsOf, offsetsOf } from './snapshot-contents.ts'
import { useVerdict } from './use-verdict.ts'
import './restore.css'


const DEFAULTS: Choices = { allowNonRestoredState: false, claimMode: 'NO_CLAIM' }

export function RestoreSheet() {
  const path = useView((state) => state.restoreFrom)
  const document = useJob((state) => state.history?.present ?? null)
  return path === null || document === null ? null : <Opened key={path} path={path} document={document} />
}

function Opened({ path, document }: { readonly path: string; readonly document: JobDocument }) {
  const set = useView((state) => state.set)
  const sheet = useRef<HTMLDialogElement>(null)
  const [choices, setChoices] = useState(DEFAULTS)
  const source = useMemo(() => ({ kind: 'stored', path }) as const, [path])
  const { reading } = useSnapshot(source)
  const judgement = useVerdict(source, document, choices)
  const snapshot = reading.is === 'read' ? reading.view : null
  const verdict = judgement.is === 'told' ? judgement.verdict : null
  useEffect(() => {
    sheet.current?.showModal()
  }, [])
  const mapping = useMemo(() => (verdict === null ? null : mappingOf(verdict, document.operators.map((operator) => operator.uid))), [verdict, document])
  const contents = useMemo(() => contentsOf(snapshot), [snapshot])
  return (
    <dialog ref={sheet} className="sheet restore-sheet" aria-label="Restore from a snapshot" onClose={() => set({ restoreFrom: null })}>
      <svg width="0" height="0" aria-hidden="true" className="defs">
        <pattern id="restore-moved" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <rect width="6" height="1.2" fill="var(--line-3)" />
        </pattern>
      </svg>
      <header>
        <h2>
          Restore from {snapshot !== null && <CheckpointFlag id={snapshot.checkpointId} savepoint={isSavepointKind(kindOf(snapshot))} />} <span className="mono">{lastPart(path.replace(/\/_metadata$/, ''))}</span>
        </h2>
        <Button kind="ghost" icon="close" label="Close" onClick={() => set({ restoreFrom: null })} />
      </header>
      <Head snapshot={snapshot} refused={reading.is === 'refused' ? reading.reason : null} job={document.name} />
      <div className="restore-body">
        {mapping !== null && <MappingView mapping={mapping} contents={contents} allowNonRestoredState={choices.allowNonRestoredState} />}
        {judgement.is === 'asking' && <p className="restore-wait">Asking the engine what would happen…</p>}
        {verdict !== null && cutOperators(verdict.operators).map((operators) => <KeyGroupCutView key={operators.uids.join()} operators={operators} snapshot={snapshot} />)}
        {verdict !== null && verdict.notes.length > 0 && (
          <ul className="restore-notes">
            {verdict.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <RestoreChoices choices={choices} verdict={verdict} onChange={setChoices} />
      </div>
      <Foot path={path} choices={choices} document={document} refusal={judgement.is === 'refused' ? judgement.reason : (verdict?.refusal ?? null)} isReady={verdict?.accepted === true} />
    </dialog>
  )
}

function Head({ snapshot, refused, job }: { readonly snapshot: SnapshotView | null; readonly refused: string | null; readonly job: string }) {
  if (refused !== null) return <p className="restore-wait failure">{refused}</p>
  if (snapshot === null) return <p className="restore-wait">Reading the snapshot…</p>
  const offsets = offsetsOf(snapshot)
  return (
    <div className="restore-head">
      <Facts
        facts={[
          ['what', kindOf(snapshot)],
          ['checkpoint id', String(snapshot.checkpointId), 'num'],
          ['size', bytes(snapshot.size), 'num'],
          ['written by', snapshot.writtenBy],
          ['into the job', job],
          ...(offsets === '' ? [] : [['sources go on at', offsets] as const]),
        ]}
      />
    </div>
  )
}

interface FootProps {
  readonly path: string
  readonly choices: Choices
  readonly document: JobDocument
  readonly refusal: string | null
  readonly isReady: boolean
}

function Foot({ path, choices, document, refusal, isReady }: FootProps) {
  const cluster = useCluster()
  const set = useView((state) => state.set)
  const runs = useRun((state) => state.status?.job ?? null)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.dead === null)
  const [copied, setCopied] = useState(false)
  const restore = { path, ...choices }
  const isRunning = runs !== null && !['CANCELED', 'FAILED', 'FINISHED'].includes(runs.status)
  const copy = (): void => {
    navigator.clipboard.writeText(flinkRun(restore)).then(
      () => setCopied(true),
      () => set({ said: flinkRun(restore) }),
    )
  }
  const start = (): void => {
    set({ restoreFrom: null })
    void startEdited(cluster, { restore })
  }
  return (
    <footer>
      <p role="status">
        {refusal !== null ? (
          <>
            <Icon name="failed" />
            <span>
              <b>Will not start.</b> {refusal}
            </span>
          </>
        ) : isReady ? (
          <>
            <Icon name="committed" />
            <span>
              {isRunning ? `“${runs.name}” is cancelled, and ` : ''}“{document.name}” starts from this snapshot.
            </span>
          </>
        ) : null}
      </p>
      <span className="grow" />
      <Button onClick={copy}>{copied ? 'Copied' : 'Copy as flink run'}</Button>
      <Button kind="primary" disabled={!isReady || !leading} onClick={start}>
        Start the job
      </Button>
    </footer>
  )
}
