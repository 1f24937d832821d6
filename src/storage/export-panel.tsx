/** A savepoint for another Flink: what that one cannot hold is said before the file is made. */
import { useState } from 'react'
import type { ExportTarget } from '../../workers/model/snapshot-desk.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { Button, Segmented } from '../widgets/controls.tsx'
import { bytes } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { reasonOf } from './desk-types.ts'
import type { SnapshotSource } from './desk-types.ts'
import { saveBlob } from './save-blob.ts'

const TARGETS: readonly { readonly value: ExportTarget; readonly title: string; readonly version: number }[] = [
  { value: '1.11 to 1.15', title: 'Flink 1.11 to 1.15', version: 3 },
  { value: '1.16 to 1.20', title: '1.16 to 1.20', version: 4 },
  { value: '2.0', title: '2.0', version: 5 },
  { value: '2.1 and later', title: '2.1 and later', version: 6 },
]

type Exported = Awaited<ReturnType<ReturnType<typeof useCluster>['desk']['exportFor']>>

export function ExportPanel({ view, source }: { readonly view: SnapshotView; readonly source: SnapshotSource }) {
  const cluster = useCluster()
  const [target, setTarget] = useState<ExportTarget>('2.1 and later')
  const [made, setMade] = useState<{ readonly target: ExportTarget; readonly exported: Exported } | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const version = TARGETS.find((one) => one.value === target)?.version ?? 0
  const prepare = (): void => {
    setBusy(true)
    setProblem(null)
    cluster.desk
      .exportFor(source, target)
      .then(
        (exported) => setMade({ target, exported }),
        (error: unknown) => setProblem(reasonOf(error)),
      )
      .finally(() => setBusy(false))
  }
  const ready = made?.target === target ? made.exported : null
  return (
    <div className="export-panel">
      <p className="export-target">
        <span>For</span> <Segmented<ExportTarget> label="Flink version" options={TARGETS} value={target} onChange={setTarget} />
        <span className="t2">
          metadata version <b className="num">{version}</b>
          {view.version !== version && (
            <>
              , this one is <b className="num">{view.version}</b>
            </>
          )}
        </span>
      </p>
      {ready === null ? (
        <Button kind="primary" icon="search" disabled={busy} onClick={prepare}>
          {busy ? 'Writing it …' : 'See what it can hold'}
        </Button>
      ) : (
        <>
          <Losses losses={ready.losses} target={target} />
          <Button kind="primary" icon="download" onClick={() => saveBlob(ready.zip, ready.fileName)}>
            {ready.losses.length === 0 ? 'Download' : 'Download all the same'}
          </Button>{' '}
          <span className="t2">
            <span className="mono">{ready.fileName}</span>, {bytes(ready.zip.size)}
          </span>
        </>
      )}
      {problem !== null && (
        <p className="verdict refused" role="alert">
          <Icon name="failed" />
          <span>
            <b>It cannot be exported.</b> {problem}
          </span>
        </p>
      )}
    </div>
  )
}

function Losses({ losses, target }: { readonly losses: readonly string[]; readonly target: ExportTarget }) {
  if (losses.length === 0) {
    return (
      <p className="verdict">
        <Icon name="check" />
        <span>
          <b>Nothing is lost.</b> Flink {target} holds everything that is in it.
        </span>
      </p>
    )
  }
  return (
    <section className="panel-section">
      <h4>
        Losses and limits for Flink {target} <small className="num">{losses.length}</small>
      </h4>
      <ul className="loss-list">
        {losses.map((loss) => (
          <li key={loss}>
            <Icon name="warning" /> {loss}
          </li>
        ))}
      </ul>
    </section>
  )
}
