/**
 * The longest chain of waits of a checkpoint, from the trigger to the last acknowledgement: each segment ends where the next begins, so that they
 * add up exactly to the duration. Found backwards: what came last, and what it had waited for. Flink has no counterpart; it shows the figures
 * of each subtask alone. Simplified: the time in a channel is split by the modelled link latency, not by the queues that it was spent in.
 */
import type { ChannelId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointRecord, SubtaskCheckpoint } from './checkpoint-view.ts'
import { channelEnds } from './plan.ts'
import type { SubtaskRef } from './plan.ts'
import { inputChannels } from './channel-view.ts'

export type PathSegmentKind =
  /** The coordinator's own work, the command's way, and the task's mailbox. */
  | 'trigger'
  /** Barrier on a link, as modelled. */
  | 'wire'
  /** Barrier behind data: in the sender's output queue, or in the receiver's input queue. */
  | 'queue'
  /** Aligned with timeout: until the snapshot was taken all the same. */
  | 'timeout'
  /** All barriers are there and the task's own has not left: work of operators before the snapshot, such as a sink's flush. */
  | 'pre-barrier'
  | 'sync'
  | 'async'
  | 'acknowledgement'

export interface PathSegment extends SubtaskRef {
  readonly kind: PathSegmentKind
  /** Of `wire` and `queue`. */
  readonly channel: ChannelId | null
  /** Engine time since the trigger. */
  readonly from: EngineTime
  readonly to: EngineTime
  /** Still going on, or cut off by the failure. */
  readonly open: boolean
}

export interface CriticalPath {
  /** In order of time, none empty. */
  readonly segments: readonly PathSegment[]
  /** From the trigger to the last acknowledgement; to now or to the failure where there is none. */
  readonly durationMicros: EngineTime
  readonly isComplete: boolean
}

/** Null where nothing is known of its subtasks. */
export function criticalPath(record: CheckpointRecord, graph: JobGraph | null, now: EngineTime): CriticalPath | null {
  if (record.subtasks.length === 0) return null
  if (record.status === 'COMPLETED') {
    const walk = new Walk(record, graph)
    const last = latest(record.subtasks)
    if (last?.acknowledgedAt == null) return null
    walk.acknowledged(last, last.acknowledgedAt)
    return { segments: walk.segments(), durationMicros: Math.max(0, last.acknowledgedAt - record.triggeredAt), isComplete: true }
  }
  const end = Math.max(record.triggeredAt, record.endedAt ?? now)
  const subtasks = record.subtasks.map((subtask) => asOf(subtask, end))
  const walk = new Walk({ ...record, subtasks }, graph)
  const open = subtasks.filter((subtask) => subtask.acknowledgedAt === null)
  // The last in topological order: what it waits for is found upstream of it.
  const first = open.at(-1) ?? latest(subtasks)
  if (first === undefined) return null
  walk.unfinished(first, end)
  return { segments: walk.segments(), durationMicros: end - record.triggeredAt, isComplete: false }
}

/** Barriers of an aborted checkpoint still arrive behind its end: what it had waited for is seen from there. */
function asOf(subtask: SubtaskCheckpoint, end: EngineTime): SubtaskCheckpoint {
  const until = (at: EngineTime | null): EngineTime | null => (at === null || at > end ? null : at)
  return {
    ...subtask,
    barriers: subtask.barriers.filter(({ at }) => at <= end),
    emittedAt: until(subtask.emittedAt),
    unalignedAt: until(subtask.unalignedAt),
    syncStartedAt: until(subtask.syncStartedAt),
    syncEndedAt: until(subtask.syncEndedAt),
    asyncEndedAt: until(subtask.asyncEndedAt),
    acknowledgedAt: until(subtask.acknowledgedAt),
  }
}

function latest(subtasks: readonly SubtaskCheckpoint[]): SubtaskCheckpoint | undefined {
  let found: SubtaskCheckpoint | undefined
  for (const subtask of subtasks) {
    if (subtask.acknowledgedAt !== null && subtask.acknowledgedAt > (found?.acknowledgedAt ?? -1)) found = subtask
  }
  return found
}

/** Goes back in time. `at` is always the time up to which the chain is known. */
class Walk {
  private readonly record: CheckpointRecord
  private readonly graph: JobGraph | null
  private readonly backwards: PathSegment[] = []

  constructor(record: CheckpointRecord, graph: JobGraph | null) {
    this.record = record
    this.graph = graph
  }

  segments(): PathSegment[] {
    return this.backwards.toReversed()
  }

  acknowledged(subtask: SubtaskCheckpoint, at: EngineTime): void {
    this.written(subtask, this.back('acknowledgement', subtask, subtask.asyncEndedAt, at))
  }

