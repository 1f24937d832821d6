/**
 * The delay grows with each attempt and falls back after a quiet time. Flink: ExponentialDelayRestartBackoffTimeStrategy (behaviour 15.1).
 */
import type { Prng } from '../../base/prng.ts'
import type { RestartStrategySettings } from '../../model/job-graph.ts'
import type { EngineTime } from '../../model/time.ts'
import type { RestartStrategy } from './restart-strategy.ts'

export type ExponentialDelaySettings = Extract<RestartStrategySettings, { readonly type: 'exponential-delay' }>

export class ExponentialDelayStrategy implements RestartStrategy {
  readonly description: string
  private readonly settings: ExponentialDelaySettings
  private readonly random: Prng
  /** Attempts since the last reset, the scheduled one included. */
  private attempts = 0
  private scheduledAt: EngineTime = -Infinity

  constructor(settings: ExponentialDelaySettings, random: Prng) {
    this.settings = settings
    this.random = random
    this.description =
      `ExponentialDelayRestartBackoffTimeStrategy(initialBackoffMS=${settings.initialBackoffMicros / 1000}, ` +
      `maxBackoffMS=${settings.maxBackoffMicros / 1000}, backoffMultiplier=${settings.multiplier}, ` +
      `resetBackoffThresholdMS=${settings.resetThresholdMicros / 1000}, jitterFactor=${settings.jitterFactor}, ` +
      `attemptsBeforeResetBackoff=${settings.attemptsBeforeReset})`
  }

  /** A failure at or before the scheduled restart is merged into that attempt. */
  notifyFailure(now: EngineTime): boolean {
    if (now <= this.scheduledAt) return false
    if (now - this.scheduledAt >= this.settings.resetThresholdMicros) this.attempts = 0
    this.scheduledAt = now + this.delayOf(this.attempts)
    this.attempts++
    return true
  }

  canRestart(): boolean {
    return this.attempts <= this.settings.attemptsBeforeReset
  }

  backoffMicros(now: EngineTime): EngineTime {
    return Math.max(0, this.scheduledAt - now)
  }

  /** clamp(initial · multiplier^k ± jitter, initial, max): jitter never shortens the first delay. */
  private delayOf(attempt: number): EngineTime {
    const { initialBackoffMicros, maxBackoffMicros, multiplier, jitterFactor } = this.settings
    const base = Math.min(initialBackoffMicros * multiplier ** attempt, maxBackoffMicros)
    const jitter = base * jitterFactor * (2 * this.random.double() - 1)
    return Math.round(Math.min(Math.max(base + jitter, initialBackoffMicros), maxBackoffMicros))
  }
}
