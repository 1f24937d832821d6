/** Which channel's barrier is awaited, which channels are blocked because of it, and what stands before and behind each barrier. */
import type { JobGraph } from '../model/job-graph.ts'
import type { EngineTime } from '../model/time.ts'
import type { ChannelId } from '../model/ids.ts'
import { freshChannel, inputChannels } from './channel-view.ts'
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
  /**
   * `not-sent`: the sender itself still waits. `output`: in the sender's queue, `link`: on its way, `input`: in the receiver's queue. `sent`: one of
   * these, nothing has been reported of it yet. `taken`: with the receiver, ahead of all that it has not read.
   */
  readonly place: 'not-sent' | 'sent' | 'output' | 'link' | 'input' | 'taken'
  /** What is read before the barrier is taken. Of one that overtakes: what is on its way before it. Null: not known. */
  readonly ahead: Amount | null
  /** What is in the channel behind it, or was overtaken. Null: not known. */
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

function waitOf(record: CheckpointRecord, subtask: SubtaskCheckpoint, channel: ChannelId, known: ChannelState | undefined, graph: JobGraph): BarrierWait {
  const state = known ?? freshChannel(channel)
  const receiver = { vertex: subtask.vertex, subtask: subtask.subtask }
  const arrival = subtask.barriers.find((barrier) => barrier.channel === channel)
  const { input, output, barrier } = state
  const link = minus(sentOf(state), state.received)
  if (arrival !== undefined) {
    const isBlocked = state.state === 'blocked'
    return { channel, receiver, state: isBlocked ? 'blocked' : 'arrived', since: arrival.at, place: 'taken', ahead: NOTHING, behind: plus(input, link, output) }
  }
  const sent = sentAt(record, channel, graph)
  const wait = { channel, receiver, state: 'awaited', since: subtask.startedAt ?? sent ?? record.triggeredAt } as const
  if (barrier?.checkpointId === record.id) {
    const ahead = { buffers: barrier.buffersAhead, records: barrier.recordsAhead }
    return { ...wait, place: 'input', ahead, behind: plus(minus(input, ahead), link, output) }
  }
  if (sent === null) return { ...wait, place: 'not-sent', ahead: null, behind: null }
  const position = state.barriers.find(({ checkpointId }) => checkpointId === record.id)
  if (position === undefined) return { ...wait, place: 'sent', ahead: null, behind: null }
  const before = { buffers: position.buffersBefore, records: position.recordsBefore }
  const underWay = minus(before, state.received)
  const behind = minus(plus(sentOf(state), output), before)
  const place = position.hasLeft ? 'link' : 'output'
  return position.overtakes ? { ...wait, place, ahead: underWay, behind: plus(input, behind) } : { ...wait, place, ahead: plus(input, underWay), behind }
}

const NOTHING: Amount = { buffers: 0, records: 0 }

const sentOf = ({ sentBuffers, sentRecords }: ChannelState): Amount => ({ buffers: sentBuffers, records: sentRecords })

const plus = (...amounts: readonly Amount[]): Amount =>
  amounts.reduce((sum, { buffers, records }) => ({ buffers: sum.buffers + buffers, records: sum.records + records }), NOTHING)

/** Sender and receiver report at different moments: what the one does not know of yet is not less than nothing. */
const minus = (from: Amount, amount: Amount): Amount => ({ buffers: Math.max(0, from.buffers - amount.buffers), records: Math.max(0, from.records - amount.records) })

function sentAt(record: CheckpointRecord, channel: ChannelId, graph: JobGraph): EngineTime | null {
  const from = channelEnds(graph, channel)?.from
  return record.subtasks.find((subtask) => subtask.vertex === from?.vertex && subtask.subtask === from.subtask)?.emittedAt ?? null
}
