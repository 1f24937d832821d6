/**
 * At-least-once: counts barriers per checkpoint and never blocks a channel; the snapshot is taken at the last barrier, so it holds records
 * from behind the barriers of fast channels. Flink: CheckpointBarrierTracker (behaviour 6.7).
 */
import { needsAlignment } from '../model/alignment.ts'
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import type { BarrierHandler, BarrierHandlerOptions, BarrierHandlerOwner } from './barrier-handler.ts'

/** Beyond so many at once the oldest is forgotten. */
const TRACKED_MAX = 50

interface Tracked {
  readonly checkpointId: CheckpointId
  /** Null: known by a cancel marker only. */
  barrier: CheckpointBarrier | null
  readonly arrived: Set<number>
  readonly target: number
  readonly firstAt: EngineTime
  aborted: boolean
}

export class CheckpointBarrierTracker implements BarrierHandler {
  private readonly owner: BarrierHandlerOwner
  private readonly afterTasksFinish: boolean
  private readonly isSingleChannel: boolean
  private openChannels: number
  /** Oldest first. */
  private tracked: Tracked[] = []
  private latestDone: CheckpointId = -1

  constructor(options: BarrierHandlerOptions) {
    this.owner = options.owner
    this.afterTasksFinish = options.afterTasksFinish
    this.isSingleChannel = options.channels === 1
    this.openChannels = options.channels
  }

  processBarrier(channel: number, barrier: CheckpointBarrier, now: EngineTime, triggeredByCommand: boolean): void {
    const id = barrier.checkpointId
    // An aligned barrier has stopped its sender whatever the receiver thinks of it: never let it wait.
    if (!triggeredByCommand && needsAlignment(barrier.options)) this.owner.resumeChannel(id, channel)
    if (id <= this.latestDone) return
    if (this.isSingleChannel) {
      this.latestDone = id
      this.owner.barrierArrived(id, channel, 1, 1)
      this.owner.triggerCheckpointOnBarrier(barrier, { startDelayMicros: now - barrier.timestamp, alignmentMicros: 0 })
      return
    }
    const tracked = this.track(id, now)
    tracked.barrier ??= barrier
    tracked.arrived.add(channel)
    this.owner.barrierArrived(id, channel, tracked.arrived.size, tracked.target)
    this.completeIfAllArrived(tracked, now)
  }

  /** Nothing is ever blocked here, so nothing can time out. */
  processAnnouncement(): void {}
  processAlignmentTimeout(): void {}

  processCancellation(channel: number, checkpointId: CheckpointId, now: EngineTime): void {
    if (checkpointId <= this.latestDone) return
    if (this.isSingleChannel) {
      this.latestDone = checkpointId
      this.owner.abortCheckpointOnBarrier(checkpointId, 'CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER')
      return
    }
    const tracked = this.track(checkpointId, now)
    tracked.arrived.add(channel)
    this.abort(tracked, 'CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER')
    this.completeIfAllArrived(tracked, now)
  }

  processEndOfPartition(channel: number, now: EngineTime): void {
    this.openChannels--
    for (const tracked of [...this.tracked]) {
      if (this.afterTasksFinish) tracked.arrived.add(channel)
      else this.abort(tracked, 'CHECKPOINT_DECLINED_INPUT_END_OF_STREAM')
      this.completeIfAllArrived(tracked, now)
    }
  }

  aligning(): { readonly checkpointId: CheckpointId; readonly since: EngineTime } | null {
    const pending = this.tracked.find((tracked) => !tracked.aborted)
    return pending === undefined ? null : { checkpointId: pending.checkpointId, since: pending.firstAt }
  }

  private track(checkpointId: CheckpointId, now: EngineTime): Tracked {
    const known = this.tracked.find((tracked) => tracked.checkpointId === checkpointId)
    if (known !== undefined) return known
    const tracked: Tracked = { checkpointId, barrier: null, arrived: new Set(), target: this.openChannels, firstAt: now, aborted: false }
    this.tracked.push(tracked)
    this.tracked.sort((a, b) => a.checkpointId - b.checkpointId)
    if (this.tracked.length > TRACKED_MAX) this.tracked.shift()
    return tracked
  }

  private completeIfAllArrived(tracked: Tracked, now: EngineTime): void {
    if (tracked.checkpointId <= this.latestDone || tracked.arrived.size < tracked.target) return
    this.latestDone = tracked.checkpointId
    const older = this.tracked.filter((other) => other.checkpointId < tracked.checkpointId)
    this.tracked = this.tracked.filter((other) => other.checkpointId > tracked.checkpointId)
    for (const other of older) this.abort(other, 'CHECKPOINT_DECLINED_SUBSUMED')
    if (tracked.aborted || tracked.barrier === null) return
    this.owner.triggerCheckpointOnBarrier(tracked.barrier, {
      startDelayMicros: tracked.firstAt - tracked.barrier.timestamp,
      alignmentMicros: now - tracked.firstAt,
    })
  }

  private abort(tracked: Tracked, reason: CheckpointFailureReason): void {
    if (tracked.aborted) return
    tracked.aborted = true
    this.owner.abortCheckpointOnBarrier(tracked.checkpointId, reason)
  }
}
