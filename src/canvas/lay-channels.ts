/** Tubes and wires between the lanes of a world. */
import type { ChannelId } from '../../workers/model/ids.ts'
import type { JobEdge, JobGraph } from '../../workers/model/job-graph.ts'
import { findVertex } from '../../workers/projections/plan.ts'
import type { CardBox, ChannelBox, EdgeLabel, Gap, LaneBox, LaneMeasures } from './world-types.ts'

const PORT_PITCH_MAX = 38
const BORE_MAX = 22
const BORE_MIN = 8
/** Tubes keep this much of the lane's height free above and below. */
const PORT_TOP = 52
const PORT_BOTTOM = 16

interface Link {
  readonly edge: JobEdge
  readonly up: number
  readonly down: number
}

export function layChannels(graph: JobGraph, cards: readonly CardBox[], gaps: readonly Gap[], lane: LaneMeasures): { channels: ChannelBox[]; labels: EdgeLabel[] } {
  const links = graph.edges.flatMap((edge) => linksOf(graph, edge))
  const cardOf = (vertex: string): CardBox => cards.find((card) => card.vertex === vertex) as CardBox
  const outputs = placePorts(links, cards, lane, (link) => [link.edge.from, link.up])
  const byOutput = (link: Link): number => outputs.get(link)?.y ?? 0
  const inputs = placePorts(links, cards, lane, (link) => [link.edge.to, link.down], byOutput)
  const channels = links.map((link) => {
    const from = cardOf(link.edge.from)
    const to = cardOf(link.edge.to)
    const output = outputs.get(link) ?? { y: 0, pitch: PORT_PITCH_MAX, last: false }
    const input = inputs.get(link) ?? { y: 0, pitch: PORT_PITCH_MAX, last: false }
    const start = from.x + from.width
    const outputGap = gaps[from.column]
    const inputGap = gaps[to.column - 1]
    const bore = Math.max(BORE_MIN, Math.min(BORE_MAX, output.pitch - 8, input.pitch - 8))
    return {
      channel: `${link.edge.index}:${link.up}>${link.down}` as ChannelId,
      edge: link.edge.index,
      from: { vertex: from.vertex, subtask: link.up },
      to: { vertex: to.vertex, subtask: link.down },
      output: { x1: start, x2: start + (outputGap?.output ?? 48), y: output.y },
      input: { x1: to.x - (inputGap?.input ?? 48), x2: to.x, y: input.y },
      bore,
      delayMicros: link.edge.delayMicros ?? 0,
      flagUp: !input.last,
    }
  })
  return { channels, labels: layLabels(graph, channels, cards) }
}

/** A forward edge joins equal numbers; everything else joins each with each. */
function linksOf(graph: JobGraph, edge: JobEdge): Link[] {
  const upstream = findVertex(graph, edge.from)?.parallelism ?? 0
  const downstream = findVertex(graph, edge.to)?.parallelism ?? 0
  const links: Link[] = []
  for (let up = 0; up < upstream; up++) {
    for (let down = 0; down < downstream; down++) {
      if (edge.ship === 'forward' && up !== down) continue
      if (edge.ship === 'rescale' && !rescales(up, down, upstream, downstream)) continue
      links.push({ edge, up, down })
    }
  }
  return links
}

/** Flink's pointwise distribution: each of the fewer serves a contiguous share of the more. */
function rescales(up: number, down: number, upstream: number, downstream: number): boolean {
  return upstream >= downstream
    ? Math.floor((up * downstream) / upstream) === down
    : Math.floor((down * upstream) / downstream) === up
}

interface Port {
  readonly y: number
  readonly pitch: number
  /** Lowest of several: its flag hangs down. */
  readonly last: boolean
}

type Side = (link: Link) => readonly [string, number]

