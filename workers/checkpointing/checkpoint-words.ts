/**
 * What Flink says of a checkpoint that a task could not take: the sentences that people search for. Flink: StreamTask,
 * StreamOperatorStateHandler, AsyncCheckpointRunnable, Task.declineCheckpoint.
 */
import { CHECKPOINT_FAILURE_REASONS } from '../model/checkpoint.ts'
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import { causedBy } from '../model/execution.ts'
import type { CheckpointId } from '../model/ids.ts'

/** Flink: CheckpointException's message. */
const withReason = (message: string, reason: CheckpointFailureReason): string => `${message} Failure reason: ${CHECKPOINT_FAILURE_REASONS[reason].message}`

/** Flink: TaskInfo.getTaskNameWithSubtasks, with the attempt. */
export const taskNameWithSubtask = (task: { readonly name: string; readonly subtask: number; readonly parallelism: number; readonly attemptNumber: number }): string =>
  `${task.name} (${task.subtask + 1}/${task.parallelism})#${task.attemptNumber}`

/** Of the synchronous part; `isSnapshot`: an operator failed while its state was being captured, and not before the barrier. */
export function couldNotPerform(checkpointId: CheckpointId, taskName: string, isSnapshot: boolean, cause: string): string {
  const snapshot = withReason(`Could not complete snapshot ${checkpointId} for operator ${taskName}.`, 'CHECKPOINT_DECLINED')
  return causedBy(`Could not perform checkpoint ${checkpointId} for operator ${taskName}.`, isSnapshot ? causedBy(snapshot, cause) : cause)
}

/** Of the asynchronous part. */
export const couldNotMaterialize = (checkpointId: CheckpointId, taskName: string, cause: string): string =>
  causedBy(
    CHECKPOINT_FAILURE_REASONS.CHECKPOINT_ASYNC_EXCEPTION.message,
    causedBy(`Could not materialize checkpoint ${checkpointId} for operator ${taskName}.`, cause),
  )

/** Of a trigger that the task did not carry out. */
export const declinedTrigger = (taskName: string, reason: CheckpointFailureReason): string => withReason(`Task name with subtask : ${taskName}`, reason)
