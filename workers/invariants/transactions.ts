import type { EngineEvent } from '../model/events.ts'
import type { EventChecker } from './checker.ts'

/**
 * Two-phase commit (behaviour 16.1): a transaction is pre-committed within the synchronous part of a checkpoint and committed only once that
 * checkpoint, or a later one, has completed; what is committed is never aborted.
 */
export class Transactions implements EventChecker {
  readonly invariant = 'transactions'
  private syncing = new Map<string, number>()
  private preCommittedFor = new Map<string, number>()
  private ended = new Map<string, 'committed' | 'aborted'>()
  private latestCompleted = 0
  private latestTriggered = 0

  /** Transactions outlive their job. An older snapshot may hold one as open that its job has ended since. */
  startJob(): void {
    this.syncing.clear()
    this.ended.clear()
    this.latestCompleted = 0
    this.latestTriggered = 0
  }

  check(event: EngineEvent): string | null {
    const body = event.body
    switch (body.type) {
      case 'CheckpointTriggered':
        this.latestTriggered = body.checkpointId
        return null
      case 'CheckpointCompleted':
        // Nothing is committed by a savepoint, unless it stops the job.
        if (body.savepoint !== true || body.stops === true) this.latestCompleted = Math.max(this.latestCompleted, body.checkpointId)
        return null
      case 'CheckpointRestored':
        this.latestCompleted = Math.max(this.latestCompleted, body.checkpointId)
        return null
      case 'SyncSnapshotStarted':
        this.syncing.set(body.attempt, body.checkpointId)
        return null
      case 'SyncSnapshotEnded':
        this.syncing.delete(body.attempt)
        return null
      case 'TransactionPreCommitted':
        this.preCommittedFor.set(body.transaction, this.syncing.get(body.attempt) ?? this.latestTriggered)
        return null
      case 'TransactionCommitted':
        return this.committed(body.transaction)
      case 'TransactionAborted':
        return this.aborted(body.transaction)
      default:
        return null
    }
  }

  private committed(transaction: string): string | null {
    const checkpoint = this.preCommittedFor.get(transaction)
    const before = this.ended.get(transaction)
    this.ended.set(transaction, 'committed')
    if (before === 'aborted') return `${transaction} was committed after it was aborted`
    if (checkpoint === undefined) return `${transaction} was committed and never pre-committed`
    return checkpoint <= this.latestCompleted ? null : `${transaction} was committed before its checkpoint ${checkpoint} completed`
  }

  private aborted(transaction: string): string | null {
    const before = this.ended.get(transaction)
    this.ended.set(transaction, 'aborted')
    return before === 'committed' ? `${transaction} was aborted after it was committed` : null
  }
}
