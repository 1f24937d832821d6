/** No barrier of a pending checkpoint has come; no channel is blocked. Flink: WaitingForFirstBarrier. */
import { finishAlignment } from '../barrier-handler-state.ts'
import type { BarrierHandlerState } from '../barrier-handler-state.ts'

export const waitingForFirstBarrier: BarrierHandlerState = {
  barrierReceived(controller, channel, mustBlock) {
    if (mustBlock) controller.blockChannel(channel)
    return controller.allBarriersReceived() ? finishAlignment(controller) : 'collecting-barriers'
  },

  /** Nothing is pending here, so an end completes nothing. */
  endOfPartitionReceived() {
    return 'waiting-for-first-barrier'
  },

  /** A cancel marker that came before any barrier. */
  abort() {
    return 'waiting-for-first-barrier'
  },
}
