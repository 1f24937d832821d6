/**
 * Exactly-once: one checkpoint at a time, over all channels of the task; aligned, or alternating between aligned and unaligned. Flink:
 * SingleCheckpointBarrierHandler (behaviour 6.2 to 6.4). The policy is in the states; this class counts and keeps what they share.
 *
 * Differs: a cancel marker for a newer checkpoint also declines the one being aligned (as subsumed) instead of leaving it to the JobManager's
 * time-out; a sender stopped behind an aligned barrier of a checkpoint that has turned unaligned goes on at once, not at the last barrier.
 */
import { must } from '../base/assert.ts'
import { alignmentDeadline, isTimeoutable, needsAlignment } from '../model/alignment.ts'
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import type { BarrierHandler, BarrierHandlerOptions, BarrierHandlerOwner } from './barrier-handler.ts'
import type { BarrierHandlerState, BarrierHandlerStateName, Controller } from './barrier-handler-state.ts'
import { alternatingCollectingBarriersUnaligned } from './states/alternating-collecting-barriers-unaligned.ts'
import { alternatingCollectingBarriers } from './states/alternating-collecting-barriers.ts'
import { alternatingWaitingForFirstBarrierUnaligned } from './states/alternating-waiting-for-first-barrier-unaligned.ts'
import { alternatingWaitingForFirstBarrier } from './states/alternating-waiting-for-first-barrier.ts'
import { collectingBarriers } from './states/collecting-barriers.ts'
import { waitingForFirstBarrier } from './states/waiting-for-first-barrier.ts'

const STATES: Readonly<Record<BarrierHandlerStateName, BarrierHandlerState>> = {
  'waiting-for-first-barrier': waitingForFirstBarrier,
  'collecting-barriers': collectingBarriers,
  'alternating-waiting-for-first-barrier': alternatingWaitingForFirstBarrier,
  'alternating-collecting-barriers': alternatingCollectingBarriers,
  'alternating-waiting-for-first-barrier-unaligned': alternatingWaitingForFirstBarrierUnaligned,
  'alternating-collecting-barriers-unaligned': alternatingCollectingBarriersUnaligned,
}

const NONE = -1

export class SingleCheckpointBarrierHandler implements BarrierHandler, Controller {
  private readonly owner: BarrierHandlerOwner
  private readonly afterTasksFinish: boolean
  private readonly alternating: boolean
  private state: BarrierHandlerStateName
  private current: CheckpointId = NONE
  private lastCancelledOrCompleted: CheckpointId = NONE
  /** As it came first, received or announced. */
  private pending: CheckpointBarrier | null = null
  private openChannels: number
  private targetChannels = 0
  private readonly aligned = new Set<number>()
  private readonly blocked = new Set<number>()
  /** Channels in whose queues a barrier of the pending checkpoint waits behind data. */
  private readonly announced = new Set<number>()
  private alignmentStart: EngineTime = 0
  private startDelay: EngineTime = 0
  private now: EngineTime = 0
  private isTimerSet = false

  constructor(options: BarrierHandlerOptions) {
    this.owner = options.owner
    this.afterTasksFinish = options.afterTasksFinish
    this.alternating = options.kind === 'alternating'
    this.state = this.alternating ? 'alternating-waiting-for-first-barrier' : 'waiting-for-first-barrier'
    this.openChannels = options.channels
  }

  processBarrier(channel: number, barrier: CheckpointBarrier, now: EngineTime, triggeredByCommand: boolean): void {
    this.now = now
    const id = barrier.checkpointId
    const mustBlock = !triggeredByCommand && needsAlignment(barrier.options)
    if (this.isOver(id)) {
      // Too late: the checkpoint is over or given up here; the sender must not wait for it.
      if (mustBlock) this.owner.resumeChannel(id, channel)
      return
    }
    if (id > this.current) this.startCheckpoint(barrier)
    this.align(channel, barrier)
    this.owner.barrierArrived(id, channel, this.aligned.size, this.targetChannels)
    this.transform(STATES[this.state].barrierReceived(this, channel, barrier, mustBlock))
    this.endIfAllReceived()
  }

  processAnnouncement(channel: number, barrier: CheckpointBarrier, now: EngineTime): void {
    this.now = now
    if (!this.alternating || this.isOver(barrier.checkpointId)) return
    if (barrier.checkpointId > this.current) this.startCheckpoint(barrier)
    this.transform(STATES[this.state].announcementReceived(this, channel))
  }

  processAlignmentTimeout(checkpointId: CheckpointId, now: EngineTime): void {
    this.now = now
    if (checkpointId !== this.current || !this.isPending()) return
    this.isTimerSet = false
    this.transform(STATES[this.state].alignmentTimedOut(this, must(this.pending, 'the pending barrier')))
  }

  processCancellation(_channel: number, checkpointId: CheckpointId, now: EngineTime): void {
    this.now = now
    if (this.isOver(checkpointId)) return
    if (checkpointId > this.current && this.isPending()) this.abort(this.current, 'CHECKPOINT_DECLINED_SUBSUMED')
    this.abort(checkpointId, 'CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER')
  }

