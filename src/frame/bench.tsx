/** The bench: the two pauses, pace, checkpoint, the job's life, and the faults, always there. */
import { SavepointMenu } from '../restore/savepoint-menu.tsx'
import { useCluster } from '../stores/cluster-context.ts'
import { startEdited } from '../stores/start-job.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { PaceControl } from './pace-control.tsx'
import { killSelected } from './kill-selected.ts'
import { pressFault } from './press-fault.ts'
import type { Fault } from './press-fault.ts'

export function Bench() {
  const cluster = useCluster()
  const { frozen, marking, armed, selection, set } = useView()
  const status = useRun((state) => state.status)
  const job = useRun((state) => state.run.job.status)
  const leading = status?.role === 'leading' && status.dead === null
  const paused = status?.pace.paused === true
  const over = job === null || job === 'CANCELED' || job === 'FAILED' || job === 'FINISHED'
  const press = (fault: Fault): void => {
    const pressed = pressFault(fault, armed, selection)
    set({ armed: pressed.armed })
    if (pressed.kill) killSelected(cluster)
  }
  const killJobManager = (): void => {
    set({ armed: null })
    void cluster.killJobManager()
  }
  return (
    <div className="bench" role="toolbar" aria-label="Controls">
      <Button icon="freeze" pressed={frozen} shortcut="Space" className="no-kbd" onClick={() => set({ frozen: !frozen })}>
        {frozen ? 'Unfreeze view' : 'Freeze view'}
      </Button>
      <Button icon={paused ? 'resume' : 'pause'} pressed={paused} disabled={!leading} onClick={() => void (paused ? cluster.resume() : cluster.pause())}>
        {paused ? 'Resume job' : 'Pause job'}
      </Button>
      <i className="divider" />
      <PaceControl />
      <i className="divider" />
      <Button kind="primary" icon="flag" shortcut="C" disabled={!leading || job !== 'RUNNING'} onClick={() => void cluster.triggerCheckpoint()}>
        Checkpoint
      </Button>
      <SavepointMenu />
      {over ? (
        <Button icon="start" disabled={!leading} onClick={() => void startEdited(cluster)}>
          Start
        </Button>
      ) : (
        <Button icon="cancel" disabled={!leading || job === 'CANCELLING'} onClick={() => void cluster.cancel()}>
          Cancel
        </Button>
      )}
      <Button icon="marking" pressed={marking} className="wide-only" onClick={() => set({ marking: !marking })}>
        By checkpoint
      </Button>
      <i className="divider" />
      <div className="tray" role="group" aria-label="Faults">
        <span className="tray-word">Faults</span>
        <Button icon="killSubtask" kind={armed === 'kill-subtask' ? 'danger' : 'plain'} disabled={!leading} onClick={() => press('kill-subtask')}>
          {armed === 'kill-subtask' ? 'choose a subtask' : 'Kill subtask'}
        </Button>
        <Button icon="killWorker" kind={armed === 'kill-task-manager' ? 'danger' : 'plain'} disabled={!leading} onClick={() => press('kill-task-manager')}>
          {armed === 'kill-task-manager' ? 'choose a worker' : 'TaskManager'}
        </Button>
        <Button icon="killJobManager" disabled={!leading || status?.leader !== 'running'} onClick={killJobManager}>
          JobManager
        </Button>
      </div>
    </div>
  )
}
