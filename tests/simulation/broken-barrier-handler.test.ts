import { describe, expect, it } from 'vitest'
import type { BarrierHandler, BarrierHandlerOptions, BarrierHandlerOwner, AlignmentMetrics } from '../../workers/checkpointing/barrier-handler.ts'
import { createBarrierHandler } from '../../workers/checkpointing/create-barrier-handler.ts'
import { randomRun } from '../../workers/hosts/simulator/random/random-run.ts'
import type { CheckpointFailureReason } from '../../workers/model/checkpoint.ts'
import type { CheckpointBarrier } from '../../workers/model/wire.ts'

/** An owner that never blocks: where the handler asks for a block, the sender is told to go on at once. */
class NeverBlocks implements BarrierHandlerOwner {
  private readonly owner: BarrierHandlerOwner
  private readonly resumed = new Set<string>()

  constructor(owner: BarrierHandlerOwner) {
    this.owner = owner
  }

  blockChannel(checkpointId: number, channel: number): void {
    this.resumed.add(`${checkpointId}/${channel}`)
    this.owner.resumeChannel(checkpointId, channel)
  }

  resumeChannel(checkpointId: number, channel: number): void {
    if (!this.resumed.delete(`${checkpointId}/${channel}`)) this.owner.resumeChannel(checkpointId, channel)
  }

  triggerCheckpointOnBarrier(barrier: CheckpointBarrier, alignment: AlignmentMetrics): void {
    this.owner.triggerCheckpointOnBarrier(barrier, alignment)
  }

  abortCheckpointOnBarrier(checkpointId: number, reason: CheckpointFailureReason): void {
    this.owner.abortCheckpointOnBarrier(checkpointId, reason)
  }

  barrierArrived(checkpointId: number, channel: number, arrived: number, expected: number): void {
    this.owner.barrierArrived(checkpointId, channel, arrived, expected)
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

const withoutBlocking = (options: BarrierHandlerOptions): BarrierHandler => createBarrierHandler({ ...options, owner: new NeverBlocks(options.owner) })

describe('a barrier handler that does not block its channels', () => {
  const violations = Array.from({ length: 120 }, (_, i) => randomRun(i + 1, withoutBlocking, { kind: 'aligned' }).violation?.invariant ?? null)

  it('is caught, in many of the runs', () => {
    expect(violations.filter((violation) => violation !== null).length).toBeGreaterThanOrEqual(4)
  })

  it('is caught by the files of checkpoints: they are no consistent cut', () => {
    expect(violations).toContain('consistent-cut')
  })

  it('and by nothing else than what it breaks', () => {
    const found = new Set(violations.filter((violation) => violation !== null))
    for (const invariant of found) expect(['consistent-cut', 'exactly-once', 'alignment']).toContain(invariant)
  })
})
