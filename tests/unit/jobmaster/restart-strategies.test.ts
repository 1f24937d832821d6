import { describe, expect, it } from 'vitest'
import { Prng } from '../../../workers/base/prng.ts'
import { createRestartStrategy } from '../../../workers/jobmaster/failover/create-restart-strategy.ts'
import type { RestartStrategySettings } from '../../../workers/model/job-graph.ts'

const exponential: Extract<RestartStrategySettings, { type: 'exponential-delay' }> = {
  type: 'exponential-delay', initialBackoffMicros: 1000, maxBackoffMicros: 60_000, multiplier: 2, resetThresholdMicros: 1_000_000,
  jitterFactor: 0, attemptsBeforeReset: Infinity,
}

/** [may restart, delay] after a failure at each of the times. */
function run(settings: RestartStrategySettings, times: readonly number[], seed = 1): [boolean, number][] {
  const strategy = createRestartStrategy(settings, new Prng(seed))
  return times.map((now) => {
    strategy.notifyFailure(now)
    return [strategy.canRestart(), strategy.backoffMicros(now)]
  })
}

describe('restart strategies (behaviour 15.1)', () => {
  it.each<[string, RestartStrategySettings, readonly number[], [boolean, number][]]>([
    ['none: the first failure fails', { type: 'none' }, [0], [[false, 0]]],
    ['fixed-delay: while failures ≤ attempts, never reset', { type: 'fixed-delay', attempts: 2, delayMicros: 7 }, [0, 10, 1e9], [[true, 7], [true, 7], [false, 7]]],
    [
      'failure-rate: fails once more than max fall into the interval',
      { type: 'failure-rate', maxFailuresPerInterval: 2, intervalMicros: 100, delayMicros: 5 }, [0, 10, 100], [[true, 5], [true, 5], [false, 5]],
    ],
    [
      'failure-rate: the interval slides',
      { type: 'failure-rate', maxFailuresPerInterval: 2, intervalMicros: 100, delayMicros: 5 }, [0, 10, 101], [[true, 5], [true, 5], [true, 5]],
    ],
    ['exponential-delay: grows by the multiplier', exponential, [0, 2000, 5000, 10_000], [[true, 1000], [true, 2000], [true, 4000], [true, 8000]]],
    ['exponential-delay: a failure at or before the scheduled restart is merged', exponential, [0, 400, 1000], [[true, 1000], [true, 600], [true, 0]]],
    ['exponential-delay: never above max', { ...exponential, maxBackoffMicros: 3000 }, [0, 2000, 5000, 9000], [[true, 1000], [true, 2000], [true, 3000], [true, 3000]]],
    ['exponential-delay: reset after the quiet time', exponential, [0, 2000, 1_004_000], [[true, 1000], [true, 2000], [true, 1000]]],
    ['exponential-delay: not reset just before it', exponential, [0, 2000, 1_003_999], [[true, 1000], [true, 2000], [true, 4000]]],
    ['exponential-delay: fails after the attempts', { ...exponential, attemptsBeforeReset: 1 }, [0, 2000], [[true, 1000], [false, 2000]]],
  ])('%s', (_, settings, times, expected) => {
    expect(run(settings, times)).toEqual(expected)
  })

  it('jitter stays within its factor, never shortens the first delay, and comes from the seed', () => {
    const settings = { ...exponential, jitterFactor: 0.1 }
    const second = Array.from({ length: 100 }, (_, seed) => run(settings, [0, 2000], seed)[1]![1])
    expect(Math.min(...second)).toBeGreaterThanOrEqual(1800)
    expect(Math.max(...second)).toBeLessThanOrEqual(2200)
    expect(new Set(second).size).toBeGreaterThan(50)
    expect(Array.from({ length: 100 }, (_, seed) => run(settings, [0], seed)[0]![1]).every((delay) => delay >= 1000)).toBe(true)
    expect(run(settings, [0, 2000, 9000], 5)).toEqual(run(settings, [0, 2000, 9000], 5))
  })
})
