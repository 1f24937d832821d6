/** `restart-strategy.*` (behaviour 15.1). Flink: RestartBackoffTimeStrategyFactoryLoader and the strategies' factories. */
import type { RestartStrategySettings } from '../job-graph.ts'
import { MICROS_PER_MS, MICROS_PER_SECOND } from '../time.ts'
import type { ConfigReader } from './config-reader.ts'

const R = 'restart-strategy.'
const SECOND = MICROS_PER_SECOND
const TYPES = ['none', 'off', 'disable', 'fixed-delay', 'fixeddelay', 'failure-rate', 'failurerate', 'exponential-delay', 'exponentialdelay'] as const

/** Not set: exponential-delay with its defaults if checkpointing is enabled, else none. */
export function parseRestartStrategy(config: ConfigReader, checkpointingEnabled: boolean): RestartStrategySettings {
  const type = config.choice(`${R}type`, TYPES) ?? (checkpointingEnabled ? 'exponential-delay' : 'none')
  const fixedDelay = parseFixedDelay(config)
  const failureRate = parseFailureRate(config)
  const exponentialDelay = parseExponentialDelay(config)
  switch (type) {
    case 'fixed-delay':
    case 'fixeddelay':
      return fixedDelay
    case 'failure-rate':
    case 'failurerate':
      return failureRate
    case 'exponential-delay':
    case 'exponentialdelay':
      return exponentialDelay
    case 'none':
    case 'off':
    case 'disable':
      return { type: 'none' }
  }
}

// All three are read whatever the type: a value that cannot be read is a mistake even while it is not in force.

const parseFixedDelay = (config: ConfigReader): RestartStrategySettings => ({
  type: 'fixed-delay',
  attempts: config.integer(`${R}fixed-delay.attempts`, { min: 0, text: '0 and more' }) ?? 1,
  delayMicros: config.duration(`${R}fixed-delay.delay`) ?? SECOND,
})

const parseFailureRate = (config: ConfigReader): RestartStrategySettings => ({
  type: 'failure-rate',
  maxFailuresPerInterval: config.integer(`${R}failure-rate.max-failures-per-interval`, { min: 1, text: '1 and more' }) ?? 1,
  intervalMicros: config.duration(`${R}failure-rate.failure-rate-interval`, { min: 1, text: 'durations above 0' }) ?? 60 * SECOND,
  delayMicros: config.duration(`${R}failure-rate.delay`) ?? SECOND,
})

function parseExponentialDelay(config: ConfigReader): RestartStrategySettings {
  const E = `${R}exponential-delay.`
  const initial = config.duration(`${E}initial-backoff`, { min: MICROS_PER_MS, text: '1 ms and more' }) ?? SECOND
  const max = config.duration(`${E}max-backoff`) ?? 60 * SECOND
  if (max < initial) config.error(`${E}max-backoff`, 'The longest wait is shorter than the first one.', 'Make max-backoff at least initial-backoff.')
  const attempts = config.find(`${E}attempts-before-reset-backoff`)
  return {
    type: 'exponential-delay',
    initialBackoffMicros: initial,
    maxBackoffMicros: max,
    multiplier: config.decimal(`${E}backoff-multiplier`, { min: 1, text: '1 and more' }) ?? 1.5,
    resetThresholdMicros: config.duration(`${E}reset-backoff-threshold`) ?? 3600 * SECOND,
    jitterFactor: config.decimal(`${E}jitter-factor`, { min: 0, max: 1, text: '0 to 1' }) ?? 0.1,
    attemptsBeforeReset:
      attempts === null || String(attempts.raw).toLowerCase() === 'infinite'
        ? Infinity
        : (config.integer(`${E}attempts-before-reset-backoff`, { min: 0, text: '0 and more' }) ?? Infinity),
  }
}
