/** Two runs that differ in their barriers alone: what the Compare view shows. */
import { describe, expect, it } from 'vitest'
import { documentOf, ModeRun } from '../../workers/hosts/simulator/compare-modes.ts'
import { SUM_AND_UPPER } from '../../workers/model/builtin-jobs/sum-and-upper.ts'
import { compileJob } from '../../workers/model/compile-job.ts'
import { ASSUMED_INTERVAL_MICROS, checkpointCosts, comparedInterval, persistedInFlight } from '../../workers/projections/compared-run.ts'
import type { ComparedMode, ComparedRun, CompareRequest } from '../../workers/projections/compared-run.ts'

const REQUEST: CompareRequest = {
  document: { ...SUM_AND_UPPER, config: { 'execution.checkpointing.interval': '10 s', 'execution.checkpointing.unaligned': true } },
  base: '',
  seed: 3,
  cost: { uid: 'sum', micros: 300_000 },
  fault: null,
  checkpoints: 2,
  limit: 600_000_000,
}

function runOf(mode: ComparedMode, request: CompareRequest = REQUEST): ComparedRun {
  const run = new ModeRun(request, mode, [])
  while (!run.done) run.advance(1_000_000)
  return run.result()
}

describe('a comparison', () => {
  const aligned = runOf('aligned')
  const unaligned = runOf('unaligned')
  const costs = (run: ComparedRun) => run.checkpoints.map((record) => checkpointCosts(record))

  it('persists nothing in flight aligned, and something unaligned, in less time', () => {
    expect(costs(aligned)).toHaveLength(2)
    for (const [i, one] of costs(aligned).entries()) {
      const other = costs(unaligned)[i]
      expect(one?.persistedBytes).toBe(0)
      expect(other?.persistedBytes).toBeGreaterThan(0)
      expect(other?.durationMicros).toBeLessThan(one?.durationMicros ?? 0)
    }
  })

  it('is repeated by its seed, event by event', () => {
    expect(runOf('aligned').runHash).toBe(aligned.runHash)
    expect(runOf('aligned', { ...REQUEST, seed: 4 }).runHash).not.toBe(aligned.runHash)
  })

  it('ends at its limit where checkpoints do not end', () => {
    const run = runOf('aligned', { ...REQUEST, limit: 12_000_000 })
    expect(run.endedAt).toBe(12_000_000)
    expect(run.checkpoints.at(-1)?.status).toBe('IN_PROGRESS')
    expect(checkpointCosts(run.checkpoints.at(-1)!)).toBeNull()
  })

  it('hits both runs with the same fault', () => {
    const fault = { fault: { kind: 'kill-task-manager', index: 0 }, at: 5_000_000 } as const
    for (const mode of ['aligned', 'unaligned'] as const) expect(runOf(mode, { ...REQUEST, fault }).restarts).toBe(1)
  })

  it('changes nothing of the job but the barriers and the cost', () => {
    const [one, other] = [documentOf(REQUEST, 'aligned'), documentOf(REQUEST, 'unaligned')]
    expect({ ...one, config: null }).toEqual({ ...other, config: null })
    expect(one.config).toMatchObject({ 'execution.checkpointing.unaligned.enabled': false, 'execution.checkpointing.interval': '10 s' })
    expect(Object.keys(one.config ?? {})).not.toContain('execution.checkpointing.unaligned')
    expect(one.operators.find(({ uid }) => uid === 'sum')?.cost).toBe('300000 us')
  })

  it('assumes the interval that it names where the job has none, or one of 0, and no other', () => {
    const { 'execution.checkpointing.interval': _, ...none } = REQUEST.document.config ?? {}
    for (const config of [none, { ...none, 'execution.checkpointing.interval': '0 s' }]) {
      const document = { ...REQUEST.document, config }
      const own = compileJob(document).graph?.settings.checkpointing
      expect(own?.intervalMicros).toBeNull()
      const { assumed, intervalMicros } = comparedInterval(own!)
      expect({ assumed, intervalMicros }).toEqual({ assumed: true, intervalMicros: ASSUMED_INTERVAL_MICROS })
      for (const mode of ['aligned', 'unaligned'] as const) {
        expect(new ModeRun({ ...REQUEST, document }, mode, []).result().graph.settings.checkpointing.intervalMicros).toBe(ASSUMED_INTERVAL_MICROS)
      }
    }
    expect(aligned.graph.settings.checkpointing.intervalMicros).toBe(10_000_000)
  })

  it('keeps an interval that cannot be read as the mistake it is', () => {
    const document = { ...REQUEST.document, config: { 'execution.checkpointing.interval': 'soon' } }
    expect(() => new ModeRun({ ...REQUEST, document }, 'aligned', [])).toThrow(RangeError)
  })

  it('knows of aligned checkpoints that expire that nothing in flight was persisted', () => {
    const config = { ...REQUEST.document.config, 'execution.checkpointing.timeout': '1 s', 'execution.checkpointing.tolerable-failed-checkpoints': 10 }
    const run = runOf('aligned', { ...REQUEST, document: { ...REQUEST.document, config } })
    expect(run.checkpoints.map(({ reason }) => reason)).toContain('CHECKPOINT_EXPIRED')
    for (const record of run.checkpoints) {
      if (record.reason === 'CHECKPOINT_EXPIRED') expect(persistedInFlight('aligned', record)).toEqual({ bytes: 0, failed: 'expired' })
    }
  })
})
