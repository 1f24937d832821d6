/**
 * Completes what is fully acknowledged. Flink: CheckpointCoordinator.completePendingCheckpoint, PendingCheckpoint.finalizeCheckpoint
 * (behaviour 3.2). `_metadata`, the pointer of the high-availability store and the counter are written in one strict transaction, one
 * checkpoint at a time, so that the pointer is written in order.
 */
import { isAddressable } from './checkpoint-directory.ts'
import { metadataPath } from './completed-checkpoint.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'
import type { CoordinatorParts } from './coordinator-parts.ts'
import { partlyFinishedUnionOperator } from './finished-tasks.ts'
import { operatorStatesOf, privateFilesOf } from './operator-states.ts'
import { EXPIRY_TIMER, abortCause } from './pending-checkpoints.ts'
import type { CheckpointTrigger } from './checkpoint-trigger.ts'
import type { PendingCheckpoints } from './pending-checkpoints.ts'
import type { PendingCheckpoint } from './pending-checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import type { FileWrite, StorageResult } from '../model/storage.ts'

interface Finalizing {
  readonly pending: PendingCheckpoint
  readonly completed: CompletedCheckpoint
}

export class CheckpointFinalizer {
  /** -Infinity: none has completed yet. Moved by savepoints too (behaviour 2.2). */
  lastCompletion: EngineTime = -Infinity
  private readonly parts: CoordinatorParts
  private readonly pendings: PendingCheckpoints
  private readonly triggers: CheckpointTrigger
  private current: Finalizing | null = null
  /** Claimed savepoints that have left the store, and of which something is still used. */
  private subsumed: readonly CompletedCheckpoint[] = []

  constructor(parts: CoordinatorParts, pendings: PendingCheckpoints, triggers: CheckpointTrigger) {
    this.parts = parts
    this.pendings = pendings
    this.triggers = triggers
  }

  /** Its completion is being written. */
  get finalizing(): PendingCheckpoint | null {
    return this.current?.pending ?? null
  }

  /** The answer of storage will mean nothing any more. */
  forget(): void {
    this.current = null
  }

  /** Begins with the oldest fully acknowledged one, if none is under way. */
  next(nextCheckpointId: CheckpointId): void {
    while (this.current === null) {
      const pending = this.pendings.all.find((candidate) => candidate.phase === 'ACKNOWLEDGING' && candidate.isFullyAcknowledged)
      if (pending === undefined) return
      const closing = partlyFinishedUnionOperator(this.parts.graph, pending)
      if (closing === null) this.begin(pending, nextCheckpointId)
      else this.pendings.abort(pending, abortCause('CHECKPOINT_DECLINED_TASK_CLOSING', closing))
    }
  }

  onFinalised(result: StorageResult): void {
    const finalizing = this.current
    if (finalizing === null) return
    this.current = null
    if (result.ok) this.complete(finalizing.pending, finalizing.completed)
    else this.fail(finalizing, result)
  }

  /** Next to the state; or, where the checkpoint has no directory, into the high-availability store, if there is one. */
  private metadataWrites({ id, location }: PendingCheckpoint, bytes: Uint8Array): readonly FileWrite[] {
    if (isAddressable(location)) return [{ path: metadataPath(location), bytes, createNew: true }]
    const path = this.parts.port.haSnapshotPath(id)
    return path === null ? [] : [{ path, bytes, createNew: false }]
  }

  private begin(pending: PendingCheckpoint, nextCheckpointId: CheckpointId): void {
    const { graph, port, metadata, store } = this.parts
    pending.phase = 'FINALIZING'
    port.clearTimer(`${EXPIRY_TIMER}${pending.id}`)
    const operatorStates = operatorStatesOf(graph, pending)
    const completed: CompletedCheckpoint = { checkpointId: pending.id, location: pending.location, operatorStates }
    this.current = { pending, completed }
    const { savepoint, forced, format, drain } = pending.request
    const kind = { type: pending.type, retention: graph.settings.checkpointing.retention, forced, format, drain }
    const bytes = metadata.encode({ checkpointId: pending.id, operatorStates }, kind)
    const pointer = savepoint ? [] : port.haCheckpoints(store.preview(completed).retained)
    const writes = [...this.metadataWrites(pending, bytes), ...pointer, ...port.haCounter(nextCheckpointId)]
    port.storage({ type: 'transact', writes, deletes: [], durability: 'strict' }, { kind: 'finalised', checkpointId: pending.id })
  }

