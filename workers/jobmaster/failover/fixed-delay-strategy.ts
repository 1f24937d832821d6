/** So many attempts in the whole life of the job, each after the same delay. Flink: FixedDelayRestartBackoffTimeStrategy. */
import type { EngineTime } from '../../model/time.ts'
import type { RestartStrategy } from './restart-strategy.ts'

export class FixedDelayStrategy implements RestartStrategy {
  readonly description: string
  private readonly attempts: number
  private readonly delayMicros: EngineTime
  private failures = 0

  constructor(attempts: number, delayMicros: EngineTime) {
    this.attempts = attempts
    this.delayMicros = delayMicros
    this.description = `FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=${attempts}, backoffTimeMS=${delayMicros / 1000})`
  }

  notifyFailure(): boolean {
    this.failures++
    return true
  }

  canRestart(): boolean {
    return this.failures <= this.attempts
  }

  backoffMicros(): EngineTime {
    return this.delayMicros
  }
}
