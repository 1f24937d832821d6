/**
 * The snapshot procedure of one task, step by step, and what follows a completed or aborted checkpoint. Flink:
 * SubtaskCheckpointCoordinatorImpl (behaviour 7.1, 7.3). The barrier leaves before any state is captured, so that downstream starts
 * aligning while this task snapshots.
 *
 * A step may have to wait for the outside world (an operator that pre-commits): the procedure then stops where it is and `advance` goes on.
 * Simplified: no channel state and no output-side alignment timer (steps 3 and 4), as long as all checkpoints are aligned.
 */
import { assert, must } from '../base/assert.ts'
import { Deque } from '../base/deque.ts'
import type { Prng } from '../base/prng.ts'
import type { CheckpointFailureReason, CheckpointMetrics } from '../model/checkpoint.ts'
import type { TaskSettings } from '../model/deployment.ts'
import type { SnapshotPart } from '../model/events.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { TaskCheckpointReport } from '../model/report.ts'
import type { TaskStateSnapshot } from '../model/state-handles.ts'
import type { StorageOp, StorageReply } from '../model/storage.ts'
import { MICROS_PER_SECOND } from '../model/time.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import type { TaskEventBody } from '../operators/operator.ts'
import { AsyncCheckpoint } from './async-checkpoint.ts'
import type { OperatorSnapshot } from './async-checkpoint.ts'
import type { AlignmentMetrics } from './barrier-handler.ts'
import type { SnapshotParticipant } from './snapshot-participants.ts'

/** What the procedure may ask of its task. */
export interface SubtaskCheckpointOwner {
  readonly now: EngineTime
  /** To every output, behind all that was emitted. */
  broadcastBarrier(barrier: CheckpointBarrier): void
  broadcastCancelMarker(checkpointId: CheckpointId): void
  /** The number of the request, for the reply. */
  storage(op: StorageOp): number
  setTimer(timer: string, at: EngineTime): void
  acknowledge(checkpointId: CheckpointId, metrics: CheckpointMetrics, snapshot: TaskStateSnapshot): void
  decline(checkpointId: CheckpointId, reason: CheckpointFailureReason, message: string): void
  event(body: TaskEventBody): void
}

export const STORAGE_TIMER = 'storage-modelled'
/** Asynchronous parts waiting in one task: one per concurrent checkpoint, and those may not be many. */
const ASYNC_PARTS_MAX = 1024
const ABORTED_REMEMBERED_MAX = 10_000

/** The synchronous side of the checkpoint that is in hand. */
interface SyncPart {
  readonly barrier: CheckpointBarrier
  readonly alignment: AlignmentMetrics
  readonly processedBytes: number
  phase: 'pre-barrier' | 'capture' | 'cost'
  /** Operator that is next in this phase, and whether it has been called and is being waited for. */
  index: number
  isCalled: boolean
  startedAt: EngineTime
  endsAt: EngineTime
  readonly captured: OperatorSnapshot[]
  readonly parts: SnapshotPart[]
}

export class SubtaskCheckpointCoordinator {
  private readonly owner: SubtaskCheckpointOwner
  private readonly settings: TaskSettings
  private readonly participants: readonly SnapshotParticipant[]
  private readonly names: Prng
  private lastCheckpointId: CheckpointId = -1
  private latestCompleted: CheckpointId
  private readonly abortedIds = new Set<CheckpointId>()
  private sync: SyncPart | null = null
  private readonly asyncParts = new Deque<AsyncCheckpoint>('asynchronous parts', ASYNC_PARTS_MAX)
  /** Files of aborted checkpoints whose write is under way: they are removed when it ends. */
  private readonly orphans = new Map<number, readonly string[]>()
  private readonly cleanups = new Set<number>()
  private latestReport: TaskCheckpointReport | null = null

  constructor(
    owner: SubtaskCheckpointOwner,
    settings: TaskSettings,
    participants: readonly SnapshotParticipant[],
    names: Prng,
    restoredCheckpoint: CheckpointId | null,
  ) {
    this.owner = owner
    this.settings = settings
    this.participants = participants
    this.names = names
    this.latestCompleted = restoredCheckpoint ?? -1
  }

  /** The synchronous part is under way: no record may be processed. */
  get isInSyncPart(): boolean {
    return this.sync !== null
  }

