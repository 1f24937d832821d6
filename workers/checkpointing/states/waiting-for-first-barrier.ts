/** No barrier of a pending checkpoint has come; no channel is blocked. Flink: WaitingForFirstBarrier. */
import { finishAlignment } from '../barrier-handler-state.ts'
import type { BarrierHandlerState } from '../barrier-handler-state.ts'

export const waitingForFirstBarrier: BarrierHandlerState = {
  barrierReceived(controller, channel, barrier, mustBlock) {
    if (mustBlock) controller.blockChannel(channel)
    return controller.allBarriersReceived() ? finishAlignment(controller, barrier, 'waiting-for-first-barrier') : 'collecting-barriers'
  },

  announcementReceived: () => 'waiting-for-first-barrier',
  alignmentTimedOut: () => 'waiting-for-first-barrier',

  /** Nothing is pending here, so an end completes nothing. */
  endOfPartitionReceived: () => 'waiting-for-first-barrier',

  /** A cancel marker that came before any barrier. */
  abort: () => 'waiting-for-first-barrier',
}
