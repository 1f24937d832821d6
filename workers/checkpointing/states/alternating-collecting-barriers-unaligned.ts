/** The snapshot was taken at the first barrier; the channels without one are being kept. Flink: AlternatingCollectingBarriersUnaligned. */
import type { BarrierHandlerState, BarrierHandlerStateName, Controller } from '../barrier-handler-state.ts'

const SELF = 'alternating-collecting-barriers-unaligned'

export const alternatingCollectingBarriersUnaligned: BarrierHandlerState = {
  barrierReceived(controller, channel, _barrier, mustBlock) {
    if (mustBlock) controller.resumeChannel(channel)
    return finishIfAllReceived(controller)
  },

  announcementReceived(controller, channel) {
    controller.prioritize(channel)
    return SELF
  },

  alignmentTimedOut: () => SELF,

  endOfPartitionReceived: (controller) => finishIfAllReceived(controller),

  abort(controller) {
    controller.discardInputs()
    return 'alternating-waiting-for-first-barrier'
  },
}

function finishIfAllReceived(controller: Controller): BarrierHandlerStateName {
  if (!controller.allBarriersReceived()) return SELF
  controller.stopInputs()
  return 'alternating-waiting-for-first-barrier'
}
