/** The first failure fails the job. Flink: NoRestartBackoffTimeStrategy. */
import type { RestartStrategy } from './restart-strategy.ts'

export class NoRestartStrategy implements RestartStrategy {
  readonly description = 'NoRestartBackoffTimeStrategy'

  notifyFailure(): boolean {
    return true
  }

  canRestart(): boolean {
    return false
  }

  backoffMicros(): number {
    return 0
  }
}
