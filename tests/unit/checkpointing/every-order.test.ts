/** Every interleaving of two channels and two checkpoints, in every mode: state + in-flight data = the records before the barriers. */
import { describe, expect, it } from 'vitest'
import type { AlignmentMetrics, BarrierHandlerOwner } from '../../../workers/checkpointing/barrier-handler.ts'
import type { CheckpointBarrier } from '../../../workers/model/wire.ts'
import { explore } from './every-order.ts'
import type { Mode, TwoChannels } from './two-channels.ts'

const LANES = ['a 1 b 2 c', 'd 1 e 2 f'] as const
const MODES: readonly Mode[] = ['aligned', 'unaligned', 'timeout', 'at-least-once']

describe('every order of two channels and two checkpoints', () => {
  for (const mode of MODES) {
    it(`${mode}: each snapshot is the effect of the records before its barriers, each record is taken once, the newer checkpoint completes`, () => {
      const result = explore(LANES, mode, { mustComplete: [2] })
      expect(result.wrong).toBeNull()
      expect(result.situations).toBeGreaterThan(70)
      expect(result.seen.plain).toBeGreaterThan(0)
      expect(result.seen.inFlight > 0).toBe(mode === 'unaligned' || mode === 'timeout')
    })
  }

  it('an aligned checkpoint is never given up, because the next barrier waits behind it', () => {
    expect(explore(LANES, 'aligned', { mustComplete: [1, 2] })).toMatchObject({ wrong: null, seen: { aborted: 0 } })
  })

  it('a newer barrier ends an unaligned checkpoint that is not complete', () => {
    expect(explore(LANES, 'unaligned').seen.aborted).toBeGreaterThan(0)
  })

  for (const mode of MODES) {
    it(`${mode}: the end of a channel stands for its barrier, a cancel marker ends the checkpoint`, () => {
      expect(explore(['a 1 b', 'd |'], mode, { mustComplete: [1] }).wrong).toBeNull()
      const cancelled = explore(['a 1 b 2', 'd !1 e 2'], mode, { mustComplete: [2] })
      expect(cancelled.wrong).toBeNull()
      expect(cancelled.seen.aborted).toBeGreaterThan(0)
    })
  }
})

/** Passes everything on; a mutant changes one thing. */
class Through implements BarrierHandlerOwner {
  protected readonly task: TwoChannels

  constructor(task: TwoChannels) {
    this.task = task
  }

  triggerCheckpointOnBarrier(barrier: CheckpointBarrier, alignment: AlignmentMetrics): void {
    this.task.triggerCheckpointOnBarrier(barrier, alignment)
  }
  abortCheckpointOnBarrier(id: number): void {
    this.task.abortCheckpointOnBarrier(id)
  }
  blockChannel(id: number, channel: number): void {
    this.task.blockChannel(id, channel)
  }
  resumeChannel(id: number, channel: number): void {
    this.task.resumeChannel(id, channel)
  }
  barrierArrived(): void {}
  inputsStarted(barrier: CheckpointBarrier): void {
    this.task.inputsStarted(barrier)
  }
  inputsStopped(id: number, alignment: number | null): void {
    this.task.inputsStopped(id, alignment)
  }
  convertToPriority(id: number, channel: number): void {
    this.task.convertToPriority(id, channel)
  }
  setAlignmentTimer(id: number, at: number | null): void {
    this.task.setAlignmentTimer(id, at)
  }
}

class DoesNotBlock extends Through {
  override blockChannel(id: number, channel: number): void {
    this.task.resumeChannel(id, channel)
  }
}

class ForgetsInFlightData extends Through {
  override inputsStopped(id: number, alignment: number | null): void {
    this.task.inputsStopped(id, alignment)
    const snapshot = this.task.snapshots.get(id)
    if (snapshot !== undefined) snapshot.inFlight = [[], []]
  }
}

/** Takes its snapshot when the next barrier comes, and not at this one. */
class OneBarrierLate extends Through {
  private held: { readonly barrier: CheckpointBarrier; readonly alignment: AlignmentMetrics } | null = null

  override triggerCheckpointOnBarrier(barrier: CheckpointBarrier, alignment: AlignmentMetrics): void {
    this.held = { barrier, alignment }
  }
  override barrierArrived(): void {
    const { held } = this
    this.held = null
    if (held !== null) this.task.triggerCheckpointOnBarrier(held.barrier, held.alignment)
  }
}

describe('a broken handler is found', () => {
  const MUTANTS: readonly [string, Mode, (task: TwoChannels) => BarrierHandlerOwner][] = [
    ['does not block', 'aligned', (task) => new DoesNotBlock(task)],
    ['does not block', 'timeout', (task) => new DoesNotBlock(task)],
    ['forgets the in-flight data', 'unaligned', (task) => new ForgetsInFlightData(task)],
    ['forgets the in-flight data', 'timeout', (task) => new ForgetsInFlightData(task)],
    ['snapshots one barrier late', 'aligned', (task) => new OneBarrierLate(task)],
    ['snapshots one barrier late', 'unaligned', (task) => new OneBarrierLate(task)],
  ]
  for (const [what, mode, wrap] of MUTANTS) {
    it(`that ${what}, ${mode}`, () => {
      expect(explore(LANES, mode, { wrap }).wrong).toMatch(/checkpoint \d, channel \d: it holds/)
    })
  }
})
