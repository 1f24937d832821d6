/** One checkpoint in full: Flink's detail line and tables, and between them what the event log knows of it. */
import { barrierWaits } from '../../workers/projections/barrier-waits.ts'
import { EMPTY_CHANNEL_VIEW } from '../../workers/projections/channel-view.ts'
import { findProgress } from '../../workers/projections/checkpoint-progress.ts'
import { findCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import type { CheckpointRecord } from '../../workers/projections/checkpoint-view.ts'
import { criticalPath } from '../../workers/projections/critical-path.ts'
import { EMPTY_FLOW_VIEW } from '../../workers/projections/flow-view.ts'
import { subtaskName } from '../../workers/projections/plan.ts'
import { STRAGGLER_RULE, stragglers } from '../../workers/projections/stragglers.ts'
import { showSnapshot } from '../storage/storage-actions.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { useWidth } from '../widgets/use-width.ts'
import { BackpressureSection } from './backpressure-section.tsx'
import { checkpointTypeWord } from './checkpoint-answers.ts'
import type { CheckpointAnswer } from './checkpoint-answers.ts'
import { DetailTimeline } from './detail-timeline.tsx'
import { FailureSentence } from './failure-sentence.tsx'
import { OperatorsTable } from './operators-table.tsx'
import { letteredSegments } from './path-words.ts'
import { PathTable } from './path-table.tsx'
import { useRest } from './use-rest.ts'
import { WaitsTable } from './waits-table.tsx'

interface DetailProps {
  readonly id: number
  /** What the list says of it: enough for the first line where the JobManager has forgotten the rest. */
  readonly listed: CheckpointAnswer | null
  /** Without the drawing: two of them on one page would say the same twice. */
  readonly brief?: boolean
  readonly tolerable: number | null
}

export function CheckpointDetail({ id, listed, brief = false, tolerable }: DetailProps) {
  const answer = useRest<CheckpointAnswer>(`/checkpoints/details/${id}`)
  const record = useRun((state) => findCheckpoint(state.run.checkpoints, id))
  const verdict = useRun((state) => state.verdicts.get(id))
  const detail = answer.isOwn ? answer.body : null
  const problem = answer.isOwn ? answer.problem : null
  const facts = detail ?? listed
  const openRestore = useView((state) => state.openRestore)
  const path = restorablePath(facts)
  return (
    <div className="detail">
      <dl className="detail-line">
        <Fact name="Path" value={path === null ? (facts?.external_path ?? record?.externalPath ?? '-') : <StoredPath path={path} />} mono />
        <Fact name="Discarded" value={facts?.discarded === true ? 'true' : '-'} />
        <Fact name="Checkpoint Type" value={facts === null ? '-' : checkpointTypeWord(facts.checkpoint_type)} />
        {facts?.savepointFormat != null && <Fact name="Savepoint Format" value={facts.savepointFormat} />}
        {facts?.failure_message != null && <Fact name="Failure Message" value={facts.failure_message} failure />}
        {record !== undefined && !brief && <Fact name={`Stragglers: ${STRAGGLER_RULE}`} value={<StragglerNames record={record} />} />}
        {record !== undefined && <Fact name="Retained" value={retention(record)} />}
        {path !== null && (
          <div>
            <dt>From here</dt>
            <dd>
              <Button onClick={() => openRestore(path)}>Restore…</Button>
            </dd>
          </div>
        )}
        {verdict !== undefined && <Fact name="Checked against the log" value={verdict.exact ? verdict.text : `${verdict.text}: ${verdict.differences.join('; ')}`} failure={!verdict.exact} />}
      </dl>
      {(record?.status === 'FAILED' || facts?.status === 'FAILED') && <FailureSentence id={id} reason={record?.reason ?? null} message={facts?.failure_message ?? record?.message ?? null} savepoint={facts?.is_savepoint ?? record?.savepoint ?? false} tolerable={tolerable} />}
      {!brief && (record === undefined ? <p className="detail-note">The events of this checkpoint are not in the log of this page, so there is no timeline of it.</p> : <Timeline record={record} />)}
      {problem === null ? <OperatorsTable checkpoint={id} tasks={detail?.tasks ?? null} /> : <p className="detail-note">{answer.status === 404 && listed !== null ? LEFT_HISTORY : problem}</p>}
    </div>
  )
}

const LEFT_HISTORY = 'It has left the history that the JobManager keeps (web.checkpoints.history), and the figures of its operators with it.'

/** Of a completed one whose files are still there; null otherwise. */
function restorablePath(facts: CheckpointAnswer | null): string | null {
  const path = facts?.status === 'COMPLETED' && facts.discarded !== true ? (facts.external_path ?? null) : null
  return path?.startsWith('<') === true ? null : path
}

/** Leads to its files and to what is in them. */
function StoredPath({ path }: { readonly path: string }) {
  return (
    <button type="button" className="first-link" onClick={() => showSnapshot({ kind: 'stored', path })}>
      {path}
    </button>
  )
}

function retention(record: CheckpointRecord): string {
  if (record.status !== 'COMPLETED') return '-'
  const restored = record.restores === 0 ? '' : record.restores === 1 ? ', restored once' : `, restored ${record.restores} times`
  return record.subsumedBy === null ? `yes${restored}` : `subsumed by ${record.subsumedBy}${restored}`
}

function Fact({ name, value, mono = false, failure = false }: { readonly name: string; readonly value: React.ReactNode; readonly mono?: boolean; readonly failure?: boolean }) {
  return (
    <div className={failure ? 'failure' : ''}>
      <dt>{name}</dt>
      <dd className={mono ? 'mono' : ''}>{value}</dd>
    </div>
  )
}

function StragglerNames({ record }: { readonly record: CheckpointRecord }) {
  const graph = useRun((state) => state.run.graph)
  const found = stragglers(record)
  return found.length === 0 ? 'none' : found.map((subtask) => subtaskName(graph, subtask.vertex, subtask.subtask)).join(', ')
}

const ENDING = { COMPLETED: 'end to end', FAILED: 'until the failure', IN_PROGRESS: 'since the trigger' } as const

function Timeline({ record }: { readonly record: CheckpointRecord }) {
  // What has ended is drawn once: time and queues are for what is under way.
  const open = record.status === 'IN_PROGRESS'
  const graph = useRun((state) => state.run.graph)
  const progress = useRun((state) => findProgress(state.run.progress, record.id))
  const channels = useRun((state) => (open ? state.run.channels : EMPTY_CHANNEL_VIEW))
  const flows = useRun((state) => (open ? state.run.flows : EMPTY_FLOW_VIEW))
  const now = useRun((state) => (open ? state.now : 0))
  const [width, measured] = useWidth()
  const path = criticalPath(record, graph, now)
  const letters = letteredSegments(path?.segments ?? [])
  const waits = graph === null ? [] : barrierWaits(record, channels, graph)
  return (
    <div className="detail-body">
      <div>
        <Legend />
        <div ref={measured}>{width > 0 && <DetailTimeline record={record} graph={graph} path={path} letters={letters} stragglers={stragglers(record)} now={now} width={width} />}</div>
        {open && graph !== null && <BackpressureSection graph={graph} flows={flows} channels={channels} />}
      </div>
      <div>
        {path !== null && <PathTable path={path} since={record.triggeredAt} letters={letters} graph={graph} progress={progress} ending={ENDING[record.status]} />}
        {graph !== null && <WaitsTable waits={waits} graph={graph} now={now} />}
      </div>
    </div>
  )
}

function Legend() {
  return (
    <div className="legend" aria-hidden="true">
      {(['start-delay', 'alignment', 'sync', 'async'] as const).map((phase) => (
        <span key={phase}>
          <i style={{ background: `var(--pat-${phase})`, boxShadow: `0 0 0 1px var(--${phase}-edge)` }} />
          {phase.replace('-', ' ')}
        </span>
      ))}
      <span>
        <i className="legend-straggler" />
        straggler
      </span>
      <span>
        <i className="legend-path" />
        critical path
      </span>
    </div>
  )
}