  processEndOfPartition(channel: number, now: EngineTime): void {
    this.now = now
    this.openChannels--
    if (!this.isPending()) return
    if (!this.afterTasksFinish) {
      this.abort(this.current, 'CHECKPOINT_DECLINED_INPUT_END_OF_STREAM')
      return
    }
    const barrier = must(this.pending, 'the pending barrier')
    this.align(channel, barrier)
    this.transform(STATES[this.state].endOfPartitionReceived(this, channel, barrier))
    this.endIfAllReceived()
  }

  /** An announcement alone does not count: no barrier has been taken. */
  aligning(): { readonly checkpointId: CheckpointId; readonly since: EngineTime } | null {
    return this.isPending() && this.aligned.size > 0 ? { checkpointId: this.current, since: this.alignmentStart } : null
  }

  // ── Controller, for the states

  allBarriersReceived(): boolean {
    return this.aligned.size === this.targetChannels
  }

  isTimedOut(barrier: CheckpointBarrier): boolean {
    return isTimeoutable(barrier.options) && this.now >= alignmentDeadline(barrier)
  }

  next(state: BarrierHandlerStateName): BarrierHandlerState {
    return STATES[state]
  }

  triggerGlobalCheckpoint(barrier: CheckpointBarrier): void {
    this.owner.triggerCheckpointOnBarrier(barrier, { startDelayMicros: this.startDelay, alignmentMicros: this.now - this.alignmentStart })
  }

  triggerUnalignedCheckpoint(barrier: CheckpointBarrier): void {
    this.owner.inputsStarted(barrier)
    this.triggerGlobalCheckpoint(barrier)
  }

  stopInputs(): void {
    this.owner.inputsStopped(this.current, this.now - this.alignmentStart)
  }

  discardInputs(): void {
    this.owner.inputsStopped(this.current, null)
  }

  blockChannel(channel: number): void {
    this.blocked.add(channel)
    this.owner.blockChannel(this.current, channel)
  }

  resumeChannel(channel: number): void {
    this.blocked.delete(channel)
    this.owner.resumeChannel(this.current, channel)
  }

  unblockAllChannels(): void {
    for (const channel of this.blocked) this.owner.resumeChannel(this.current, channel)
    this.blocked.clear()
  }

  seeAnnouncement(channel: number): void {
    this.announced.add(channel)
  }

  forgetAnnouncement(channel: number): void {
    this.announced.delete(channel)
  }

  prioritize(channel: number): void {
    this.owner.convertToPriority(this.current, channel)
  }

  prioritizeAllAnnouncements(): void {
    for (const channel of this.announced) this.prioritize(channel)
    this.announced.clear()
  }

  private isOver(checkpointId: CheckpointId): boolean {
    return checkpointId < this.current || (checkpointId === this.current && !this.isPending())
  }

  private isPending(): boolean {
    return this.current !== this.lastCancelledOrCompleted
  }

  private startCheckpoint(barrier: CheckpointBarrier): void {
    if (this.isPending()) this.abort(this.current, 'CHECKPOINT_DECLINED_SUBSUMED')
    this.current = barrier.checkpointId
    this.pending = barrier
    this.aligned.clear()
    this.announced.clear()
    this.targetChannels = this.openChannels
    // The first barrier *or announcement* starts the clock, which is the age of the checkpoint (BarrierAlignmentUtil).
    if (this.alternating && isTimeoutable(barrier.options)) {
      this.isTimerSet = true
      this.owner.setAlignmentTimer(this.current, Math.max(this.now, alignmentDeadline(barrier)))
    }
  }

  private align(channel: number, barrier: CheckpointBarrier): void {
    if (this.aligned.size === 0) {
      this.alignmentStart = this.now
      this.startDelay = this.now - barrier.timestamp
    }
    this.aligned.add(channel)
  }

  private endIfAllReceived(): void {
    if (!this.isPending() || !this.allBarriersReceived()) return
    this.lastCancelledOrCompleted = this.current
    this.pending = null
    this.announced.clear()
    this.clearTimer()
  }

  private abort(checkpointId: CheckpointId, reason: CheckpointFailureReason): void {
    // Unblock under the id whose barriers blocked.
    this.transform(STATES[this.state].abort(this, checkpointId))
    this.current = Math.max(this.current, checkpointId)
    this.lastCancelledOrCompleted = this.current
    this.pending = null
    this.aligned.clear()
    this.announced.clear()
    this.targetChannels = 0
    this.clearTimer()
    this.owner.abortCheckpointOnBarrier(checkpointId, reason)
  }

  private clearTimer(): void {
    if (!this.isTimerSet) return
    this.isTimerSet = false
    this.owner.setAlignmentTimer(this.current, null)
  }

  private transform(next: BarrierHandlerStateName): void {
    this.state = next
  }
}
