/**
 * What reacts to barriers on a task's input channels. Flink: CheckpointBarrierHandler (one per task, over all gates; behaviour 6.1).
 */
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'

/** `alternating`: aligned barriers may time out, unaligned ones may come. */
export type BarrierHandlerKind = 'aligned' | 'alternating' | 'at-least-once'

/** What a handler may ask of its task. Flink: CheckpointableTask and CheckpointableInput. Channels have task-wide numbers. */
export interface BarrierHandlerOwner {
  /** Run the snapshot procedure now: all barriers are there or, unaligned, the first. The alignment goes on then, until `inputsStopped`. */
  triggerCheckpointOnBarrier(barrier: CheckpointBarrier, alignment: AlignmentMetrics): void
  /** Decline to the JobManager and a cancel marker downstream. */
  abortCheckpointOnBarrier(checkpointId: CheckpointId, reason: CheckpointFailureReason): void
  /** The sender has stopped behind its barrier; nothing is taken from the channel until it is resumed. */
  blockChannel(checkpointId: CheckpointId, channel: number): void
  /** Tells the stopped sender to go on. */
  resumeChannel(checkpointId: CheckpointId, channel: number): void
  /** For the log: the barrier was taken. */
  barrierArrived(checkpointId: CheckpointId, channel: number, arrived: number, expected: number): void
  /**
   * Unaligned, just before `triggerCheckpointOnBarrier`: what waits in the channels ahead of their barriers is kept from now on, and what
   * arrives until then. Flink: CheckpointableInput.checkpointStarted.
   */
  inputsStarted(barrier: CheckpointBarrier): void
  /** The last barrier is there: the input side of the snapshot is whole. Null: given up. Flink: CheckpointableInput.checkpointStopped. */
  inputsStopped(checkpointId: CheckpointId, alignmentMicros: EngineTime | null): void
  /** Pulls the barrier that waits in this channel to the front. Flink: CheckpointableInput.convertToPriorityEvent. */
  convertToPriority(checkpointId: CheckpointId, channel: number): void
  /** `processAlignmentTimeout` is wanted then, between two records. A new timer replaces the old one; null clears it. */
  setAlignmentTimer(checkpointId: CheckpointId, at: EngineTime | null): void
}

export interface AlignmentMetrics {
  readonly startDelayMicros: EngineTime
  readonly alignmentMicros: EngineTime
}

export interface BarrierHandler {
  /** `triggeredByCommand`: put in by the JobManager's trigger rather than received, so no sender waits for a resume (behaviour 6.8). */
  processBarrier(channel: number, barrier: CheckpointBarrier, now: EngineTime, triggeredByCommand: boolean): void
  /** An aligned barrier that may time out has reached the channel's queue, behind data (behaviour 6.4). */
  processAnnouncement(channel: number, barrier: CheckpointBarrier, now: EngineTime): void
  processAlignmentTimeout(checkpointId: CheckpointId, now: EngineTime): void
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
