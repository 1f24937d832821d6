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
  readonly barrier: CheckpointBarrier | null
  readonly arrived: Set<number>
  readonly target: number
  readonly firstAt: EngineTime
  aborted: boolean
}

export class CheckpointBarrierTracker implements BarrierHandler {
  private readonly owner: BarrierHandlerOwner
  private readonly afterTasksFinish: boolean
  private openChannels: number
  /** Oldest first. */
  private tracked: Tracked[] = []
  /** The newest that was ever seen. One that is not newer and not tracked is over, or forgotten. */
  private newest: CheckpointId = -1

  constructor(options: BarrierHandlerOptions) {
    this.owner = options.owner
    this.afterTasksFinish = options.afterTasksFinish
    this.openChannels = options.channels
  }

  processBarrier(channel: number, barrier: CheckpointBarrier, now: EngineTime, triggeredByCommand: boolean): void {
    const id = barrier.checkpointId
    // An aligned barrier has stopped its sender whatever the receiver thinks of it: never let it wait.
    if (!triggeredByCommand && needsAlignment(barrier.options)) this.owner.resumeChannel(id, channel)
    if (id > this.newest && this.openChannels === 1) {
      this.newest = id
      this.owner.barrierArrived(id, channel, 1, 1)
      this.owner.triggerCheckpointOnBarrier(barrier, { startDelayMicros: now - barrier.timestamp, alignmentMicros: 0 })
      return
    }
    const tracked = this.find(id, barrier, now)
    if (tracked === null) return
    tracked.arrived.add(channel)
    this.owner.barrierArrived(id, channel, tracked.arrived.size, tracked.target)
    this.takeIfAllArrived(tracked, now)
  }

  /** Nothing is ever blocked here, so nothing can time out. */
  processAnnouncement(): void {}
  processAlignmentTimeout(): void {}

  /** Ends older ones too: their barriers would have come before. */
  processCancellation(channel: number, checkpointId: CheckpointId, now: EngineTime): void {
    if (checkpointId > this.newest && this.openChannels === 1) {
      this.newest = checkpointId
      this.owner.abortCheckpointOnBarrier(checkpointId, 'CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER')
      return
    }
    const older = this.tracked.filter((other) => other.checkpointId < checkpointId)
    this.tracked = this.tracked.filter((other) => other.checkpointId >= checkpointId)
    for (const other of older) this.abort(other, 'CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER')
    const tracked = this.find(checkpointId, null, now)
    if (tracked === null) return
    this.abort(tracked, 'CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER')
    tracked.arrived.add(channel)
    this.takeIfAllArrived(tracked, now)
  }

  /** Of those that have waited for this channel alone, the newest is taken. */
  processEndOfPartition(channel: number, now: EngineTime): void {
    this.openChannels--
    if (!this.afterTasksFinish) {
      const all = this.tracked
      this.tracked = []
      for (const tracked of all) this.abort(tracked, 'CHECKPOINT_DECLINED_INPUT_END_OF_STREAM')
      return
    }
    for (const tracked of [...this.tracked].reverse()) {
      tracked.arrived.add(channel)
      if (this.takeIfAllArrived(tracked, now)) return
    }
  }

  aligning(): { readonly checkpointId: CheckpointId; readonly since: EngineTime } | null {
    const pending = this.tracked.find((tracked) => !tracked.aborted)
    return pending === undefined ? null : { checkpointId: pending.checkpointId, since: pending.firstAt }
  }

  /** Tracked from now on, if it is new. `barrier` null: it begins with a cancel marker. */
  private find(checkpointId: CheckpointId, barrier: CheckpointBarrier | null, now: EngineTime): Tracked | null {
    const known = this.tracked.find((tracked) => tracked.checkpointId === checkpointId)
    if (known !== undefined) return known
    if (checkpointId <= this.newest) return null
    this.newest = checkpointId
    const tracked: Tracked = { checkpointId, barrier, arrived: new Set(), target: this.openChannels, firstAt: now, aborted: false }
    this.tracked.push(tracked)
    if (this.tracked.length > TRACKED_MAX) this.tracked.shift()
    return tracked
  }

  /** Older ones are dropped with it, without a word: the JobManager subsumes them when this one completes. */
  private takeIfAllArrived(tracked: Tracked, now: EngineTime): boolean {
    const { barrier } = tracked
    if (tracked.arrived.size < tracked.target) return false
    this.tracked = this.tracked.filter((other) => other.checkpointId > tracked.checkpointId)
    if (tracked.aborted || barrier === null) return true
    const startDelayMicros = tracked.firstAt - barrier.timestamp
    this.owner.triggerCheckpointOnBarrier(barrier, { startDelayMicros, alignmentMicros: now - tracked.firstAt })
    return true
  }

  private abort(tracked: Tracked, reason: CheckpointFailureReason): void {
    if (tracked.aborted) return
    tracked.aborted = true
    this.owner.abortCheckpointOnBarrier(tracked.checkpointId, reason)
  }
}
