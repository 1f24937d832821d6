import type { EngineTime } from './time.ts'

/** How a barrier aligns: the value travels with it (behaviour 2.5, 6.6). FORCED_ALIGNED: on an edge that can carry no unaligned barrier. */
export type AlignmentType = 'AT_LEAST_ONCE' | 'ALIGNED' | 'UNALIGNED' | 'FORCED_ALIGNED'

export type SnapshotType = 'CHECKPOINT' | 'FULL_CHECKPOINT' | 'SAVEPOINT' | 'SYNC_SAVEPOINT'

/** Flink: SavepointFormatType. CANONICAL is the same for every state backend and what another Flink restores (behaviour 12.4, 13.1). */
export type SavepointFormat = 'CANONICAL' | 'NATIVE'

export const isSavepoint = (type: SnapshotType): type is 'SAVEPOINT' | 'SYNC_SAVEPOINT' => type === 'SAVEPOINT' || type === 'SYNC_SAVEPOINT'

export interface CheckpointOptions {
  readonly alignment: AlignmentType
  /** Age of the checkpoint, from its trigger, at which an ALIGNED barrier turns unaligned. Absent: it never does. */
  readonly alignedTimeoutMicros?: EngineTime
  readonly type: SnapshotType
  /** Of a savepoint. Absent: a checkpoint, in the state backend's own format. */
  readonly format?: SavepointFormat
  /** Of a SYNC_SAVEPOINT: sources emit the maximum watermark and operators finish before it (TERMINATE); else they suspend (behaviour 13.2). */
  readonly drain?: boolean
  /** Directory of this checkpoint's exclusive files, `…/chk-N`. */
  readonly location: string
}

export interface CheckpointReasonInfo {
  readonly message: string
  /** It failed before any task heard of it. */
  readonly preFlight: boolean
  /** It counts against `tolerable-failed-checkpoints` (behaviour 4). */
  readonly counted: boolean
}

/** Flink's closed list (behaviour 4), with Flink's gist as the message. */
export const CHECKPOINT_FAILURE_REASONS = {
  PERIODIC_SCHEDULER_SHUTDOWN: { message: 'Periodic checkpoint scheduler is shut down.', preFlight: true, counted: false },
  TOO_MANY_CHECKPOINT_REQUESTS: { message: 'The maximum number of queued checkpoint requests exceeded', preFlight: true, counted: false },
  MINIMUM_TIME_BETWEEN_CHECKPOINTS: {
    message: 'The minimum time between checkpoints is still pending. Checkpoint will be triggered after the minimum time.',
    preFlight: true,
    counted: false,
  },
  NOT_ALL_REQUIRED_TASKS_RUNNING: { message: 'Not all required tasks are currently running.', preFlight: true, counted: false },
  IO_EXCEPTION: { message: 'An Exception occurred while triggering the checkpoint. IO-problem detected.', preFlight: true, counted: true },
  BLOCKING_OUTPUT_EXIST: { message: 'Blocking output edge exists in running tasks.', preFlight: true, counted: false },
  CHECKPOINT_ASYNC_EXCEPTION: { message: 'Asynchronous task checkpoint failed.', preFlight: false, counted: true },
  CHANNEL_STATE_SHARED_STREAM_EXCEPTION: {
    message: 'The checkpoint was aborted due to exception of other subtasks sharing the ChannelState file.',
    preFlight: false,
    counted: false,
  },
  CHECKPOINT_EXPIRED: { message: 'Checkpoint expired before completing.', preFlight: false, counted: true },
  CHECKPOINT_SUBSUMED: { message: 'Checkpoint has been subsumed.', preFlight: false, counted: false },
  CHECKPOINT_DECLINED: { message: 'Checkpoint was declined.', preFlight: false, counted: true },
  CHECKPOINT_DECLINED_TASK_NOT_READY: { message: 'Checkpoint was declined (task not ready)', preFlight: false, counted: false },
  CHECKPOINT_DECLINED_TASK_CLOSING: { message: 'Checkpoint was declined (task is closing)', preFlight: false, counted: false },
  CHECKPOINT_DECLINED_SUBSUMED: {
    message: 'Checkpoint was canceled because a barrier from newer checkpoint was received.',
    preFlight: false,
    counted: false,
  },
  CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER: { message: 'Task received cancellation from one of its inputs', preFlight: false, counted: false },
  CHECKPOINT_DECLINED_INPUT_END_OF_STREAM: {
    message: 'Checkpoint was declined because one input stream is finished',
    preFlight: false,
    counted: false,
  },
  CHECKPOINT_COORDINATOR_SHUTDOWN: { message: 'CheckpointCoordinator shutdown.', preFlight: false, counted: false },
  CHECKPOINT_COORDINATOR_SUSPEND: { message: 'Checkpoint Coordinator is suspending.', preFlight: false, counted: false },
  JOB_FAILOVER_REGION: { message: 'FailoverRegion is restarting.', preFlight: false, counted: false },
  TASK_FAILURE: { message: 'Task has failed.', preFlight: false, counted: false },
  TASK_CHECKPOINT_FAILURE: { message: 'Task local checkpoint failure.', preFlight: false, counted: false },
  UNKNOWN_TASK_CHECKPOINT_NOTIFICATION_FAILURE: {
    message: 'Unknown task for the checkpoint to notify.',
    preFlight: false,
    counted: false,
  },
  FINALIZE_CHECKPOINT_FAILURE: { message: 'Failure to finalize checkpoint.', preFlight: false, counted: true },
  TRIGGER_CHECKPOINT_FAILURE: { message: 'Trigger checkpoint failure.', preFlight: false, counted: false },
} as const satisfies Record<string, CheckpointReasonInfo>

export type CheckpointFailureReason = keyof typeof CHECKPOINT_FAILURE_REASONS

/** What a task tells with its acknowledgement (behaviour 7.1, 7.2). Durations in engine time. */
export interface CheckpointMetrics {
  /** Arrival of the first barrier minus the trigger time. */
  readonly startDelayMicros: EngineTime
  /** First to last barrier. */
  readonly alignmentMicros: EngineTime
  readonly syncMicros: EngineTime
  /** From the end of the synchronous part. */
  readonly asyncMicros: EngineTime
  /** Bytes consumed during alignment. */
  readonly processedBytes: number
  readonly persistedBytes: number
  /** Bytes that this checkpoint wrote, and that it needs to be restored. */
  readonly checkpointedBytes: number
  readonly stateBytes: number
  /** True where the durations are real work rather than modelled costs (DESIGN 8, 1). */
  readonly measured: boolean
}

