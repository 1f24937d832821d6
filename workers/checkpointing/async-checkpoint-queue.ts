/**
 * The asynchronous parts of one task's snapshots, one after another (behaviour 7.1, 6): each is walked in slices, stored in one transaction and
 * acknowledged when the real write and the modelled one are both done. Flink: AsyncCheckpointRunnable on the task's pool, whose executor
 * comes down to a single thread.
 */
import { must } from '../base/assert.ts'
import { Deque } from '../base/deque.ts'
import type { Prng } from '../base/prng.ts'
import type { CheckpointMetrics } from '../model/checkpoint.ts'
import type { TaskSettings } from '../model/deployment.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { TaskCheckpointReport } from '../model/report.ts'
import type { StorageReply } from '../model/storage.ts'
import { MICROS_PER_SECOND } from '../model/time.ts'
import type { AsyncCheckpoint, PreparedSnapshot } from './async-checkpoint.ts'
import { couldNotMaterialize } from './checkpoint-words.ts'
import type { SubtaskCheckpointOwner } from './subtask-checkpoint-owner.ts'

export const STORAGE_TIMER = 'storage-modelled'
/** Asynchronous parts waiting in one task: one per concurrent checkpoint, and those may not be many. */
const ASYNC_PARTS_MAX = 1024

export class AsyncCheckpointQueue {
  /** Of the part in hand, or the last one that was acknowledged. */
  latestReport: TaskCheckpointReport | null = null
  private readonly owner: SubtaskCheckpointOwner
  private readonly settings: TaskSettings
  private readonly names: Prng
  private readonly asyncParts = new Deque<AsyncCheckpoint>('asynchronous parts', ASYNC_PARTS_MAX)
  /** Files of aborted checkpoints whose write is under way: they are removed when it ends. */
  private readonly orphans = new Map<number, readonly string[]>()
  private readonly cleanups = new Set<number>()

  constructor(owner: SubtaskCheckpointOwner, settings: TaskSettings, names: Prng) {
    this.owner = owner
    this.settings = settings
    this.names = names
  }

  /** Every part has been acknowledged, declined or dropped. */
  get isEmpty(): boolean {
    return this.asyncParts.isEmpty
  }

  get hasBackgroundWork(): boolean {
    const part = this.asyncParts.front()
    return part !== undefined && !part.isWalked
  }

  add(part: AsyncCheckpoint): void {
    if (this.asyncParts.isFull) return this.failAsync(part, `${ASYNC_PARTS_MAX} snapshots of this subtask are still to be written; fewer checkpoints at once, or a longer interval, would let them end`)
    this.asyncParts.pushBack(part)
    this.latestReport = { checkpointId: part.checkpointId, phase: 'async', since: this.owner.now, writtenBytes: 0, totalBytes: 0 }
    this.persistIfReady()
  }

  /** The part whose turn it is may have been waiting for in-flight data. */
  persistIfReady(): void {
    const part = this.asyncParts.front()
    if (part === undefined || part.prepared !== null || !part.isReady) return
    try {
      this.persist(part)
    } catch (error) {
      this.failAsync(part, error instanceof Error ? error.message : String(error))
    }
  }

  /** The part whose turn it is, if it waits for its barrier to leave the outputs. */
  get awaitsOutputs(): AsyncCheckpoint | null {
    const part = this.asyncParts.front()
    return part === undefined || (part.channelState?.areOutputsDone ?? true) ? null : part
  }

  find(checkpointId: CheckpointId): AsyncCheckpoint | undefined {
    return this.asyncParts.toArray().find((candidate) => candidate.checkpointId === checkpointId)
  }

  close(): void {
    for (const part of this.asyncParts.toArray()) part.release()
    this.asyncParts.clear()
  }

  /** Step 6 in slices. True while there is more to walk. */
  background(budget: number): boolean {
    const part = this.asyncParts.front()
    if (part === undefined || part.isWalked) return false
    try {
      const isWalking = !part.areViewsWalked
      const hasMore = part.walk(budget)
      if (isWalking && part.totalEntries > 0) {
        this.owner.event({
          type: 'AsyncSnapshotProgressed',
          checkpointId: part.checkpointId,
          written: part.writtenEntries,
          total: part.totalEntries,
        })
      }
      if (!hasMore && part.isReady) this.persist(part)
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

  private persist(part: AsyncCheckpoint): void {
    const { now } = this.owner
    const prepared = part.prepare(this.settings, this.names)
    const { channelState, checkpointId } = part
    if (channelState !== null && prepared.persistedBytes > 0) {
      const { inputBytes, outputBytes } = channelState
      this.owner.event({ type: 'InFlightPersisted', checkpointId, inputBytes, outputBytes })
    }
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
    this.acknowledge(part, prepared)
    this.latestReport = {
      checkpointId,
      phase: 'acknowledged',
      since: metrics.syncEndedAt,
      writtenBytes: prepared.bytes,
      totalBytes: prepared.bytes,
    }
    this.startNextPart()
  }

  /** Flink, Pekko: a message above the frame size is dropped on its way with a line in the log, and the checkpoint expires. */
  private acknowledge(part: AsyncCheckpoint, prepared: PreparedSnapshot): void {
    const { frameBytes = Infinity } = this.settings
    const { checkpointId } = part
    if (prepared.inlineBytes <= frameBytes) this.owner.acknowledge(checkpointId, this.metricsOf(part, prepared), prepared.snapshot)
    else this.owner.event({ type: 'AcknowledgementDropped', checkpointId, bytes: prepared.inlineBytes, limit: frameBytes })
  }

  private metricsOf(part: AsyncCheckpoint, { bytes, persistedBytes }: PreparedSnapshot): CheckpointMetrics {
    const { now } = this.owner
    const { metrics } = part
    const { alignmentMicros, processedBytes } = part.channelState?.inputsEnd ?? metrics
    const { syncCostMicros, storageLatencyMicros, storageBytesPerSecond } = this.settings
    const isModelled = syncCostMicros > 0 || storageLatencyMicros > 0 || storageBytesPerSecond !== null
    return {
      startDelayMicros: metrics.startDelayMicros,
      alignmentMicros,
      syncMicros: metrics.syncMicros,
      asyncMicros: now - metrics.syncEndedAt,
      processedBytes,
      persistedBytes,
      checkpointedBytes: bytes,
      stateBytes: bytes,
      measured: !isModelled || now > part.modelledDoneAt,
    }
  }

  /** A failed asynchronous part declines; the task lives on. */
  private failAsync(part: AsyncCheckpoint, cause: string): void {
    this.owner.decline(part.checkpointId, 'CHECKPOINT_ASYNC_EXCEPTION', couldNotMaterialize(part.checkpointId, this.owner.taskName, cause))
    this.owner.event({ type: 'CheckpointAbortedAtTask', checkpointId: part.checkpointId, reason: 'CHECKPOINT_ASYNC_EXCEPTION' })
    part.requestId = null
    this.drop(part)
  }

  drop(part: AsyncCheckpoint): void {
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
    this.persistIfReady()
  }

  private reportProgress(): void {
    const part = this.asyncParts.front()
    if (part === undefined) return
    this.latestReport = {
      checkpointId: part.checkpointId,
      phase: 'async',
      since: part.metrics.syncEndedAt,
      writtenBytes: part.writtenBytes,
      totalBytes: part.totalBytes,
    }
  }
}
