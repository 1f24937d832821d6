import { describe, expect, it } from 'vitest'
import { randomRun, type RandomRunResult } from '../../workers/hosts/simulator/random/random-run.ts'
import { summarize } from '../../workers/hosts/simulator/random/summary.ts'

const SEEDS = 240
const BATCH = 40

describe('random jobs with random faults', () => {
  const results: RandomRunResult[] = []

  for (let from = 1; from <= SEEDS; from += BATCH) {
    it(`keep every invariant, seeds ${from} to ${from + BATCH - 1}`, () => {
      for (let seed = from; seed < from + BATCH; seed++) {
        const result = randomRun(seed)
        results.push(result)
        const { violation } = result
        expect(violation === null ? null : `seed ${seed}: ${violation.invariant}: ${violation.message} (npm run simulate -- --seeds 1 --from ${seed})`).toBeNull()
      }
    }, 120_000)
  }

  it('enough of them restored, aborted, committed and were compared', () => {
    expect(results.length).toBe(SEEDS)
    expect(summarize(results).tooFew).toBeNull()
  })

  it('the summary complains when nothing happened', () => {
    const idle = results.map((result) => ({ ...result, restored: 0 }))
    expect(summarize(idle).tooFew).toContain('too few seeds restored')
  })

  it('what is rare is demanded of many seeds, not of a few', () => {
    const without = results.map((result) => ({ ...result, inFlightRestored: 0 }))
    expect(summarize(without).tooFew).toContain('too few seeds inFlightRestored')
    expect(summarize(without.slice(0, 60)).tooFew).toBeNull()
  })
})
