import type { CheckpointFailureReason, CheckpointMetrics, SavepointFormat } from './checkpoint.ts'
import type { ExecutionState, JobStatus } from './execution.ts'
import type { ChannelId, CheckpointId, ExecutionAttemptId, JobId, OperatorId, TaskManagerId, VertexId } from './ids.ts'
import type { EngineTime } from './time.ts'

/**
 * Protocol events: the complete log of what the engine did (DESIGN 8, 21). Whoever draws, tells or checks a run reads these and
 * nothing else. Past tense: an event is a fact.
 */
export interface EngineEvent {
  /** Engine time at the emitter. */
  readonly at: EngineTime
  /** Who emitted it: `jobmanager`, `outside`, `cluster`, or an execution attempt id. */
  readonly source: string
  /** Per source, from 1, without gaps. */
  readonly sequence: number
  readonly body: EventBody
}

/** Where a task's event happened. */
interface AtTask {
  readonly attempt: ExecutionAttemptId
  readonly vertex: VertexId
  readonly subtask: number
}

export type EventBody =
  // ── job and tasks
  | { readonly type: 'JobSubmitted'; readonly job: JobId; readonly name: string }
  | { readonly type: 'JobStatusChanged'; readonly job: JobId; readonly from: JobStatus; readonly to: JobStatus; readonly cause?: string }
  | ({ readonly type: 'TaskStateChanged'; readonly to: ExecutionState; readonly taskManager: TaskManagerId | null; readonly cause?: string } & AtTask)
  | { readonly type: 'TaskManagerRegistered'; readonly taskManager: TaskManagerId; readonly slots: number }
  | { readonly type: 'TaskManagerLost'; readonly taskManager: TaskManagerId; readonly cause: string }
  | { readonly type: 'LeadershipGranted'; readonly token: number; readonly recoveredJob: JobId | null }
  | { readonly type: 'FaultInjected'; readonly fault: string; readonly target: string }
  | {
      readonly type: 'RestartScheduled'
      readonly attemptNumber: number
      readonly delayMicros: EngineTime
      readonly strategy: string
      readonly cause: string
    }
  | { readonly type: 'RecoverySuppressed'; readonly strategy: string; readonly cause: string }
  // ── checkpoint, at the JobManager
  | { readonly type: 'CheckpointScheduled'; readonly nextAt: EngineTime }
  | { readonly type: 'CheckpointTriggered'; readonly checkpointId: CheckpointId; readonly periodic: boolean; readonly tasks: number; readonly savepoint?: true; readonly format?: SavepointFormat; readonly stops?: 'SUSPEND' | 'TERMINATE'; readonly atLeastOnce?: true }
  | { readonly type: 'CheckpointRequestRejected'; readonly periodic: boolean; readonly reason: CheckpointFailureReason; readonly message: string; readonly savepoint?: true }
  | { readonly type: 'CoordinatorSnapshotTaken'; readonly checkpointId: CheckpointId; readonly operator: OperatorId; readonly bytes: number }
  | ({
      readonly type: 'CheckpointAcknowledged'
      readonly checkpointId: CheckpointId
      readonly acknowledged: number
      readonly tasks: number
      readonly metrics: CheckpointMetrics
    } & AtTask)
  | ({ readonly type: 'CheckpointDeclined'; readonly checkpointId: CheckpointId; readonly reason: CheckpointFailureReason; readonly message: string } & AtTask)
  | {
      readonly type: 'CheckpointCompleted'
      readonly checkpointId: CheckpointId
      readonly externalPath: string
      readonly checkpointedBytes: number
      readonly stateBytes: number
      readonly durationMicros: EngineTime
      /** No recovery point, and nothing is committed by it, */
      readonly savepoint?: true
      /** unless it stops the job: then sinks commit. */
      readonly stops?: true
    }
  | { readonly type: 'CheckpointAborted'; readonly checkpointId: CheckpointId; readonly reason: CheckpointFailureReason; readonly message: string }
  /** What completed checkpoints take of the JobManager's memory now, oldest first: the state that stands in their handles. */
  | { readonly type: 'SnapshotMemoryChanged'; readonly checkpoints: readonly { readonly checkpointId: CheckpointId; readonly bytes: number }[]; readonly totalBytes: number }
  | { readonly type: 'CheckpointSubsumed'; readonly checkpointId: CheckpointId; readonly by: CheckpointId }
  | { readonly type: 'LateMessage'; readonly checkpointId: CheckpointId; readonly attempt: ExecutionAttemptId; readonly outcome: 'DUPLICATE' | 'UNKNOWN' | 'DISCARDED' }
  /** The job is to be stopped, or cancelled, once a savepoint is complete: no periodic checkpoints from now on. */
  | { readonly type: 'StopWithSavepointStarted'; readonly mode: StopMode; readonly format: SavepointFormat }
  /** Every task has finished after that savepoint. */
  | { readonly type: 'JobStoppedWithSavepoint'; readonly mode: StopMode; readonly externalPath: string }
  | { readonly type: 'SavepointDisposed'; readonly externalPath: string }
  /** What somebody asked for by hand did not come about. */
  | { readonly type: 'RequestFailed'; readonly request: RequestByHand; readonly message: string }
  | { readonly type: 'CheckpointRestored'; readonly checkpointId: CheckpointId; readonly externalPath: string }
  | { readonly type: 'RestoredEmpty' }
  /** A completed checkpoint of an earlier leader that does not read back: an older one is used, if there is one. */
  | { readonly type: 'StoredCheckpointUnreadable'; readonly checkpointId: CheckpointId; readonly message: string }
  // ── checkpoint, at a task
  | ({ readonly type: 'BarrierArrived'; readonly checkpointId: CheckpointId; readonly channel: ChannelId; readonly arrived: number; readonly expected: number } & AtTask)
  | ({ readonly type: 'ChannelBlocked'; readonly checkpointId: CheckpointId; readonly channel: ChannelId } & AtTask)
  | ({ readonly type: 'ChannelUnblocked'; readonly checkpointId: CheckpointId; readonly channel: ChannelId } & AtTask)
  /** What comes in through it takes so much longer on its way from now on, by hand, until the task restarts; 0: not any more. */
  | ({ readonly type: 'ChannelDelayed'; readonly channel: ChannelId; readonly micros: EngineTime } & AtTask)
  /** The sender lets only so much a second into it from now on, by hand, in bytes of Flink's encoding; null: as much as comes. */
  | ({ readonly type: 'ChannelRateChanged'; readonly channel: ChannelId; readonly bytesPerSecond: number | null } & AtTask)
  | ({ readonly type: 'AlignmentCompleted'; readonly checkpointId: CheckpointId; readonly alignmentMicros: EngineTime } & AtTask)
  /** The snapshot is taken at the first barrier, or at the time-out of an aligned one: from now on in-flight data becomes part of it. */
  | ({ readonly type: 'UnalignedSnapshotStarted'; readonly checkpointId: CheckpointId } & AtTask)
  /** An aligned barrier that waited behind data was pulled forward: of an input channel, or of outputs. */
  | ({ readonly type: 'BarrierPulledForward'; readonly checkpointId: CheckpointId; readonly channel: ChannelId; readonly side: 'input' | 'output' } & AtTask)
  /** All in-flight data of this snapshot is there, in bytes of Flink's encoding. */
  | ({ readonly type: 'InFlightPersisted'; readonly checkpointId: CheckpointId; readonly inputBytes: number; readonly outputBytes: number } & AtTask)
  | ({ readonly type: 'InFlightRestored'; readonly checkpointId: CheckpointId; readonly side: 'input' | 'output'; readonly records: number } & AtTask)
  | ({
      readonly type: 'BarrierEmitted'
      readonly checkpointId: CheckpointId
      readonly channels: readonly ChannelId[]
      /** Of those, where it overtakes what stands before it. */
      readonly overtakes?: readonly ChannelId[]
      /** Of those, where it is aligned until the checkpoint, begun at `from`, is as old as its time-out allows. */
      readonly timesOut?: { readonly from: EngineTime; readonly until: EngineTime; readonly channels: readonly ChannelId[] }
    } & AtTask)
  | ({ readonly type: 'SyncSnapshotStarted'; readonly checkpointId: CheckpointId } & AtTask)
  | ({ readonly type: 'SyncSnapshotEnded'; readonly checkpointId: CheckpointId; readonly parts: readonly SnapshotPart[] } & AtTask)
  | ({ readonly type: 'AsyncSnapshotProgressed'; readonly checkpointId: CheckpointId; readonly written: number; readonly total: number } & AtTask)
  | ({ readonly type: 'AsyncSnapshotEnded'; readonly checkpointId: CheckpointId; readonly bytes: number } & AtTask)
  /** The acknowledgement was larger than a message may be, and was dropped on its way: the JobManager never hears of it. */
  | ({ readonly type: 'AcknowledgementDropped'; readonly checkpointId: CheckpointId; readonly bytes: number; readonly limit: number } & AtTask)
  | ({ readonly type: 'CheckpointAbortedAtTask'; readonly checkpointId: CheckpointId; readonly reason: CheckpointFailureReason } & AtTask)
  | ({ readonly type: 'CheckpointCompleteNotified'; readonly checkpointId: CheckpointId } & AtTask)
  /** For a savepoint that stops the job: not one record more. `drain`: event time has ended too. */
  | ({ readonly type: 'SourceStopped'; readonly checkpointId: CheckpointId; readonly drain: boolean } & AtTask)
  /** The task's part of a savepoint that stops the job is taken; it processes nothing until that is complete. */
  | ({ readonly type: 'SynchronousSavepointAwaited'; readonly checkpointId: CheckpointId } & AtTask)
  // ── state, sources, sinks
  /** `localBytes`: of these, from copies that the TaskManager had kept; absent: none. */
  | ({ readonly type: 'StateRestored'; readonly checkpointId: CheckpointId; readonly operator: OperatorId; readonly keys: number; readonly bytes: number; readonly localBytes?: number } & AtTask)
  /** `first`, here and below: the position at which the split begins, for a reader to count from; absent: 0. */
  | ({ readonly type: 'SplitAssigned'; readonly operator: OperatorId; readonly split: string; readonly offset: number; readonly first?: number } & AtTask)
  | ({ readonly type: 'SourceRewound'; readonly operator: OperatorId; readonly split: string; readonly to: number; readonly first?: number } & AtTask)
  /** A generator draws the records at these positions of a split (both ends inclusive) with another skew; what was said of them before is void. */
  | ({ readonly type: 'KeySkewChanged'; readonly operator: OperatorId; readonly split: string; readonly from: number; readonly to: number; readonly skew: number; readonly first?: number } & AtTask)
  | ({ readonly type: 'SourceIdle'; readonly operator: OperatorId; readonly split: string; readonly offset: number } & AtTask)
  | ({ readonly type: 'EndOfDataReached' } & AtTask)
  | ({ readonly type: 'TransactionBegun' | 'TransactionPreCommitted' | 'TransactionCommitted' | 'TransactionAborted'; readonly operator: OperatorId; readonly transaction: string; readonly rows: number } & AtTask)
  /** A restored transaction that the outside world never heard of, or has forgotten: its rows are not committed. */
  | ({ readonly type: 'TransactionUnknown'; readonly operator: OperatorId; readonly transaction: string; readonly rows: number } & AtTask)
  | { readonly type: 'TransactionTimedOut'; readonly sink: string; readonly transaction: string }
  | { readonly type: 'EventsDropped'; readonly count: number; readonly level: 'protocol' | 'trace' }

/** SUSPEND and TERMINATE: stop with savepoint, without and with drain (behaviour 13.2). CANCEL: cancel with savepoint (13.3). */
export type StopMode = 'SUSPEND' | 'TERMINATE' | 'CANCEL'

export type RequestByHand = 'checkpoint' | 'savepoint' | 'stop-with-savepoint' | 'cancel-with-savepoint' | 'dispose-savepoint'

/** A cell of the snapshot matrix: which kind of state of an operator, and how much. */
export interface SnapshotPart {
  readonly operator: OperatorId
  readonly kind: 'offsets' | 'keyed' | 'operator' | 'timers' | 'in-flight' | 'transactions'
  readonly entries: number
  /** Of kind `offsets`: the offset of each split in this snapshot, the next record to read. */
  readonly offsets?: readonly { readonly split: string; readonly offset: number; readonly first?: number }[]
}

export type EventType = EventBody['type']
export type EventOf<T extends EventType> = Extract<EventBody, { readonly type: T }>