  /** When the modelled cost of the synchronous part is over; null while it is not being paid. */
  get syncCostUntil(): EngineTime | null {
    return this.sync?.phase === 'cost' ? this.sync.endsAt : null
  }

  /** A part has not been acknowledged, declined or dropped yet. */
  get hasPendingParts(): boolean {
    return !this.asyncParts.isEmpty
  }

  get hasBackgroundWork(): boolean {
    return this.asyncParts.front()?.prepared === null
  }

  /** Steps 0 to 5 as far as they go without waiting. An exception of an operator fails the task. */
  checkpointState(barrier: CheckpointBarrier, alignment: AlignmentMetrics, processedBytes: number): void {
    assert(this.sync === null, 'one synchronous part at a time')
    // Step 0: out of order, or aborted already.
    if (barrier.checkpointId <= this.lastCheckpointId) return
    this.lastCheckpointId = barrier.checkpointId
    if (this.abortedIds.delete(barrier.checkpointId)) {
      this.owner.broadcastCancelMarker(barrier.checkpointId)
      this.owner.event({ type: 'CheckpointAbortedAtTask', checkpointId: barrier.checkpointId, reason: 'CHECKPOINT_DECLINED' })
      this.forgetOldAborts()
      return
    }
    this.forgetOldAborts()
    this.sync = {
      barrier,
      alignment,
      processedBytes,
      phase: 'pre-barrier',
      index: 0,
      isCalled: false,
      startedAt: 0,
      endsAt: 0,
      captured: [],
      parts: [],
    }
    this.advance()
  }

  /** Goes on with a synchronous part that had to wait; call it when an operator got its answer, or the cost is over. */
  advance(): void {
    const sync = this.sync
    if (sync === null) return
    if (sync.phase === 'pre-barrier' && !this.prepareOperators(sync)) return
    if (sync.phase === 'capture' && !this.captureOperators(sync)) return
    if (this.owner.now < sync.endsAt) return
    this.endSyncPart(sync)
  }

  /** Step 6 in slices. True while there is more to walk. */
  background(budget: number): boolean {
    const part = this.asyncParts.front()
    if (part === undefined || part.prepared !== null) return false
    try {
      const hasMore = part.walk(budget)
      if (part.totalEntries > 0) {
        this.owner.event({
          type: 'AsyncSnapshotProgressed',
          checkpointId: part.checkpointId,
          written: part.writtenEntries,
          total: part.totalEntries,
        })
      }
      if (!hasMore) this.persist(part)
    } catch (error) {
      this.failAsync(part, error instanceof Error ? error.message : String(error))
    }
    this.reportProgress()
    return this.hasBackgroundWork
  }

  /** True if the reply was for a snapshot. */
  onStorageReply(reply: StorageReply): boolean {
    if (this.cleanups.delete(reply.requestId)) return true
    const orphaned = this.orphans.get(reply.requestId)
    if (orphaned !== undefined) {
      this.orphans.delete(reply.requestId)
      if (reply.result.ok) {
        this.cleanups.add(this.owner.storage({ type: 'transact', writes: [], deletes: orphaned, durability: 'relaxed' }))
      }
      return true
    }
    const part = this.asyncParts.front()
    if (part === undefined || part.requestId !== reply.requestId) return false
    if (!reply.result.ok) {
      this.failAsync(part, `${reply.result.reason}: ${reply.result.message}`)
      return true
    }
    part.requestId = null
    this.completeIfDone(part)
    return true
  }

  /** The modelled storage is done. */
  onStorageTimer(): void {
    const part = this.asyncParts.front()
    if (part !== undefined && part.prepared !== null) this.completeIfDone(part)
  }

  /** A barrier handler gave a checkpoint up: decline, and tell downstream. */
  abortCheckpointOnBarrier(checkpointId: CheckpointId, reason: CheckpointFailureReason, message: string): void {
    this.lastCheckpointId = Math.max(this.lastCheckpointId, checkpointId)
    this.forgetOldAborts()
    this.owner.decline(checkpointId, reason, message)
    this.owner.event({ type: 'CheckpointAbortedAtTask', checkpointId, reason })
    this.owner.broadcastCancelMarker(checkpointId)
  }

