/** Fails once more than the allowed failures fall into the sliding interval. Flink: FailureRateRestartBackoffTimeStrategy. */
import type { EngineTime } from '../../model/time.ts'
import type { RestartStrategy } from './restart-strategy.ts'

export class FailureRateStrategy implements RestartStrategy {
  readonly description: string
  private readonly maxFailures: number
  private readonly intervalMicros: EngineTime
  private readonly delayMicros: EngineTime
  /** Times of the latest failures: one more than allowed, at most. */
  private times: EngineTime[] = []
  private now: EngineTime = 0

  constructor(maxFailures: number, intervalMicros: EngineTime, delayMicros: EngineTime) {
    this.maxFailures = maxFailures
    this.intervalMicros = intervalMicros
    this.delayMicros = delayMicros
    this.description =
      `FailureRateRestartBackoffTimeStrategy(failuresIntervalMS=${intervalMicros / 1000}, backoffTimeMS=${delayMicros / 1000}, ` +
      `maxFailuresPerInterval=${maxFailures})`
  }

  notifyFailure(now: EngineTime): boolean {
    this.now = now
    this.times.push(now)
    if (this.times.length > this.maxFailures + 1) this.times.shift()
    return true
  }

  canRestart(): boolean {
    const recent = this.times.filter((time) => this.now - time <= this.intervalMicros)
    return recent.length <= this.maxFailures
  }

  backoffMicros(): EngineTime {
    return this.delayMicros
  }
}
