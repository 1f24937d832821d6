/**
 * A state of the single-checkpoint barrier handler. Flink: BarrierHandlerState and its Controller. One state is one small file; each input
 * returns the state that follows, by name (so that states need not know each other's files).
 */
import type { CheckpointId } from '../model/ids.ts'

export type BarrierHandlerStateName = 'waiting-for-first-barrier' | 'collecting-barriers'

export interface BarrierHandlerState {
  /** `mustBlock`: a sender has stopped behind this barrier. False for a barrier that came as a command. */
  barrierReceived(controller: Controller, channel: number, mustBlock: boolean): BarrierHandlerStateName
  endOfPartitionReceived(controller: Controller): BarrierHandlerStateName
  abort(controller: Controller, checkpointId: CheckpointId): BarrierHandlerStateName
}

/** What a state may ask of the handler. */
export interface Controller {
  allBarriersReceived(): boolean
  triggerGlobalCheckpoint(): void
  blockChannel(channel: number): void
  unblockAllChannels(): void
}

/** The last barrier is there: snapshot first, then let the senders go on. */
export function finishAlignment(controller: Controller): BarrierHandlerStateName {
  controller.triggerGlobalCheckpoint()
  controller.unblockAllChannels()
  return 'waiting-for-first-barrier'
}
