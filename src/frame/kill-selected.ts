import type { Cluster } from '../cluster/cluster-types.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'

/** Ends the worker of what is selected. False where nothing is, or it does not run. */
export function killSelected(cluster: Cluster): boolean {
  const { selection, set } = useView.getState()
  if (selection === null) return false
  // A fault that waited for a target does not outlast one that was done.
  set({ armed: null })
  if (selection.kind === 'job-manager') void cluster.killJobManager()
  else if (selection.kind === 'task-manager') void cluster.killTaskManager(selection.id)
  else {
    const task = useRun.getState().run.job.tasks[`${selection.vertex}_${selection.subtask}`]
    if (task === undefined) return false
    void cluster.killSubtask(task.attempt)
  }
  return true
}
