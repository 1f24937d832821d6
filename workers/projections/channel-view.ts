/** Channels: open, blocked or awaited, and what stands in their queues. Events give the state, reports the figures. */
import type { EngineEvent, EventBody } from '../model/events.ts'
import type { ExecutionState } from '../model/execution.ts'
import type { ChannelId, CheckpointId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { BarrierPosition, TaskReport } from '../model/report.ts'
import type { EngineTime } from '../model/time.ts'
import { channelEnds, findVertex } from './plan.ts'
import type { SubtaskRef } from './plan.ts'

export interface ChannelState {
  readonly channel: ChannelId
  /** `awaited`: its barrier is the one that others wait for. */
  readonly state: 'open' | 'blocked' | 'awaited'
  readonly checkpointId: CheckpointId | null
  readonly since: EngineTime
  /** Its barrier of the current alignment came at. */
  readonly arrivedAt: EngineTime | null
  readonly input: { readonly buffers: number; readonly records: number; readonly bytes: number }
  /** A barrier that stands in the input queue, and what is before it. */
  readonly barrier: { readonly checkpointId: CheckpointId; readonly buffersAhead: number; readonly recordsAhead: number } | null
  readonly output: { readonly buffers: number; readonly records: number; readonly bytes: number; readonly credits: number }
  /** Records that the sender holds because the receiver has not finished aligning. */
  readonly held: { readonly buffers: number; readonly records: number; readonly bytes: number } | null
  readonly sentRecords: number
  readonly sentBuffers: number
  /** Of what was sent. */
  readonly received: { readonly buffers: number; readonly records: number }
  /** As the sender knows them. */
  readonly barriers: readonly BarrierPosition[]
  /** Per second of engine time, over the last full window. */
  readonly rate: number | null
  /** Where the window began. */
  readonly window: { readonly at: EngineTime; readonly sentRecords: number } | null
}

export type ChannelView = Readonly<Record<string, ChannelState>>

export const EMPTY_CHANNEL_VIEW: ChannelView = {}

const OPEN = { state: 'open', checkpointId: null, arrivedAt: null } as const

export function freshChannel(channel: ChannelId): ChannelState {
  return {
    channel,
    ...OPEN,
    since: 0,
    input: { buffers: 0, records: 0, bytes: 0 },
    barrier: null,
    output: { buffers: 0, records: 0, bytes: 0, credits: 0 },
    held: null,
    sentRecords: 0,
    sentBuffers: 0,
    received: { buffers: 0, records: 0 },
    barriers: [],
    rate: null,
    window: null,
  }
}

/** The ids of all channels into one subtask, in order of its inputs. */
export function inputChannels(graph: JobGraph, vertex: string, subtask: number): ChannelId[] {
  return graph.edges
    .filter((edge) => edge.to === vertex)
    .flatMap((edge) => {
      const upstream = findVertex(graph, edge.from)?.parallelism ?? 0
      const all = Array.from({ length: upstream }, (_, index) => `${edge.index}:${index}>${subtask}` as ChannelId)
      return edge.ship === 'forward' ? all.slice(subtask, subtask + 1) : all
    })
}

export function reduceChannels(view: ChannelView, event: EngineEvent, graph: JobGraph | null): ChannelView {
  const { at, body } = event
  switch (body.type) {
    case 'BarrierArrived':
      return barrierArrived(view, at, body, graph)
    case 'ChannelBlocked':
      return set(view, body.channel, { state: 'blocked', checkpointId: body.checkpointId, since: at })
    case 'ChannelUnblocked':
      return set(view, body.channel, { ...OPEN, since: at })
    case 'AlignmentCompleted':
    case 'CheckpointAbortedAtTask':
      return openInputs(view, at, body, graph)
    case 'TaskStateChanged':
      return EMPTYING.includes(body.to) ? emptyAround(view, body, graph) : view
    default:
      return view
  }
}

function barrierArrived(view: ChannelView, at: EngineTime, body: Extract<EventBody, { type: 'BarrierArrived' }>, graph: JobGraph | null): ChannelView {
  let next = set(view, body.channel, { checkpointId: body.checkpointId, arrivedAt: at, since: at, barrier: null })
  if (body.arrived >= body.expected || graph === null) return next
  for (const channel of inputChannels(graph, body.vertex, body.subtask)) {
    const known = next[channel]
    if (channel === body.channel || (known !== undefined && known.checkpointId === body.checkpointId && known.arrivedAt !== null)) continue
    if (known?.state === 'awaited' && known.checkpointId === body.checkpointId) continue
    next = set(next, channel, { state: 'awaited', checkpointId: body.checkpointId, since: at, arrivedAt: null })
  }
  // Under at-least-once nothing is blocked: the channel stays open and the others are awaited all the same.
  return next
}

/** A task that ends, and one that begins anew, has nothing in its channels. */
const EMPTYING: readonly ExecutionState[] = ['CANCELED', 'FAILED', 'DEPLOYING', 'INITIALIZING']

function emptyAround(view: ChannelView, at: SubtaskRef, graph: JobGraph | null): ChannelView {
  const touches = (end: SubtaskRef | undefined): boolean => end?.vertex === at.vertex && end.subtask === at.subtask
  const entries = Object.values(view).map((state) => {
    const ends = channelEnds(graph, state.channel)
    return [state.channel, touches(ends?.from) || touches(ends?.to) ? freshChannel(state.channel) : state] as const
  })
  return Object.fromEntries(entries)
}

function openInputs(view: ChannelView, at: EngineTime, body: { readonly vertex: string; readonly subtask: number }, graph: JobGraph | null): ChannelView {
  if (graph === null) return view
  let next = view
  for (const channel of inputChannels(graph, body.vertex, body.subtask)) {
    if (next[channel] === undefined) continue
    next = set(next, channel, { ...OPEN, since: at })
  }
  return next
}

export function reduceChannelReport(view: ChannelView, report: TaskReport): ChannelView {
  let next = view
  for (const input of report.inputs) {
    next = set(next, input.channel, {
      input: { buffers: input.buffers, records: input.records, bytes: input.bytes },
      received: { buffers: input.receivedBuffers ?? 0, records: input.receivedRecords ?? 0 },
      barrier: input.barrier,
    })
  }
  for (const output of report.outputs) {
    const known = next[output.channel]
    const figures = { buffers: output.buffers, records: output.records, bytes: output.bytes }
    next = set(next, output.channel, {
      output: { ...figures, credits: output.credits },
      held: output.stopped ? figures : null,
      sentRecords: output.sentRecords,
      sentBuffers: output.sentBuffers,
      barriers: output.barriers ?? [],
      ...measured(known, output.sentRecords, report.at),
    })
  }
  return next
}

/** A rate over less than this says nothing: a handful of records decides it. */
const RATE_WINDOW = 250_000

function measured(known: ChannelState | undefined, sent: number, at: EngineTime): Pick<ChannelState, 'rate' | 'window'> {
  const window = known?.window ?? null
  if (window === null || sent < window.sentRecords) return { rate: null, window: { at, sentRecords: sent } }
  const elapsed = at - window.at
  if (elapsed < RATE_WINDOW) return { rate: known?.rate ?? null, window }
  return { rate: ((sent - window.sentRecords) * 1_000_000) / elapsed, window: { at, sentRecords: sent } }
}

function set(view: ChannelView, channel: ChannelId, change: Partial<ChannelState>): ChannelView {
  return { ...view, [channel]: { ...(view[channel] ?? freshChannel(channel)), ...change } }
}

/** A blocked channel and the one it is locked because of, at one subtask: what the ribbon joins. */
export function waitsAt(view: ChannelView, graph: JobGraph, vertex: string, subtask: number): { readonly blocked: ChannelState; readonly awaited: ChannelState }[] {
  const inputs = inputChannels(graph, vertex, subtask).map((channel) => view[channel]).filter((state) => state !== undefined)
  const awaited = inputs.filter((state) => state.state === 'awaited')
  const first = awaited[0]
  return first === undefined ? [] : inputs.filter((state) => state.state === 'blocked').map((blocked) => ({ blocked, awaited: first }))
}
