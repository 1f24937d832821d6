/** Aligned so far, and no barrier has come; some may be announced. Flink: AlternatingWaitingForFirstBarrier. */
import type { BarrierHandlerState } from '../barrier-handler-state.ts'
import { alignedAbort, alignedBarrierReceived, alignedEndOfPartition } from './alternating-aligned.ts'

export const alternatingWaitingForFirstBarrier: BarrierHandlerState = {
  barrierReceived(controller, channel, barrier, mustBlock) {
    return alignedBarrierReceived(controller, channel, barrier, mustBlock, alternatingWaitingForFirstBarrier.alignmentTimedOut)
  },

  announcementReceived(controller, channel) {
    controller.seeAnnouncement(channel)
    return 'alternating-waiting-for-first-barrier'
  },

  /** The first of the barriers pulled forward will take the snapshot. */
  alignmentTimedOut(controller) {
    controller.prioritizeAllAnnouncements()
    return 'alternating-waiting-for-first-barrier-unaligned'
  },

  endOfPartitionReceived(controller, channel, barrier) {
    return alignedEndOfPartition(controller, channel, barrier, 'alternating-waiting-for-first-barrier')
  },

  abort: alignedAbort,
}
