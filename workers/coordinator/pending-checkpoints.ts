/**
 * The checkpoints under way, and how each of them ends. Flink: the pending checkpoints of CheckpointCoordinator, abortPendingCheckpoint,
 * recentExpiredCheckpoints (behaviour 3.1, 3.3).
 */
import { CHECKPOINT_FAILURE_REASONS } from '../model/checkpoint.ts'
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { CoordinatorParts } from './coordinator-parts.ts'
import type { OperationResult } from './operations.ts'
import type { PendingCheckpoint } from './pending-checkpoint.ts'

/** Ended ones whose late messages are called late rather than unknown. */
const REMEMBERED_ENDED = 16
export const EXPIRY_TIMER = 'checkpoint-timeout:'

/** Why a checkpoint failed, in Flink's words, unless more is known. */
export const messageOf = (reason: CheckpointFailureReason, detail = ''): string =>
  detail === '' ? CHECKPOINT_FAILURE_REASONS[reason].message : `${CHECKPOINT_FAILURE_REASONS[reason].message} ${detail}`

export interface AbortCause {
  readonly reason: CheckpointFailureReason
  readonly message: string
  /** A task failed it; else the JobManager. */
  readonly atTask: boolean
}

export const abortCause = (reason: CheckpointFailureReason, detail = ''): AbortCause => ({ reason, message: messageOf(reason, detail), atTask: false })

export class PendingCheckpoints {
  private readonly parts: CoordinatorParts
  private readonly pendings = new Map<CheckpointId, PendingCheckpoint>()
  /** Newest last. */
  private readonly ended: PendingCheckpoint[] = []

  constructor(parts: CoordinatorParts) {
    this.parts = parts
  }

  /** Oldest first. A copy: the list may change while it is walked. */
  get all(): readonly PendingCheckpoint[] {
    return [...this.pendings.values()]
  }

  get size(): number {
    return this.pendings.size
  }

  get(id: CheckpointId): PendingCheckpoint | null {
    return this.pendings.get(id) ?? null
  }

  /** One of the last that ended, or null. */
  recentlyEnded(id: CheckpointId): PendingCheckpoint | null {
    return this.ended.findLast((pending) => pending.id === id) ?? null
  }

  add(pending: PendingCheckpoint): void {
    this.pendings.set(pending.id, pending)
  }

  /** Ends it without success, and deletes its files. Nothing happens to one that has ended. */
  abort(pending: PendingCheckpoint, cause: AbortCause): void {
    if (pending.phase === 'DISPOSED') return
    this.dispose(pending, cause)
    if (pending.isLocationOwned) this.parts.cleaner.clean(pending.id, pending.location, true)
  }

  /** As `abort`, but the files stay: whoever asks sees to them. */
  dispose(pending: PendingCheckpoint, { reason, message, atTask }: AbortCause): void {
    const { port, statistics, store, failures } = this.parts
    this.end(pending, { status: 'FAILED', message })
    statistics.failedCheckpoint(pending.id, message, port.now)
    port.event({ type: 'CheckpointAborted', checkpointId: pending.id, reason, message })
    const latestCompleted = store.latest?.checkpointId ?? null
    for (const task of pending.plan.commitTo) {
      port.send(task, { type: 'notify-checkpoint-aborted', checkpointId: pending.id, latestCompleted })
    }
    const { savepoint, synchronous } = pending.request
    const verdict = failures.failed({ id: pending.id, reason, savepoint, synchronous, atTask })
    if (verdict !== null) port.failGlobally(`${verdict} The latest checkpoint failed due to ${message}`)
  }

  end(pending: PendingCheckpoint, result: OperationResult): void {
    const { port } = this.parts
    pending.phase = 'DISPOSED'
    this.pendings.delete(pending.id)
    port.clearTimer(`${EXPIRY_TIMER}${pending.id}`)
    this.ended.push(pending)
    if (this.ended.length > REMEMBERED_ENDED) this.ended.shift()
    port.requestEnded(pending.request, result)
    for (const coordinator of port.operatorCoordinators()) coordinator.checkpointEnded(pending.id)
  }
}
