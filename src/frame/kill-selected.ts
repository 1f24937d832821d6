import type { Cluster } from '../cluster/cluster-types.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'

/** Ends the worker of what is selected. False where nothing is, or it does not run. */
export function killSelected(cluster: Cluster): boolean {
  const { selection } = useView.getState()
  if (selection === null) return false
  if (selection.kind === 'job-manager') void cluster.killJobManager()
  else if (selection.kind === 'task-manager') void cluster.killTaskManager(selection.id)
  else {
    const task = useRun.getState().run.job.tasks[`${selection.vertex}_${selection.subtask}`]
    if (task === undefined) return false
    void cluster.killSubtask(task.attempt)
  }
  return true
}
