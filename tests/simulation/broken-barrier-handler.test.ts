import { describe, expect, it } from 'vitest'
import { randomRun } from '../../workers/hosts/simulator/random/random-run.ts'
import { notBlockingHandler } from '../unit/checkpointing/not-blocking-handler.ts'

describe('a barrier handler that does not block its channels', () => {
  const violations = Array.from({ length: 120 }, (_, i) => randomRun(i + 1, notBlockingHandler, { kind: 'aligned' }).violation?.invariant ?? null)

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
