/** The checkpoint is unaligned, and its first barrier is about to come. Flink: AlternatingWaitingForFirstBarrierUnaligned. */
import { asUnaligned } from '../../model/alignment.ts'
import type { CheckpointBarrier } from '../../model/wire.ts'
import type { BarrierHandlerState, BarrierHandlerStateName, Controller } from '../barrier-handler-state.ts'

export const alternatingWaitingForFirstBarrierUnaligned: BarrierHandlerState = {
  /** The first barrier: snapshot now. A sender that has stopped behind an aligned one goes on. */
  barrierReceived(controller, channel, barrier, mustBlock) {
    if (mustBlock) controller.resumeChannel(channel)
    return start(controller, barrier)
  },

  announcementReceived(controller, channel) {
    controller.prioritize(channel)
    return 'alternating-waiting-for-first-barrier-unaligned'
  },

  alignmentTimedOut: () => 'alternating-waiting-for-first-barrier-unaligned',

  /** The last that was missing has ended: nothing of it is left to wait for. */
  endOfPartitionReceived(controller, _channel, barrier) {
    return controller.allBarriersReceived() ? start(controller, barrier) : 'alternating-waiting-for-first-barrier-unaligned'
  },

  abort: () => 'alternating-waiting-for-first-barrier',
}

function start(controller: Controller, barrier: CheckpointBarrier): BarrierHandlerStateName {
  controller.triggerUnalignedCheckpoint(asUnaligned(barrier))
  if (!controller.allBarriersReceived()) return 'alternating-collecting-barriers-unaligned'
  controller.stopInputs()
  return 'alternating-waiting-for-first-barrier'
}
