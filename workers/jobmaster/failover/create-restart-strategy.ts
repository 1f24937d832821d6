/** Flink: RestartBackoffTimeStrategyFactoryLoader. */
import { unreachable } from '../../base/assert.ts'
import type { Prng } from '../../base/prng.ts'
import type { RestartStrategySettings } from '../../model/job-graph.ts'
import { ExponentialDelayStrategy } from './exponential-delay-strategy.ts'
import { FailureRateStrategy } from './failure-rate-strategy.ts'
import { FixedDelayStrategy } from './fixed-delay-strategy.ts'
import { NoRestartStrategy } from './no-restart-strategy.ts'
import type { RestartStrategy } from './restart-strategy.ts'

export function createRestartStrategy(settings: RestartStrategySettings, random: Prng): RestartStrategy {
  switch (settings.type) {
    case 'none':
      return new NoRestartStrategy()
    case 'fixed-delay':
      return new FixedDelayStrategy(settings.attempts, settings.delayMicros)
    case 'failure-rate':
      return new FailureRateStrategy(settings.maxFailuresPerInterval, settings.intervalMicros, settings.delayMicros)
    case 'exponential-delay':
      return new ExponentialDelayStrategy(settings, random)
    default:
      return unreachable(settings)
  }
}
