/**
 * The snapshot procedure of one task, step by step, and what follows a completed or aborted checkpoint. Flink:
 * SubtaskCheckpointCoordinatorImpl (behaviour 7.1, 7.3). The barrier leaves before any state is captured, so that downstream starts
 * aligning while this task snapshots.
 *
 * A step may have to wait for the outside world (an operator that pre-commits): the procedure then stops where it is and `advance` goes on.
 */
import { assert, must } from '../base/assert.ts'
import type { Prng } from '../base/prng.ts'
import { alignmentDeadline, isUnaligned, needsChannelState, withUnalignedSupported } from '../model/alignment.ts'
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { TaskSettings } from '../model/deployment.ts'
import type { FailureInfo } from '../model/execution.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { InFlightChannel } from '../network/in-flight-buffer.ts'
import type { TaskCheckpointReport } from '../model/report.ts'
import type { StorageReply } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import { AsyncCheckpoint } from './async-checkpoint.ts'
import { AsyncCheckpointQueue } from './async-checkpoint-queue.ts'
import { ChannelState } from './channel-state.ts'
import type { InputsEnd } from './channel-state.ts'
import { couldNotPerform, declinedTrigger } from './checkpoint-words.ts'
import type { SnapshotParticipant } from './snapshot-participants.ts'
import type { SubtaskCheckpointOwner } from './subtask-checkpoint-owner.ts'
import { beginSyncPart, capture, syncCostOf } from './sync-part.ts'
import type { SyncPart, SyncPartStart } from './sync-part.ts'

/** One for each checkpoint, its id behind. */
export const OUTPUT_ALIGNMENT_TIMER = 'output-alignment:'
/** As in Flink: aborted checkpoints whose barriers have not come; beyond so many the oldest is forgotten. */
const ABORTED_REMEMBERED_MAX = 10_000

