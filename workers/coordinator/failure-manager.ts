/**
 * Counts checkpoint failures against `tolerable-failed-checkpoints`. Flink: CheckpointFailureManager (behaviour 4).
 */
import { CHECKPOINT_FAILURE_REASONS } from '../model/checkpoint.ts'
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'

/** Flink's largest int: unlimited. */
export const UNLIMITED_TOLERABLE_FAILURES = 2147483647
export const EXCEEDED_TOLERABLE_MESSAGE = 'Exceeded checkpoint tolerable failure threshold.'
export const STOP_WITH_SAVEPOINT_FAILED_MESSAGE = 'Stop-with-savepoint failed.'

/** IDs remembered as counted; far more than can be pending at once. */
const REMEMBERED_IDS = 1000

export interface CheckpointFailure {
  /** Null where the checkpoint never got one. */
  readonly id: CheckpointId | null
  readonly reason: CheckpointFailureReason
  readonly savepoint: boolean
  readonly synchronous: boolean
  /** A task failed it; else the JobManager. */
  readonly atTask: boolean
}

export class FailureManager {
  private readonly tolerable: number
  private continuousFailures = 0
  private readonly countedIds = new Set<CheckpointId>()
  private lastSuccess = 0

  constructor(tolerable: number) {
    this.tolerable = tolerable
  }

  get failures(): number {
    return this.continuousFailures
  }

  /**
   * Takes in one failure. Null, or why the job must fail globally: the tolerable number is exceeded (the counter starts anew), or a task has
   * failed a savepoint that was to stop the job. A savepoint that fails at the JobManager counts for nothing.
   */
  failed({ id, reason, savepoint, synchronous, atTask }: CheckpointFailure): string | null {
    if (savepoint && !atTask) return null
    if (savepoint && synchronous) return STOP_WITH_SAVEPOINT_FAILED_MESSAGE
    if (!CHECKPOINT_FAILURE_REASONS[reason].counted) return null
    if (id !== null) {
      if (id <= this.lastSuccess || this.countedIds.has(id)) return null
      this.remember(id)
    }
    this.continuousFailures++
    if (this.tolerable >= UNLIMITED_TOLERABLE_FAILURES || this.continuousFailures <= this.tolerable) return null
    this.reset()
    return EXCEEDED_TOLERABLE_MESSAGE
  }

  succeeded(id: CheckpointId): void {
    this.lastSuccess = Math.max(this.lastSuccess, id)
    this.reset()
  }

  private reset(): void {
    this.continuousFailures = 0
    this.countedIds.clear()
  }

  private remember(id: CheckpointId): void {
    this.countedIds.add(id)
    const [oldest] = this.countedIds
    if (oldest !== undefined && this.countedIds.size > REMEMBERED_IDS) this.countedIds.delete(oldest)
  }
}
