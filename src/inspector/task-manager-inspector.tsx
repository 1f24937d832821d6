import type { TaskManagerId } from '../../workers/model/ids.ts'
import { tasksOn } from '../../workers/projections/job-view.ts'
import { subtaskName } from '../../workers/projections/plan.ts'
import { taskManagerName } from '../../workers/projections/sentence.ts'
import { laneState } from '../canvas/lane-state.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { Button } from '../widgets/controls.tsx'
import { clock } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { InspectorFrame, Section } from './inspector-frame.tsx'

/** A TaskManager: a worker of its own, its subtasks nested in it; they end with it. */
export function TaskManagerInspector({ id }: { readonly id: TaskManagerId }) {
  const run = useRun((state) => state.run)
  const leading = useRun((state) => state.status?.role === 'leading')
  const cluster = useCluster()
  const tm = run.job.taskManagers.find((one) => one.id === id)
  return (
    <InspectorFrame title={taskManagerName(id)} note={tm === undefined ? '' : tm.state === 'live' ? `${tm.slots} slots, since ${clock(tm.since)}` : `lost at ${clock(tm.since)}`}>
      <Section title="Its subtasks">
        <table className="table plain">
          <tbody>
            {tasksOn(run.job, id).map((task) => {
              const state = laneState(run, task.vertex, task.subtask)
              return (
                <tr key={task.attempt}>
                  <td>{subtaskName(run.graph, task.vertex, task.subtask)}</td>
                  <td>
                    <Icon name={state.icon} size={12} /> {state.words}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Section>
      {tm?.cause != null && (
        <Section title="Cause">
          <p className="t2">{tm.cause}</p>
        </Section>
      )}
      <div className="section actions">
        <Button icon="killWorker" shortcut="K" disabled={!leading || tm?.state !== 'live'} onClick={() => void cluster.killTaskManager(id)}>
          Kill this worker
        </Button>
      </div>
    </InspectorFrame>
  )
}