  /** What is under way at a subtask that has not acknowledged. */
  unfinished(subtask: SubtaskCheckpoint, at: EngineTime): void {
    if (subtask.acknowledgedAt !== null || subtask.asyncEndedAt !== null) return this.written(subtask, this.back('acknowledgement', subtask, subtask.asyncEndedAt, at, null, true))
    const missing = this.missingChannel(subtask)
    // Unaligned: the snapshot is taken, and the data that it overtook ends with the last barrier.
    if (missing !== null) return this.awaited(subtask, missing, at)
    if (subtask.syncEndedAt !== null) return this.written(subtask, at, true)
    if (subtask.syncStartedAt !== null) return this.taken(subtask, at, true)
    this.begun(subtask, at, true)
  }

  /** The asynchronous part ended at `at`: it waited for the synchronous part, or for the last barrier of an unaligned checkpoint. */
  private written(subtask: SubtaskCheckpoint, at: EngineTime, open = false): void {
    const last = subtask.barriers.findLast((barrier) => barrier.at <= at)
    const ended = subtask.syncEndedAt
    if (last !== undefined && ended !== null && last.at > ended) {
      return this.arrived(subtask, last.channel, this.back('async', subtask, last.at, at, null, open))
    }
    this.taken(subtask, this.back('async', subtask, ended, at, null, open))
  }

  /** The synchronous part ended at `at`. */
  private taken(subtask: SubtaskCheckpoint, at: EngineTime, open = false): void {
    this.begun(subtask, this.back('sync', subtask, subtask.syncStartedAt, at, null, open))
  }

  /** The task's own barrier left at `at`: it waited for the last barrier of its inputs, or for the command of the JobManager. */
  private begun(subtask: SubtaskCheckpoint, at: EngineTime, open = false): void {
    const last = subtask.barriers.findLast((barrier) => barrier.at <= at)
    if (last === undefined) {
      this.back('trigger', subtask, this.record.triggeredAt, at, null, open)
      return
    }
    const kind = subtask.unalignedAt !== null && subtask.unalignedAt > last.at ? 'timeout' : 'pre-barrier'
    this.arrived(subtask, last.channel, this.back(kind, subtask, last.at, at, null, open))
  }

  /** A barrier came at `at`: the sender had let it go before. */
  private arrived(subtask: SubtaskCheckpoint, channel: ChannelId, at: EngineTime): void {
    const sender = this.senderOf(channel)
    const emittedAt = sender?.emittedAt ?? null
    if (sender === undefined || emittedAt === null || emittedAt > at) {
      this.back('queue', subtask, this.record.triggeredAt, at, channel)
      return
    }
    const link = Math.min(at - emittedAt, this.graph?.settings.linkLatencyMicros ?? 0)
    const received = this.back('queue', subtask, emittedAt + link, at, channel)
    this.begun(sender, this.back('wire', subtask, emittedAt, received, channel))
  }

  /** A barrier that has not come: it is on the channel, or its sender has not let it go. */
  private awaited(subtask: SubtaskCheckpoint, channel: ChannelId, at: EngineTime): void {
    const sender = this.senderOf(channel)
    if (sender === undefined) {
      this.back('queue', subtask, this.record.triggeredAt, at, channel, true)
      return
    }
    if (sender.emittedAt === null || sender.emittedAt > at) return this.unfinished(sender, at)
    const link = Math.min(at - sender.emittedAt, this.graph?.settings.linkLatencyMicros ?? 0)
    const received = this.back('queue', subtask, sender.emittedAt + link, at, channel, true)
    this.begun(sender, this.back('wire', subtask, sender.emittedAt, received, channel, received === at))
  }

  /** The channel whose barrier is missing; of several the one whose sender is furthest behind. */
  private missingChannel(subtask: SubtaskCheckpoint): ChannelId | null {
    if (this.graph === null || subtask.barriers.length >= subtask.expectedBarriers) return null
    const missing = inputChannels(this.graph, subtask.vertex, subtask.subtask).filter((channel) => subtask.barriers.every((barrier) => barrier.channel !== channel))
    const unsent = missing.find((channel) => (this.senderOf(channel)?.emittedAt ?? null) === null)
    return unsent ?? missing[0] ?? null
  }

  private senderOf(channel: ChannelId): SubtaskCheckpoint | undefined {
    const from = channelEnds(this.graph, channel)?.from
    return this.record.subtasks.find((subtask) => subtask.vertex === from?.vertex && subtask.subtask === from.subtask)
  }

  /** Puts the stretch from `from` to `to` before what is known, and returns where it began. A time that is missing, or out of order, is no stretch. */
  private back(kind: PathSegmentKind, at: SubtaskRef, from: EngineTime | null, to: EngineTime, channel: ChannelId | null = null, open = false): EngineTime {
    const { triggeredAt } = this.record
    const begin = Math.max(triggeredAt, from ?? to)
    if (begin >= to) return to
    this.backwards.push({ kind, vertex: at.vertex, subtask: at.subtask, channel, from: begin - triggeredAt, to: to - triggeredAt, open })
    return begin
  }
}
