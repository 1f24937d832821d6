/**
 * A state of the single-checkpoint barrier handler. Flink: BarrierHandlerState and its Controller. One state is one small file; each input
 * returns the state that follows, by name (so that states need not know each other's files).
 */
import type { CheckpointId } from '../model/ids.ts'
import type { CheckpointBarrier } from '../model/wire.ts'

export type BarrierHandlerStateName =
  | 'waiting-for-first-barrier'
  | 'collecting-barriers'
  | 'alternating-waiting-for-first-barrier'
  | 'alternating-collecting-barriers'
  | 'alternating-waiting-for-first-barrier-unaligned'
  | 'alternating-collecting-barriers-unaligned'

export interface BarrierHandlerState {
  /** `mustBlock`: a sender has stopped behind this barrier. False for a barrier that came as a command, and for an unaligned one. */
  barrierReceived(controller: Controller, channel: number, barrier: CheckpointBarrier, mustBlock: boolean): BarrierHandlerStateName
  announcementReceived(controller: Controller, channel: number): BarrierHandlerStateName
  /** `barrier`: the one that the checkpoint goes on with; still aligned. */
  alignmentTimedOut(controller: Controller, barrier: CheckpointBarrier): BarrierHandlerStateName
  /** Of a pending checkpoint. */
  endOfPartitionReceived(controller: Controller, channel: number, barrier: CheckpointBarrier): BarrierHandlerStateName
  abort(controller: Controller, checkpointId: CheckpointId): BarrierHandlerStateName
}

/** What a state may ask of the handler. */
export interface Controller {
  allBarriersReceived(): boolean
  isTimedOut(barrier: CheckpointBarrier): boolean
  /** The state that comes next whatever this one would say: another's answer to the same input. */
  next(state: BarrierHandlerStateName): BarrierHandlerState
  triggerGlobalCheckpoint(barrier: CheckpointBarrier): void
  /** With the input side of the snapshot, which stays open until `stopInputs`. */
  triggerUnalignedCheckpoint(barrier: CheckpointBarrier): void
  stopInputs(): void
  discardInputs(): void
  blockChannel(channel: number): void
  resumeChannel(channel: number): void
  unblockAllChannels(): void
  seeAnnouncement(channel: number): void
  forgetAnnouncement(channel: number): void
  prioritize(channel: number): void
  prioritizeAllAnnouncements(): void
}

/** The last barrier is there: snapshot first, then let the senders go on. */
export function finishAlignment(controller: Controller, barrier: CheckpointBarrier, next: BarrierHandlerStateName): BarrierHandlerStateName {
  controller.triggerGlobalCheckpoint(barrier)
  controller.unblockAllChannels()
  return next
}
