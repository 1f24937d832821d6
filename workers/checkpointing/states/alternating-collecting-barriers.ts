/** Aligned so far: some barriers have come, and their channels are blocked. Flink: AlternatingCollectingBarriers. */
import { asUnaligned } from '../../model/alignment.ts'
import type { BarrierHandlerState } from '../barrier-handler-state.ts'
import { alignedAbort, alignedBarrierReceived, alignedEndOfPartition } from './alternating-aligned.ts'

export const alternatingCollectingBarriers: BarrierHandlerState = {
  barrierReceived(controller, channel, barrier, mustBlock) {
    return alignedBarrierReceived(controller, channel, barrier, mustBlock, alternatingCollectingBarriers.alignmentTimedOut)
  },

  announcementReceived(controller, channel) {
    controller.seeAnnouncement(channel)
    return 'alternating-collecting-barriers'
  },

  /** Snapshot at once, unaligned from here on downstream; the announced barriers are pulled forward, the blocked channels go on. */
  alignmentTimedOut(controller, barrier) {
    controller.prioritizeAllAnnouncements()
    controller.triggerUnalignedCheckpoint(asUnaligned(barrier))
    controller.unblockAllChannels()
    return 'alternating-collecting-barriers-unaligned'
  },

  endOfPartitionReceived(controller, channel, barrier) {
    return alignedEndOfPartition(controller, channel, barrier, 'alternating-collecting-barriers')
  },

  abort: alignedAbort,
}
