/** Whether and when a job restarts after a failure. Flink: RestartBackoffTimeStrategy (behaviour 15.1). One strategy, one file. */
import type { EngineTime } from '../../model/time.ts'

export interface RestartStrategy {
  /** As in "Recovery is suppressed by …". */
  readonly description: string
  /** Takes in a failure. False: it belongs to an attempt that is scheduled already and counts for nothing. */
  notifyFailure(now: EngineTime): boolean
  canRestart(): boolean
  /** From `now` to the restart. */
  backoffMicros(now: EngineTime): EngineTime
}
