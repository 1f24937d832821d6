/**
 * Who holds back whom. A backpressured subtask is a victim; the culprit is the first busy, not backpressured one downstream of a chain of
 * backpressured ones. Levels and bounds are Flink's (behaviour 8.4; JobVertexBackPressureHandler); the culprit is our reading.
 */
import type { VertexId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import { inputChannels } from './channel-view.ts'
import type { ChannelView } from './channel-view.ts'
import type { FlowView, SubtaskFlow } from './flow-view.ts'
import { allSubtasks, channelEnds } from './plan.ts'
import type { SubtaskRef } from './plan.ts'

export type BackpressureLevel = 'OK' | 'LOW' | 'HIGH'

const LOW_ABOVE = 0.1
const HIGH_ABOVE = 0.5
/** Less than this is not what holds the others. */
const BUSY_FROM = 0.5

export const levelOf = (share: number): BackpressureLevel => (share <= LOW_ABOVE ? 'OK' : share <= HIGH_ABOVE ? 'LOW' : 'HIGH')

export interface SubtaskPressure extends SubtaskRef {
  /** Null: no measurement yet. Shares of the last stretch, together 1; `hard` is part of `backpressured`. */
  readonly shares: { readonly busy: number; readonly backpressured: number; readonly hard: number; readonly idle: number } | null
  readonly inPoolUsage: number | null
  readonly outPoolUsage: number | null
  readonly role: 'culprit' | 'victim' | null
  /** Of a victim: those that it waits for in the end. */
  readonly culprits: readonly SubtaskRef[]
  /** Of a victim: the subtasks that have closed their channel from it until their alignment is over. */
  readonly alignedAt: readonly SubtaskRef[]
}

export interface VertexPressure {
  readonly vertex: VertexId
  readonly name: string
  /** The most backpressured subtask decides, as in Flink. */
  readonly level: BackpressureLevel | null
  readonly worst: number | null
  readonly subtasks: readonly SubtaskPressure[]
}

const keyOf = ({ vertex, subtask }: SubtaskRef): string => `${vertex}_${subtask}`

export function backpressureOf(graph: JobGraph, flows: FlowView, channels: ChannelView): VertexPressure[] {
  const downstream = downstreamOf(graph)
  const culpritsOf = new Map<string, readonly SubtaskRef[]>()
  const victims = allSubtasks(graph).filter((at) => isHeld(flows[keyOf(at)]))
  for (const at of victims) culpritsOf.set(keyOf(at), culpritsBelow(at, downstream, flows, new Set()))
  const culprits = new Set([...culpritsOf.values()].flat().map(keyOf))
  return graph.vertices.map((vertex) => {
    const subtasks = Array.from({ length: vertex.parallelism }, (_, subtask): SubtaskPressure => {
      const at = { vertex: vertex.id, subtask }
      const flow = flows[keyOf(at)]
      const role = culprits.has(keyOf(at)) ? 'culprit' : culpritsOf.has(keyOf(at)) ? 'victim' : null
      return { ...at, shares: sharesOf(flow), inPoolUsage: flow?.report.inPoolUsage ?? null, outPoolUsage: flow?.report.outPoolUsage ?? null, role, culprits: culpritsOf.get(keyOf(at)) ?? [], alignedAt: role === 'victim' ? closedBelow(at, graph, channels) : [] }
    })
    const held = subtasks.map(({ shares }) => shares?.backpressured ?? null).filter((share) => share !== null)
    const worst = held.length === 0 ? null : Math.max(...held)
    return { vertex: vertex.id, name: vertex.name, level: worst === null ? null : levelOf(worst), worst, subtasks }
  })
}

/** Whoever aligns holds back those whose barrier is there already, and is itself idle (behaviour 8.4). */
function closedBelow(at: SubtaskRef, graph: JobGraph, channels: ChannelView): SubtaskRef[] {
  return Object.values(channels)
    .filter(({ state }) => state === 'blocked')
    .map(({ channel }) => channelEnds(graph, channel))
    .filter((ends) => ends?.from.vertex === at.vertex && ends.from.subtask === at.subtask)
    .flatMap((ends) => (ends === null ? [] : [ends.to]))
}

function sharesOf(flow: SubtaskFlow | undefined): SubtaskPressure['shares'] {
  if (flow === undefined || flow.busy === null || flow.backpressured === null || flow.hard === null || flow.idle === null) return null
  return { busy: flow.busy, backpressured: flow.backpressured, hard: flow.hard, idle: flow.idle }
}

const isHeld = (flow: SubtaskFlow | undefined): boolean => (flow?.backpressured ?? 0) > LOW_ABOVE
const isBusy = (flow: SubtaskFlow | undefined): boolean => (flow?.busy ?? 0) >= BUSY_FROM && !isHeld(flow)

/** Follows the chain of backpressured subtasks down to where it ends. */
function culpritsBelow(at: SubtaskRef, downstream: ReadonlyMap<string, readonly SubtaskRef[]>, flows: FlowView, seen: Set<string>): SubtaskRef[] {
  const found = new Map<string, SubtaskRef>()
  for (const next of downstream.get(keyOf(at)) ?? []) {
    const key = keyOf(next)
    if (seen.has(key)) continue
    seen.add(key)
    if (isBusy(flows[key])) found.set(key, next)
    else if (isHeld(flows[key])) for (const below of culpritsBelow(next, downstream, flows, seen)) found.set(keyOf(below), below)
  }
  return [...found.values()]
}

function downstreamOf(graph: JobGraph): Map<string, SubtaskRef[]> {
  const downstream = new Map<string, SubtaskRef[]>()
  for (const to of allSubtasks(graph)) {
    for (const channel of inputChannels(graph, to.vertex, to.subtask)) {
      const from = channelEnds(graph, channel)?.from
      if (from !== undefined) downstream.set(keyOf(from), [...(downstream.get(keyOf(from)) ?? []), to])
    }
  }
  return downstream
}
