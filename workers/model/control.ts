import type { CheckpointFailureReason, CheckpointMetrics, CheckpointOptions } from './checkpoint.ts'
import type { ExecutionState, FailureInfo } from './execution.ts'
import type { CheckpointId, ExecutionAttemptId, OperatorId } from './ids.ts'
import type { LiveSettings } from './live-settings.ts'
import type { TaskStateSnapshot } from './state-handles.ts'
import type { EngineTime } from './time.ts'

/** JobManager → task. Deployment is separate: it creates the task. */
export type TaskCommand =
  | {
      readonly type: 'trigger-checkpoint'
      readonly checkpointId: CheckpointId
      readonly timestamp: EngineTime
      readonly options: CheckpointOptions
    }
  /** `lastSubsumed`: the newest checkpoint that has left the store because of this one, and whose files go. Absent: none. */
  | { readonly type: 'notify-checkpoint-complete'; readonly checkpointId: CheckpointId; readonly lastSubsumed?: CheckpointId }
  /** Tells of `latestCompleted` too, whose own notice may have been lost, or be on its way (behaviour 3.3). */
  | { readonly type: 'notify-checkpoint-aborted'; readonly checkpointId: CheckpointId; readonly latestCompleted: CheckpointId | null }
  | { readonly type: 'operator-event'; readonly operator: OperatorId; readonly event: OperatorEvent }
  | { readonly type: 'change-settings'; readonly change: Partial<LiveSettings> }
  /** Record trace on or off (DESIGN 8, 21). */
  | { readonly type: 'set-traced'; readonly traced: boolean }
  | { readonly type: 'cancel' }

/** Task → JobManager. */
export type TaskMessage =
  | { readonly type: 'state'; readonly attempt: ExecutionAttemptId; readonly state: ExecutionState; readonly failure?: FailureInfo }
  | {
      readonly type: 'acknowledge'
      readonly attempt: ExecutionAttemptId
      readonly checkpointId: CheckpointId
      readonly metrics: CheckpointMetrics
      readonly snapshot: TaskStateSnapshot
    }
  | {
      readonly type: 'decline'
      readonly attempt: ExecutionAttemptId
      readonly checkpointId: CheckpointId
      readonly reason: CheckpointFailureReason
      readonly message: string
    }
  | { readonly type: 'operator-event'; readonly attempt: ExecutionAttemptId; readonly operator: OperatorId; readonly event: OperatorEvent }
  /** Every input has ended and every operator has finished; the task waits for its last checkpoint (behaviour 14). */
  | { readonly type: 'end-of-data'; readonly attempt: ExecutionAttemptId }

/** Between a source reader and its enumerator (behaviour 18). Splits are in the reader's own serialization. */
export type OperatorEvent =
  | { readonly type: 'reader-registered'; readonly subtask: number }
  | { readonly type: 'request-split'; readonly subtask: number }
  | { readonly type: 'add-splits'; readonly splits: readonly Uint8Array[] }
  | { readonly type: 'no-more-splits' }
  /** The reader has left the initial snapshot behind: no backlog there any more. */
  | { readonly type: 'snapshot-read'; readonly subtask: number }
