/**
 * What reacts to barriers on a task's input channels. Flink: CheckpointBarrierHandler (one per task, over all gates; behaviour 6.1).
 * Unaligned checkpoints are to add announcements, priority events and a time-out here; nothing of the rest depends on their absence.
 */
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'

export type BarrierHandlerKind = 'aligned' | 'at-least-once'

/** What a handler may ask of its task. Flink: CheckpointableTask and CheckpointableInput. Channels have task-wide numbers. */
export interface BarrierHandlerOwner {
  /** All barriers are there: run the snapshot procedure now. */
  triggerCheckpointOnBarrier(barrier: CheckpointBarrier, alignment: AlignmentMetrics): void
  /** Decline to the JobManager and a cancel marker downstream. */
  abortCheckpointOnBarrier(checkpointId: CheckpointId, reason: CheckpointFailureReason): void
  /** The sender has stopped behind its barrier; nothing is taken from the channel until it is resumed. */
  blockChannel(checkpointId: CheckpointId, channel: number): void
  /** Tells the stopped sender to go on. */
  resumeChannel(checkpointId: CheckpointId, channel: number): void
  /** For the log: the barrier was taken. */
  barrierArrived(checkpointId: CheckpointId, channel: number, arrived: number, expected: number): void
}

export interface AlignmentMetrics {
  readonly startDelayMicros: EngineTime
  readonly alignmentMicros: EngineTime
}

export interface BarrierHandler {
  /** `triggeredByCommand`: put in by the JobManager's trigger rather than received, so no sender waits for a resume (behaviour 6.8). */
  processBarrier(channel: number, barrier: CheckpointBarrier, now: EngineTime, triggeredByCommand: boolean): void
  processCancellation(channel: number, checkpointId: CheckpointId, now: EngineTime): void
  processEndOfPartition(channel: number, now: EngineTime): void
  /** The checkpoint now being aligned, or null. */
  aligning(): { readonly checkpointId: CheckpointId; readonly since: EngineTime } | null
}

export interface BarrierHandlerOptions {
  readonly kind: BarrierHandlerKind
  readonly channels: number
  readonly afterTasksFinish: boolean
  readonly owner: BarrierHandlerOwner
}

export type BarrierHandlerFactory = (options: BarrierHandlerOptions) => BarrierHandler
