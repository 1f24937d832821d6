/** Which channel's barrier is awaited, which channels are blocked because of it, and what stands before and behind each barrier. */
import type { JobGraph } from '../model/job-graph.ts'
import type { EngineTime } from '../model/time.ts'
import type { ChannelId } from '../model/ids.ts'
import { inputChannels } from './channel-view.ts'
import type { ChannelState, ChannelView } from './channel-view.ts'
import type { CheckpointRecord, SubtaskCheckpoint } from './checkpoint-view.ts'
import { channelEnds } from './plan.ts'
import type { SubtaskRef } from './plan.ts'

interface Amount {
  readonly buffers: number
  readonly records: number
}

export interface BarrierWait {
  readonly channel: ChannelId
  readonly receiver: SubtaskRef
  /** `arrived`: under at-least-once or unaligned the channel stays open behind its barrier. */
  readonly state: 'awaited' | 'blocked' | 'arrived'
  readonly since: EngineTime
  /** `not-sent`: the sender itself still waits. `output`: behind data at the sender, or on the link. `input`: seen in the input queue. */
  readonly place: 'not-sent' | 'output' | 'input' | 'taken'
  /** Null: not known, because the sender has not let the barrier go. */
  readonly ahead: Amount | null
  readonly behind: Amount | null
}

export interface SubtaskWaits extends SubtaskRef {
  readonly awaited: readonly BarrierWait[]
  /** Those whose barrier is there: blocked because of the awaited ones, where the mode blocks. */
  readonly arrived: readonly BarrierWait[]
}

/** The subtasks of a running checkpoint that have some barriers and not all, in topological order. Queues are as of the last reports. */
export function barrierWaits(record: CheckpointRecord, channels: ChannelView, graph: JobGraph): SubtaskWaits[] {
  if (record.status !== 'IN_PROGRESS') return []
  return record.subtasks
    .filter((subtask) => subtask.expectedBarriers > subtask.barriers.length && subtask.acknowledgedAt === null && anySent(record, subtask, graph))
    .map((subtask) => {
      const waits = inputChannels(graph, subtask.vertex, subtask.subtask).map((channel) => waitOf(record, subtask, channel, channels[channel], graph))
      return {
        vertex: subtask.vertex,
        subtask: subtask.subtask,
        awaited: waits.filter((wait) => wait.state === 'awaited'),
        arrived: waits.filter((wait) => wait.state !== 'awaited'),
      }
    })
}

function anySent(record: CheckpointRecord, subtask: SubtaskCheckpoint, graph: JobGraph): boolean {
  return subtask.barriers.length > 0 || inputChannels(graph, subtask.vertex, subtask.subtask).some((channel) => sentAt(record, channel, graph) !== null)
}

function waitOf(record: CheckpointRecord, subtask: SubtaskCheckpoint, channel: ChannelId, state: ChannelState | undefined, graph: JobGraph): BarrierWait {
  const receiver = { vertex: subtask.vertex, subtask: subtask.subtask }
  const arrival = subtask.barriers.find((barrier) => barrier.channel === channel)
  const input = state?.input ?? { buffers: 0, records: 0 }
  const output = state?.output ?? { buffers: 0, records: 0 }
  if (arrival !== undefined) {
    const behind = { buffers: input.buffers + output.buffers, records: input.records + output.records }
    return { channel, receiver, state: state?.state === 'blocked' ? 'blocked' : 'arrived', since: arrival.at, place: 'taken', ahead: { buffers: 0, records: 0 }, behind }
  }
  const sent = sentAt(record, channel, graph)
  const since = subtask.startedAt ?? sent ?? record.triggeredAt
  const wait = { channel, receiver, state: 'awaited', since } as const
  const barrier = state?.barrier ?? null
  if (barrier !== null && barrier.checkpointId === record.id) {
    const ahead = { buffers: barrier.buffersAhead, records: barrier.recordsAhead }
    const behind = { buffers: Math.max(0, input.buffers - ahead.buffers) + output.buffers, records: Math.max(0, input.records - ahead.records) + output.records }
    return { ...wait, place: 'input', ahead, behind }
  }
  if (sent === null) return { ...wait, place: 'not-sent', ahead: null, behind: null }
  return { ...wait, place: 'output', ahead: { buffers: input.buffers + output.buffers, records: input.records + output.records }, behind: null }
}

function sentAt(record: CheckpointRecord, channel: ChannelId, graph: JobGraph): EngineTime | null {
  const from = channelEnds(graph, channel)?.from
  return record.subtasks.find((subtask) => subtask.vertex === from?.vertex && subtask.subtask === from.subtask)?.emittedAt ?? null
}