/** Ports of one side of all lanes. With `follow`, a stretched lane puts them level with where they come from. */
function placePorts(links: readonly Link[], cards: readonly CardBox[], lane: LaneMeasures, side: Side, follow?: (link: Link) => number): Map<Link, Port> {
  const ports = new Map<Link, Port>()
  for (const card of cards) {
    for (const box of card.lanes) {
      const here = links.filter((link) => side(link)[0] === card.vertex && side(link)[1] === box.subtask)
      const ys = portHeights(box, lane, here.map((link) => (follow === undefined ? null : follow(link))))
      const pitch = Math.min(PORT_PITCH_MAX, ...ys.slice(1).map((y, index) => y - (ys[index] ?? 0)))
      for (const [index, link] of here.entries()) ports.set(link, { y: ys[index] ?? box.y, pitch, last: here.length > 1 && index === here.length - 1 })
    }
  }
  return ports
}

function portHeights(box: LaneBox, lane: LaneMeasures, wanted: readonly (number | null)[]): number[] {
  const room = box.height - PORT_TOP - PORT_BOTTOM
  const pitch = wanted.length < 2 ? PORT_PITCH_MAX : Math.min(PORT_PITCH_MAX, room / (wanted.length - 1))
  const stretched = box.height > lane.height * 1.5
  const low = box.y + PORT_TOP
  const high = box.y + box.height - PORT_BOTTOM
  if (stretched && wanted.every((y) => y !== null)) return level(wanted as number[], pitch, low, high)
  const first = Math.max(low, box.y + lane.port - (pitch * (wanted.length - 1)) / 2)
  return wanted.map((_, index) => first + index * pitch)
}

/** Level with `wanted`, in order, at least `pitch` apart, inside the lane. */
function level(wanted: readonly number[], pitch: number, low: number, high: number): number[] {
  const result: number[] = []
  for (const [index, y] of wanted.entries()) {
    const least = index === 0 ? low : (result[index - 1] ?? low) + pitch
    const most = high - (wanted.length - 1 - index) * pitch
    result.push(Math.min(most, Math.max(least, y)))
  }
  return result
}

/** In the middle of its gap, level with the cards' heads; where edges share a gap, over its own input tubes. */
function layLabels(graph: JobGraph, channels: readonly ChannelBox[], cards: readonly CardBox[]): EdgeLabel[] {
  const columnOf = (vertex: string): number => cards.find((card) => card.vertex === vertex)?.column ?? 0

  return graph.edges.flatMap((edge) => {
    const own = channels.filter((channel) => channel.edge === edge.index)
    const first = own[0]
    if (first === undefined) return []
    const shared = graph.edges.some((other) => other !== edge && columnOf(other.from) < columnOf(edge.to) && columnOf(other.to) > columnOf(edge.from))
    const top = Math.min(...own.map((channel) => channel.input.y))
    return shared
      ? [{ edge: edge.index, x: (first.input.x1 + first.input.x2) / 2 - 4, y: top - first.bore / 2 - 38 }]
      : [{ edge: edge.index, x: (first.output.x2 + first.input.x1) / 2, y: 34 }]
  })
}

/** The wire's curve: its control points stand level with its ends. */
export function wirePath(channel: ChannelBox): string {
  const [x1, y1, c1, c2, x2, y2] = wireControls(channel)
  return `M${x1} ${y1}C${c1} ${y1} ${c2} ${y2} ${x2} ${y2}`
}

export const WIRE_SAMPLES = 33

export function sampleWire(channel: ChannelBox): number[] {
  const [x1, y1, c1, c2, x2, y2] = wireControls(channel)
  const points: number[] = []
  for (let i = 0; i < WIRE_SAMPLES; i++) {
    const t = i / (WIRE_SAMPLES - 1)
    const s = 1 - t
    const a = s * s * s
    const b = 3 * s * s * t
    const c = 3 * s * t * t
    const d = t * t * t
    points.push(a * x1 + b * c1 + c * c2 + d * x2, a * y1 + b * y1 + c * y2 + d * y2)
  }
  return points
}

function wireControls(channel: ChannelBox): [number, number, number, number, number, number] {
  const x1 = channel.output.x2
  const x2 = channel.input.x1
  const middle = (x1 + x2) / 2
  const long = x2 - x1 > 120
  return [x1, channel.output.y, long ? x1 + 60 : middle, long ? x2 - 60 : middle, x2, channel.input.y]
}
