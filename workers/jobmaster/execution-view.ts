import type { ExecutionState } from '../model/execution.ts'
import type { ExecutionAttemptId, TaskManagerId, VertexId } from '../model/ids.ts'

/** What others may know of one execution: where a subtask's current attempt runs, and in which state it is. */
export interface ExecutionView {
  readonly vertex: VertexId
  readonly subtask: number
  readonly attempt: ExecutionAttemptId
  readonly attemptNumber: number
  readonly state: ExecutionState
  readonly taskManager: TaskManagerId | null
}