export class SubtaskCheckpointCoordinator {
  private readonly owner: SubtaskCheckpointOwner
  private readonly settings: TaskSettings
  private readonly participants: readonly SnapshotParticipant[]
  private lastCheckpointId: CheckpointId = -1
  private latestCompleted: CheckpointId
  private readonly abortedIds = new Set<CheckpointId>()
  private sync: SyncPart | null = null
  /** Whose input side is being kept. */
  private openInputs: ChannelState | null = null
  private readonly asyncParts: AsyncCheckpointQueue

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
    this.asyncParts = new AsyncCheckpointQueue(owner, settings, names)
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
    return this.asyncParts.hasBackgroundWork
  }

  /** Step 6 in slices. True while there is more to walk. */
  background(budget: number): boolean {
    return this.asyncParts.background(budget)
  }

  /** True if the reply was for a snapshot. */
  onStorageReply(reply: StorageReply): boolean {
    return this.asyncParts.onStorageReply(reply)
  }

  /** The modelled storage is done. */
  onStorageTimer(): void {
    this.asyncParts.onStorageTimer()
  }

  /** Steps 0 to 5 as far as they go without waiting. An exception of an operator fails the task. */
  checkpointState(received: CheckpointBarrier, start: SyncPartStart): void {
    assert(this.sync === null, 'one synchronous part at a time')
    // A barrier that was forced to align on its edge may overtake again behind this task (behaviour 6.6).
    const barrier = withUnalignedSupported(received)
    // Step 0: out of order, or aborted already.
    if (barrier.checkpointId <= this.lastCheckpointId) {
      this.discardInputs(barrier.checkpointId)
      return
    }
    this.lastCheckpointId = barrier.checkpointId
    if (this.abortedIds.delete(barrier.checkpointId)) {
      this.discardInputs(barrier.checkpointId)
      this.owner.broadcastCancelMarker(barrier.checkpointId)
      this.owner.event({ type: 'CheckpointAbortedAtTask', checkpointId: barrier.checkpointId, reason: 'CHECKPOINT_DECLINED' })
      this.forgetOldAborts()
      return
    }
    this.forgetOldAborts()
    this.sync = beginSyncPart(barrier, start, this.channelStateOf(barrier))
    this.advance()
  }

  /** Unaligned, just before `checkpointState`: the inputs are being kept from now on. */
  startInputs(checkpointId: CheckpointId): void {
    this.openInputs = new ChannelState(checkpointId, false)
  }

  /** Every barrier is there. */
  finishInputs(checkpointId: CheckpointId, inputs: readonly InFlightChannel[], end: InputsEnd): void {
    const state = this.openInputs
    if (state === null || state.checkpointId !== checkpointId) return
    this.openInputs = null
    state.keepInputs(inputs, end)
    this.asyncParts.persistIfReady()
  }

  /** A barrier that is still stuck in an output goes ahead of the data there (behaviour 6.4). */
  timeOutOutputs(checkpointId: CheckpointId): void {
    const state = this.asyncParts.find(checkpointId)?.channelState ?? null
    if (state === null || state.areOutputsDone) return
    state.keepOutputs(this.owner.timeOutOutputs(checkpointId))
    state.areOutputsDone = true
    this.asyncParts.persistIfReady()
  }

  /** Goes on with a synchronous part that had to wait; call it when an operator got its answer, or the cost is over. */
  advance(): void {
    this.checkOutputs()
    const sync = this.sync
    if (sync === null || this.owner.isFailing || this.owner.isBlocked) return
    if (sync.phase === 'pre-barrier' && !this.prepareOperators(sync)) return
    if (sync.phase === 'capture' && !this.captureOperators(sync)) return
    if (this.owner.now < sync.endsAt) return
    this.endSyncPart(sync)
  }

  /** A barrier handler gave a checkpoint up: decline, and tell downstream. */
  abortCheckpointOnBarrier(checkpointId: CheckpointId, reason: CheckpointFailureReason, message: string): void {
    this.lastCheckpointId = Math.max(this.lastCheckpointId, checkpointId)
    this.forgetOldAborts()
    this.discardInputs(checkpointId)
    const part = this.asyncParts.find(checkpointId)
    if (part !== undefined) this.asyncParts.drop(part)
    this.owner.decline(checkpointId, reason, message)
    this.owner.event({ type: 'CheckpointAbortedAtTask', checkpointId, reason })
    this.owner.broadcastCancelMarker(checkpointId)
  }

  /** From the JobManager. What has not begun is answered with a cancel marker when its barriers come; what runs is dropped. */
  notifyCheckpointAborted(checkpointId: CheckpointId): void {
    if (checkpointId > this.lastCheckpointId) {
      this.abortedIds.add(checkpointId)
      const [oldest] = this.abortedIds
      if (oldest !== undefined && this.abortedIds.size > ABORTED_REMEMBERED_MAX) this.abortedIds.delete(oldest)
      return
    }
    if (this.sync?.barrier.checkpointId === checkpointId) {
      // The barrier has left; the part ends in its own time, and its result is dropped.
      this.abortedIds.add(checkpointId)
      return
    }
    this.discardInputs(checkpointId)
    const part = this.asyncParts.find(checkpointId)
    if (part !== undefined) this.asyncParts.drop(part)
  }

  /** False: known already (the restored checkpoint counts), so operators must not hear of it again. */
  notifyCheckpointComplete(checkpointId: CheckpointId): boolean {
    if (checkpointId <= this.latestCompleted) return false
    this.latestCompleted = checkpointId
    return true
  }

  /** The JobManager has given it up before its barriers came. */
  isAborted(checkpointId: CheckpointId): boolean {
    return this.abortedIds.has(checkpointId)
  }

  /**
   * The task is about to fail. In the synchronous part it is the checkpoint that could not be performed, and a trigger that led to it is answered first.
   * Flink: StreamTask.triggerCheckpointOnBarrier, Task.triggerCheckpointBarrier.
   */
  taskFails(failure: FailureInfo): FailureInfo {
    const { owner, sync } = this
    if (sync === null) return failure
    const { checkpointId } = sync.barrier
    if (sync.isTriggered) owner.decline(checkpointId, 'TASK_FAILURE', declinedTrigger(owner.taskName, 'TASK_FAILURE'))
    return { ...failure, message: couldNotPerform(checkpointId, owner.taskName, sync.phase === 'capture', failure.message) }
  }

  /** The task ends: nothing is acknowledged any more. */
  close(): void {
    this.sync = null
    this.openInputs = null
    this.asyncParts.close()
  }

  report(): TaskCheckpointReport | null {
    return this.asyncParts.latestReport
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
      if (operator.isWaiting() || this.owner.isFailing || this.owner.isBlocked) return false
      sync.index++
      sync.isCalled = false
    }
    this.broadcastBarrier(sync)
    sync.phase = 'capture'
    sync.index = this.participants.length - 1
    sync.startedAt = this.owner.now
    this.owner.event({ type: 'SyncSnapshotStarted', checkpointId })
    this.asyncParts.latestReport = { checkpointId, phase: 'sync', since: this.owner.now, writtenBytes: 0, totalBytes: 0 }
    return true
  }

  /** Steps 2 to 4. */
  private broadcastBarrier({ barrier, channelState }: SyncPart): void {
    const overtaken = this.owner.broadcastBarrier(barrier)
    if (channelState === null) return
    const { checkpointId, options } = barrier
    channelState.keepOutputs(overtaken)
    channelState.areOutputsDone = isUnaligned(options) || !this.owner.hasTimeoutableOutput(checkpointId)
    if (!channelState.areOutputsDone) {
      const at = Math.max(this.owner.now, alignmentDeadline(barrier))
      this.owner.setTimer(`${OUTPUT_ALIGNMENT_TIMER}${checkpointId}`, at)
    }
  }

  /** An aligned barrier that has left in time has overtaken nothing. */
  private checkOutputs(): void {
    const part = this.asyncParts.awaitsOutputs
    if (part === null || this.owner.hasTimeoutableOutput(part.checkpointId)) return
    must(part.channelState, 'channel state').areOutputsDone = true
    this.asyncParts.persistIfReady()
  }

  private channelStateOf({ checkpointId, options }: CheckpointBarrier): ChannelState | null {
    if (this.openInputs?.checkpointId === checkpointId) return this.openInputs
    return needsChannelState(options) ? new ChannelState(checkpointId, true) : null
  }

  private discardInputs(checkpointId: CheckpointId): void {
    if (this.openInputs?.checkpointId !== checkpointId) return
    this.openInputs = null
    this.owner.discardInputs()
  }

  /** Step 5, tail to head. False: an operator waits. */
  private captureOperators(sync: SyncPart): boolean {
    while (sync.index >= 0) {
      const participant = this.participants[sync.index] as SnapshotParticipant
      if (!sync.isCalled) {
        sync.isCalled = true
        participant.operator.snapshotState(sync.barrier.checkpointId)
      }
      if (participant.operator.isWaiting() || this.owner.isFailing) return false
      capture(participant, sync)
      sync.index--
      sync.isCalled = false
    }
    sync.phase = 'cost'
    sync.endsAt = this.owner.now + syncCostOf(this.settings, sync.barrier.checkpointId)
    return true
  }

  private endSyncPart(sync: SyncPart): void {
    const { now } = this.owner
    const { checkpointId, options } = sync.barrier
    this.sync = null
    this.owner.event({ type: 'SyncSnapshotEnded', checkpointId, parts: sync.parts })
    if (options.type === 'SYNC_SAVEPOINT') this.owner.event({ type: 'SynchronousSavepointAwaited', checkpointId })
    const part = new AsyncCheckpoint(
      checkpointId,
      options,
      { ...sync.alignment, syncMicros: now - sync.startedAt, syncEndedAt: now, processedBytes: sync.processedBytes },
      {
        head: must(this.participants[0], 'head of the chain').operatorId,
        tail: must(this.participants.at(-1), 'tail of the chain').operatorId,
        subtask: this.owner.subtask,
        operators: sync.captured,
        channelState: sync.channelState,
      },
    )
    if (this.abortedIds.delete(checkpointId)) {
      part.release()
      this.discardInputs(checkpointId)
      return
    }
    this.asyncParts.add(part)
  }

  private forgetOldAborts(): void {
    for (const id of this.abortedIds) if (id < this.lastCheckpointId) this.abortedIds.delete(id)
  }
}
