/**
 * What the two aligned states of the alternating handler share. An unaligned barrier, or an aligned one that comes too late, is the next
 * state's business: the unaligned ones'. Flink: AbstractAlternatingAlignedBarrierHandlerState.
 */
import { isUnaligned } from '../../model/alignment.ts'
import type { CheckpointBarrier } from '../../model/wire.ts'
import { finishAlignment } from '../barrier-handler-state.ts'
import type { BarrierHandlerState, BarrierHandlerStateName, Controller } from '../barrier-handler-state.ts'

type Timeout = BarrierHandlerState['alignmentTimedOut']

export function alignedBarrierReceived(
  controller: Controller,
  channel: number,
  barrier: CheckpointBarrier,
  mustBlock: boolean,
  timeOut: Timeout,
): BarrierHandlerStateName {
  if (isUnaligned(barrier.options)) {
    const unaligned = timeOut(controller, barrier)
    return controller.next(unaligned).barrierReceived(controller, channel, barrier, mustBlock)
  }
  controller.forgetAnnouncement(channel)
  if (mustBlock) controller.blockChannel(channel)
  if (controller.allBarriersReceived()) return finishAlignment(controller, barrier, 'alternating-waiting-for-first-barrier')
  if (!controller.isTimedOut(barrier)) return 'alternating-collecting-barriers'
  controller.resumeChannel(channel)
  const unaligned = timeOut(controller, barrier)
  return controller.next(unaligned).barrierReceived(controller, channel, barrier, false)
}

export function alignedEndOfPartition(
  controller: Controller,
  channel: number,
  barrier: CheckpointBarrier,
  state: BarrierHandlerStateName,
): BarrierHandlerStateName {
  controller.forgetAnnouncement(channel)
  return controller.allBarriersReceived() ? finishAlignment(controller, barrier, 'alternating-waiting-for-first-barrier') : state
}

export function alignedAbort(controller: Controller): BarrierHandlerStateName {
  controller.unblockAllChannels()
  return 'alternating-waiting-for-first-barrier'
}