  /** From the JobManager. What has not begun is answered with a cancel marker when its barriers come; what runs is dropped. */
  notifyCheckpointAborted(checkpointId: CheckpointId): void {
    if (checkpointId > this.lastCheckpointId) {
      if (this.abortedIds.size < ABORTED_REMEMBERED_MAX) this.abortedIds.add(checkpointId)
      return
    }
    if (this.sync?.barrier.checkpointId === checkpointId) {
      // The barrier has left; the part ends in its own time, and its result is dropped.
      this.abortedIds.add(checkpointId)
      return
    }
    const parts = this.asyncParts.toArray()
    const part = parts.find((candidate) => candidate.checkpointId === checkpointId)
    if (part === undefined) return
    this.drop(part)
  }

  /** False: known already (the restored checkpoint counts), so operators must not hear of it again. */
  notifyCheckpointComplete(checkpointId: CheckpointId): boolean {
    if (checkpointId <= this.latestCompleted) return false
    this.latestCompleted = checkpointId
    return true
  }

  /** The task ends: nothing is acknowledged any more. */
  close(): void {
    this.sync = null
    for (const part of this.asyncParts.toArray()) part.release()
    this.asyncParts.clear()
  }

  report(): TaskCheckpointReport | null {
    return this.latestReport
  }

  // ── the synchronous part

  /** Step 1, head to tail, then step 2, the barrier. False: an operator waits. */
  private prepareOperators(sync: SyncPart): boolean {
    const { checkpointId } = sync.barrier
    while (sync.index < this.participants.length) {
      const { operator } = this.participants[sync.index] as SnapshotParticipant
      if (!sync.isCalled) {
        sync.isCalled = true
        operator.prepareSnapshotPreBarrier(checkpointId)
      }
      if (operator.isWaiting()) return false
      sync.index++
      sync.isCalled = false
    }
    this.owner.broadcastBarrier(sync.barrier)
    sync.phase = 'capture'
    sync.index = this.participants.length - 1
    sync.startedAt = this.owner.now
    this.owner.event({ type: 'SyncSnapshotStarted', checkpointId })
    this.latestReport = { checkpointId, phase: 'sync', since: this.owner.now, writtenBytes: 0, totalBytes: 0 }
    return true
  }

  /** Step 5, tail to head. False: an operator waits. */
  private captureOperators(sync: SyncPart): boolean {
    while (sync.index >= 0) {
      const participant = this.participants[sync.index] as SnapshotParticipant
      if (!sync.isCalled) {
        sync.isCalled = true
        participant.operator.snapshotState(sync.barrier.checkpointId)
      }
      if (participant.operator.isWaiting()) return false
      capture(participant, sync)
      sync.index--
      sync.isCalled = false
    }
    sync.phase = 'cost'
    sync.endsAt = this.owner.now + this.settings.syncCostMicros
    return true
  }

  private endSyncPart(sync: SyncPart): void {
    const { now } = this.owner
    const { checkpointId, options } = sync.barrier
    this.sync = null
    this.owner.event({ type: 'SyncSnapshotEnded', checkpointId, parts: sync.parts })
    const part = new AsyncCheckpoint(
      checkpointId,
      options,
      { ...sync.alignment, syncMicros: now - sync.startedAt, syncEndedAt: now, processedBytes: sync.processedBytes },
      sync.captured,
    )
    if (this.abortedIds.delete(checkpointId)) {
      part.release()
      return
    }
    this.asyncParts.pushBack(part)
    this.latestReport = { checkpointId, phase: 'async', since: now, writtenBytes: 0, totalBytes: 0 }
    // Without any state there is nothing to walk, and no slice to wait for.
    if (part.isStateless && this.asyncParts.size === 1) this.persist(part)
  }

  // ── the asynchronous part

  private persist(part: AsyncCheckpoint): void {
    const { now } = this.owner
    const prepared = part.prepare(this.settings.inlineThresholdBytes, this.names)
    if (prepared.writes.length > 0) {
      const { storageLatencyMicros, storageBytesPerSecond } = this.settings
      const stored = prepared.writes.reduce((sum, write) => sum + write.bytes.length, 0)
      const transfer = storageBytesPerSecond === null ? 0 : Math.ceil((stored * MICROS_PER_SECOND) / storageBytesPerSecond)
      part.modelledDoneAt = now + storageLatencyMicros + transfer
      part.requestId = this.owner.storage({ type: 'transact', writes: prepared.writes, deletes: [], durability: 'relaxed' })
      if (part.modelledDoneAt > now) this.owner.setTimer(STORAGE_TIMER, part.modelledDoneAt)
    }
    this.completeIfDone(part)
  }

