/** What must not be missed: another tab leads, the engine is dead, something was refused. */
import { slotsSentence, slotsWanted } from '../../workers/projections/slots.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { startEdited } from '../stores/start-job.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { Icon } from '../widgets/icon.tsx'

export function Banners() {
  const status = useRun((state) => state.status)
  const { said, stoppedAt, openRestore, set } = useView()
  if (status === null) return null
  return (
    <div className="banners">
      {status.dead !== null && (
        <p className="banner failure" role="alert">
          <Icon name="failed" />
          <span>
            <b>The engine has stopped.</b> Its part “{status.dead.part}” died: {status.dead.message}. What you see no longer moves.
          </span>
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </p>
      )}
      {status.role === 'watching' && (
        <p className="banner" role="status">
          <Icon name="list" />
          <span>
            <b>This tab watches.</b> Another tab runs the job; when it closes, this one takes over from the last completed checkpoint.
          </span>
        </p>
      )}
      <JobBanner />
      {stoppedAt !== null && (
        <div className="banner" role="status">
          <Icon name="savepoint" />
          <span>
            The job was stopped with the savepoint <b className="mono">{stoppedAt}</b>.
          </span>
          <Button
            onClick={() => {
              set({ stoppedAt: null })
              openRestore(stoppedAt)
            }}
          >
            Restore…
          </Button>
          <Button kind="ghost" icon="close" label="Dismiss" onClick={() => set({ stoppedAt: null })} />
        </div>
      )}
      {said !== null && (
        <p className="banner" role="alert">
          <Icon name="warning" />
          <span>{said}</span>
          <Button kind="ghost" icon="close" label="Dismiss" onClick={() => set({ said: null })} />
        </p>
      )}
      {status.notices.map((notice) => (
        <p key={notice} className="banner" role="status">
          <Icon name="warning" />
          <span>{notice}</span>
        </p>
      ))}
    </div>
  )
}

/** TaskManagers that are on their way come sooner than this, and nothing is told of them. Engine time. */
const SLOTS_PATIENCE = 5_000_000

/** The job stands still for good, or until somebody does something. */
function JobBanner() {
  const job = useRun((state) => state.run.job)
  const graph = useRun((state) => state.run.graph)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.dead === null)
  const cluster = useCluster()
  const slots = slotsWanted(job, graph)
  const overdue = useRun((state) => slots !== null && state.now - slots.since >= SLOTS_PATIENCE)
  if (slots !== null && overdue) {
    return (
      <p className="banner" role="status">
        <Icon name="warning" />
        <span>
          <b>The job is {slotsSentence(slots)}.</b> A slot takes one subtask of each operator: lower the parallelism, or raise playground.taskManagers or playground.slotsPerTaskManager, and start it again.
        </span>
      </p>
    )
  }
  if (job.status !== 'FAILED') return null
  return (
    <p className="banner failure" role="alert">
      <Icon name="failed" />
      <span>
        <b>The job has failed.</b> {job.cause ?? 'No cause is known.'}
      </span>
      <Button icon="start" disabled={!leading} onClick={() => void startEdited(cluster)}>
        Start again
      </Button>
    </p>
  )
}
