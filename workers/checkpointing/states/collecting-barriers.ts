/** Some barriers of the pending checkpoint have come; their channels are blocked. Flink: CollectingBarriers. */
import { finishAlignment } from '../barrier-handler-state.ts'
import type { BarrierHandlerState } from '../barrier-handler-state.ts'

export const collectingBarriers: BarrierHandlerState = {
  barrierReceived(controller, channel, barrier, mustBlock) {
    if (mustBlock) controller.blockChannel(channel)
    return controller.allBarriersReceived() ? finishAlignment(controller, barrier, 'waiting-for-first-barrier') : 'collecting-barriers'
  },

  announcementReceived: () => 'collecting-barriers',
  alignmentTimedOut: () => 'collecting-barriers',

  /** The end of a channel stands for its barrier. */
  endOfPartitionReceived(controller, _channel, barrier) {
    return controller.allBarriersReceived() ? finishAlignment(controller, barrier, 'waiting-for-first-barrier') : 'collecting-barriers'
  },

  abort(controller) {
    controller.unblockAllChannels()
    return 'waiting-for-first-barrier'
  },
}
