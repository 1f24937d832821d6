/**
 * Counts checkpoint failures against `tolerable-failed-checkpoints`. Flink: CheckpointFailureManager (behaviour 4).
 */
import { CHECKPOINT_FAILURE_REASONS } from '../model/checkpoint.ts'
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'

/** Flink's largest int: unlimited. */
export const UNLIMITED_TOLERABLE_FAILURES = 2147483647
export const EXCEEDED_TOLERABLE_MESSAGE = 'Exceeded checkpoint tolerable failure threshold.'

/** IDs remembered as counted; far more than can be pending at once. */
const REMEMBERED_IDS = 1000

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
   * Takes in one failure; `id` is null where the checkpoint never got one. True: the tolerable number is exceeded and the job must fail
   * globally (the counter starts anew).
   */
  failed(id: CheckpointId | null, reason: CheckpointFailureReason): boolean {
    if (!CHECKPOINT_FAILURE_REASONS[reason].counted) return false
    if (id !== null) {
      if (id <= this.lastSuccess || this.countedIds.has(id)) return false
      this.remember(id)
    }
    this.continuousFailures++
    if (this.tolerable >= UNLIMITED_TOLERABLE_FAILURES || this.continuousFailures <= this.tolerable) return false
    this.reset()
    return true
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