  /** Acknowledges when the real write and the modelled one are both done. */
  private completeIfDone(part: AsyncCheckpoint): void {
    const { now } = this.owner
    if (part.requestId !== null || now < part.modelledDoneAt) return
    const prepared = must(part.prepared, 'prepared snapshot')
    this.asyncParts.popFront()
    const { checkpointId, metrics } = part
    this.owner.event({ type: 'AsyncSnapshotEnded', checkpointId, bytes: prepared.bytes })
    this.owner.acknowledge(checkpointId, this.metricsOf(part, prepared.bytes), prepared.snapshot)
    this.latestReport = {
      checkpointId,
      phase: 'acknowledged',
      since: metrics.syncEndedAt,
      writtenBytes: prepared.bytes,
      totalBytes: prepared.bytes,
    }
    this.startNextPart()
  }

  private metricsOf(part: AsyncCheckpoint, bytes: number): CheckpointMetrics {
    const { now } = this.owner
    const { metrics } = part
    const { syncCostMicros, storageLatencyMicros, storageBytesPerSecond } = this.settings
    const isModelled = syncCostMicros > 0 || storageLatencyMicros > 0 || storageBytesPerSecond !== null
    return {
      startDelayMicros: metrics.startDelayMicros,
      alignmentMicros: metrics.alignmentMicros,
      syncMicros: metrics.syncMicros,
      asyncMicros: now - metrics.syncEndedAt,
      processedBytes: metrics.processedBytes,
      persistedBytes: 0,
      checkpointedBytes: bytes,
      stateBytes: bytes,
      measured: !isModelled || now > part.modelledDoneAt,
    }
  }

  /** A failed asynchronous part declines; the task lives on. */
  private failAsync(part: AsyncCheckpoint, message: string): void {
    this.owner.decline(part.checkpointId, 'CHECKPOINT_ASYNC_EXCEPTION', message)
    this.owner.event({ type: 'CheckpointAbortedAtTask', checkpointId: part.checkpointId, reason: 'CHECKPOINT_ASYNC_EXCEPTION' })
    part.requestId = null
    this.drop(part)
  }

  private drop(part: AsyncCheckpoint): void {
    part.release()
    if (part.requestId !== null) this.orphans.set(part.requestId, must(part.prepared, 'prepared snapshot').writes.map((write) => write.path))
    const wasFront = this.asyncParts.front() === part
    const rest = this.asyncParts.toArray().filter((other) => other !== part)
    this.asyncParts.clear()
    for (const other of rest) this.asyncParts.pushBack(other)
    if (this.latestReport?.checkpointId === part.checkpointId) this.latestReport = null
    if (wasFront) this.startNextPart()
  }

  private startNextPart(): void {
    const next = this.asyncParts.front()
    if (next !== undefined && next.isStateless && next.prepared === null) this.persist(next)
  }

  private reportProgress(): void {
    const part = this.asyncParts.front()
    if (part === undefined) return
    this.latestReport = {
      checkpointId: part.checkpointId,
      phase: 'async',
      since: part.metrics.syncEndedAt,
      writtenBytes: part.prepared === null ? 0 : part.prepared.bytes,
      totalBytes: part.prepared === null ? 0 : part.prepared.bytes,
    }
  }

  private forgetOldAborts(): void {
    for (const id of this.abortedIds) if (id < this.lastCheckpointId) this.abortedIds.delete(id)
  }
}

function capture(participant: SnapshotParticipant, sync: SyncPart): void {
  const { operator, operatorId, keyed } = participant
  const operatorState = participant.operatorState.snapshot()
  const view = keyed === null ? null : keyed.snapshot()
  for (const part of operator.snapshotParts()) sync.parts.push(part)
  if (view !== null) sync.parts.push({ operator: operatorId, kind: 'keyed', entries: view.totalEntries })
  if (view === null && operatorState === null) return
  sync.captured.push({ operatorId, keyed: keyed === null || view === null ? null : { range: keyed.keyGroupRange, view }, operatorState })
}
