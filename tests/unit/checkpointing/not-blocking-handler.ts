/** A broken handler: it counts barriers rightly but lets every sender go on at once. Tests must be able to tell it from a good one. */
import type { BarrierHandlerFactory, BarrierHandlerOwner } from '../../../workers/checkpointing/barrier-handler.ts'
import { createBarrierHandler } from '../../../workers/checkpointing/create-barrier-handler.ts'

export const notBlockingHandler: BarrierHandlerFactory = (options) =>
  createBarrierHandler({ ...options, owner: new NotBlockingOwner(options.owner) })

class NotBlockingOwner implements BarrierHandlerOwner {
  private readonly owner: BarrierHandlerOwner
  private readonly resumed = new Set<string>()

  constructor(owner: BarrierHandlerOwner) {
    this.owner = owner
  }

  triggerCheckpointOnBarrier(...args: Parameters<BarrierHandlerOwner['triggerCheckpointOnBarrier']>): void {
    this.owner.triggerCheckpointOnBarrier(...args)
  }

  abortCheckpointOnBarrier(...args: Parameters<BarrierHandlerOwner['abortCheckpointOnBarrier']>): void {
    this.owner.abortCheckpointOnBarrier(...args)
  }

  blockChannel(checkpointId: number, channel: number): void {
    this.resumed.add(`${checkpointId}/${channel}`)
    this.owner.resumeChannel(checkpointId, channel)
  }

  resumeChannel(checkpointId: number, channel: number): void {
    if (!this.resumed.delete(`${checkpointId}/${channel}`)) this.owner.resumeChannel(checkpointId, channel)
  }

  barrierArrived(...args: Parameters<BarrierHandlerOwner['barrierArrived']>): void {
    this.owner.barrierArrived(...args)
  }

  inputsStarted(...args: Parameters<BarrierHandlerOwner['inputsStarted']>): void {
    this.owner.inputsStarted(...args)
  }

  inputsStopped(...args: Parameters<BarrierHandlerOwner['inputsStopped']>): void {
    this.owner.inputsStopped(...args)
  }

  convertToPriority(...args: Parameters<BarrierHandlerOwner['convertToPriority']>): void {
    this.owner.convertToPriority(...args)
  }

  setAlignmentTimer(...args: Parameters<BarrierHandlerOwner['setAlignmentTimer']>): void {
    this.owner.setAlignmentTimer(...args)
  }
}