  /** A savepoint goes into no store, subsumes nothing, and commits only if it stops the job. */
  private complete(pending: PendingCheckpoint, completed: CompletedCheckpoint): void {
    const { port, statistics, store, failures } = this.parts
    const { id, request } = pending
    const subsumed = request.savepoint ? [] : store.add(completed)
    if (!request.savepoint) this.triggers.forceFull(false)
    const totals = statistics.completedCheckpoint(id, pending.location)
    this.pendings.end(pending, { status: 'COMPLETED', checkpointId: id, location: pending.location })
    port.event({
      type: 'CheckpointCompleted', checkpointId: id, externalPath: pending.location,
      checkpointedBytes: totals.checkpointedBytes, stateBytes: totals.stateBytes,
      durationMicros: (pending.latestAckAt ?? port.now) - pending.triggeredAt,
      ...(request.savepoint ? { savepoint: true } : {}),
      ...(request.synchronous ? { stops: true } : {}),
    })
    this.lastCompletion = port.now
    failures.succeeded(id)
    if (!request.savepoint) this.subsumeOlder(id)
    this.discardSubsumed(subsumed, id)
    this.parts.cleaner.sweepLingering()
    if (!request.savepoint || request.synchronous) this.notify(pending, subsumed.at(-1))
  }

  private subsumeOlder(id: CheckpointId): void {
    for (const older of this.pendings.all) {
      if (older.id < id && !older.request.savepoint) this.pendings.abort(older, abortCause('CHECKPOINT_SUBSUMED'))
    }
  }

  /** A claimed savepoint of which newer checkpoints still use files waits until they do not. */
  private discardSubsumed(subsumed: readonly CompletedCheckpoint[], by: CheckpointId): void {
    const { port, statistics, cleaner, registry, store, memory } = this.parts
    for (const old of subsumed) {
      port.event({ type: 'CheckpointSubsumed', checkpointId: old.checkpointId, by })
      statistics.discarded(old.checkpointId)
    }
    const { files, creatorsInUse } = registry.unregisterUnused(store.lowestId)
    const gone = [...this.subsumed, ...subsumed]
    cleaner.deleteFiles(by, files)
    this.subsumed = gone.filter(({ checkpointId }) => creatorsInUse.has(checkpointId))
    for (const old of gone) {
      if (!this.subsumed.includes(old)) cleaner.discard(old, port.haSnapshotPath(old.checkpointId))
    }
    memory.update(store.all)
  }

  /** With the last one that was subsumed, unless its files are not the job's. Flink: extractIdIfDiscardedOnSubsumed. */
  private notify({ id, plan }: PendingCheckpoint, lastSubsumed: CompletedCheckpoint | undefined): void {
    const { port } = this.parts
    const isDiscarded = lastSubsumed !== undefined && lastSubsumed.isUnclaimed !== true
    const command = { type: 'notify-checkpoint-complete', checkpointId: id, ...(isDiscarded ? { lastSubsumed: lastSubsumed.checkpointId } : {}) } as const
    for (const task of plan.commitTo) port.send(task, command)
    for (const coordinator of port.operatorCoordinators()) coordinator.notifyCheckpointComplete(id)
  }

  /**
   * The transaction may have been carried out although it was answered with a failure (a deadline): the pointer file is written back before
   * the files go.
   */
  private fail({ pending, completed }: Finalizing, { reason, message }: StorageResult & { readonly ok: false }): void {
    const { port, store } = this.parts
    const isForeign = reason === 'ALREADY_EXISTS'
    const detail = isForeign ? `${message}: another job, or an earlier run of this one, keeps its checkpoints there.` : message
    this.pendings.dispose(pending, abortCause('FINALIZE_CHECKPOINT_FAILURE', detail))
    const writes = port.haCheckpoints(store.all)
    const stored = isAddressable(pending.location) ? null : port.haSnapshotPath(pending.id)
    // In a directory that is not this checkpoint's alone, only what its own tasks wrote.
    const files = isForeign ? privateFilesOf(completed) : null
    const step = { kind: 'pointer-restored', checkpointId: pending.id, location: pending.location, files } as const
    port.storage({ type: 'transact', writes, deletes: stored === null ? [] : [stored], durability: 'strict' }, step)
  }
}
