/**
 * Exactly-once alignment: one checkpoint at a time, over all channels of the task. Flink: SingleCheckpointBarrierHandler.aligned (behaviour
 * 6.2). The policy is in the states; this class counts and keeps what they share.
 *
 * Simplified: aligned only. Differs: a cancel marker for a newer checkpoint also declines the one being aligned (as subsumed) instead of
 * leaving it to the JobManager's time-out.
 */
import { must } from '../base/assert.ts'
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import type { BarrierHandler, BarrierHandlerOptions, BarrierHandlerOwner } from './barrier-handler.ts'
import type { BarrierHandlerState, BarrierHandlerStateName, Controller } from './barrier-handler-state.ts'
import { collectingBarriers } from './states/collecting-barriers.ts'
import { waitingForFirstBarrier } from './states/waiting-for-first-barrier.ts'

const STATES: Readonly<Record<BarrierHandlerStateName, BarrierHandlerState>> = {
  'waiting-for-first-barrier': waitingForFirstBarrier,
  'collecting-barriers': collectingBarriers,
}

const NONE = -1

export class SingleCheckpointBarrierHandler implements BarrierHandler, Controller {
  private readonly owner: BarrierHandlerOwner
  private readonly afterTasksFinish: boolean
  private state: BarrierHandlerStateName = 'waiting-for-first-barrier'
  private current: CheckpointId = NONE
  private lastCancelledOrCompleted: CheckpointId = NONE
  private pending: CheckpointBarrier | null = null
  private openChannels: number
  private targetChannels = 0
  private readonly aligned = new Set<number>()
  private readonly blocked = new Set<number>()
  private alignmentStart: EngineTime = 0
  private startDelay: EngineTime = 0
  private now: EngineTime = 0

  constructor(options: BarrierHandlerOptions) {
    this.owner = options.owner
    this.afterTasksFinish = options.afterTasksFinish
    this.openChannels = options.channels
  }

  processBarrier(channel: number, barrier: CheckpointBarrier, now: EngineTime, triggeredByCommand: boolean): void {
    this.now = now
    const id = barrier.checkpointId
    if (id < this.current || (id === this.current && !this.isPending())) {
      // Too late: the checkpoint is over or given up here; the sender must not wait for it.
      if (!triggeredByCommand) this.owner.resumeChannel(id, channel)
      return
    }
    if (id > this.current) this.startCheckpoint(barrier)
    this.align(channel)
    this.owner.barrierArrived(id, channel, this.aligned.size, this.targetChannels)
    this.transform(STATES[this.state].barrierReceived(this, channel, !triggeredByCommand))
  }

  processCancellation(_channel: number, checkpointId: CheckpointId, now: EngineTime): void {
    this.now = now
    if (checkpointId < this.current || (checkpointId === this.current && !this.isPending())) return
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
    this.align(channel)
    this.transform(STATES[this.state].endOfPartitionReceived(this))
  }

  aligning(): { readonly checkpointId: CheckpointId; readonly since: EngineTime } | null {
    return this.isPending() ? { checkpointId: this.current, since: this.alignmentStart } : null
  }

  // ── Controller, for the states

  allBarriersReceived(): boolean {
    return this.aligned.size === this.targetChannels
  }

  triggerGlobalCheckpoint(): void {
    const barrier = must(this.pending, 'the pending barrier')
    this.lastCancelledOrCompleted = this.current
    this.pending = null
    this.owner.triggerCheckpointOnBarrier(barrier, {
      startDelayMicros: this.startDelay,
      alignmentMicros: this.now - this.alignmentStart,
    })
  }

  blockChannel(channel: number): void {
    this.blocked.add(channel)
    this.owner.blockChannel(this.current, channel)
  }

  unblockAllChannels(): void {
    for (const channel of this.blocked) this.owner.resumeChannel(this.current, channel)
    this.blocked.clear()
  }

  private isPending(): boolean {
    return this.current !== this.lastCancelledOrCompleted
  }

  private startCheckpoint(barrier: CheckpointBarrier): void {
    if (this.isPending()) this.abort(this.current, 'CHECKPOINT_DECLINED_SUBSUMED')
    this.current = barrier.checkpointId
    this.pending = barrier
    this.aligned.clear()
    this.targetChannels = this.openChannels
    this.alignmentStart = this.now
    this.startDelay = this.now - barrier.timestamp
  }

  private align(channel: number): void {
    this.aligned.add(channel)
  }

  private abort(checkpointId: CheckpointId, reason: CheckpointFailureReason): void {
    // Unblock under the id whose barriers blocked.
    this.transform(STATES[this.state].abort(this, checkpointId))
    this.current = Math.max(this.current, checkpointId)
    this.lastCancelledOrCompleted = this.current
    this.pending = null
    this.aligned.clear()
    this.targetChannels = 0
    this.owner.abortCheckpointOnBarrier(checkpointId, reason)
  }

  private transform(next: BarrierHandlerStateName): void {
    this.state = next
  }
}
