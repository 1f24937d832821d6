/** What finished tasks mean for a checkpoint. Flink: DefaultCheckpointPlan.fulfillFinishedTaskStatus (behaviour 14). */
import type { JobGraph } from '../model/job-graph.ts'
import type { PendingCheckpoint } from './pending-checkpoint.ts'

/**
 * Union list state cannot be completed while only some of its operator's subtasks have finished: what the finished ones held is missing for all.
 * Returns the sentence for the first such operator, or null.
 */
export function partlyFinishedUnionOperator(graph: JobGraph, pending: PendingCheckpoint): string | null {
  for (const vertex of graph.vertices) {
    const finished = pending.plan.finished.filter((task) => task.vertex === vertex.id).length
    if (finished === 0 || finished === vertex.parallelism) continue
    for (const { task, snapshot } of pending.acknowledgements) {
      if (task.vertex !== vertex.id) continue
      const union = snapshot.operators.find(({ state }) => state.managedOperator?.states.some((list) => list.mode === 'UNION') === true)
      if (union === undefined) continue
      return `The vertex ${vertex.name} (id = ${vertex.id}) has used UnionListState, but part of its tasks has called operators' finish method.`
    }
  }
  return null
}
