/**
 * Where everything stands in the world of a job: columns in topological order, a lane for each subtask, tubes between them. Pure: the
 * same graph gives the same picture, and nothing moves while a job runs. Measures in world units (DESIGN language, "World columns").
 */
import type { VertexId } from '../../workers/model/ids.ts'
import type { JobGraph, JobVertex } from '../../workers/model/job-graph.ts'
import { layChannels } from './lay-channels.ts'
import type { CardBox, CardKind, Gap, LaneMeasures, WorldLayout } from './world-types.ts'

export const MARGIN = 18
export const HEAD = 36
const PLATES = 66
const STACK_GAP = 26
const LANE_LINES = 40
const ROW = 16.5
const TABLE_HEAD = 18
const CARD_WIDTH: Readonly<Record<CardKind, number>> = { source: 140, keyed: 270, sink: 170, plain: 140 }

const FAN: Gap = { output: 104, wire: 76, input: 120 }
const SINGLE: Gap = { output: 48, wire: 60, input: 48 }

export function cardKind(graph: JobGraph, vertex: JobVertex): CardKind {
  if (vertex.isSource) return 'source'
  if (vertex.chain.some((operator) => operator.keyFields.some((fields) => fields !== null))) return 'keyed'
  return graph.edges.some((edge) => edge.from === vertex.id) ? 'plain' : 'sink'
}

export function laneMeasures(parallelismMax: number): LaneMeasures {
  if (parallelismMax <= 2) return { height: 244, chamber: 84, port: 79, compact: false }
  return parallelismMax <= 4 ? { height: 172, chamber: 60, port: 68, compact: true } : { height: 136, chamber: 44, port: 60, compact: true }
}

export function layWorld(graph: JobGraph): WorldLayout {
  const columns = columnsOf(graph)
  const lane = laneMeasures(Math.max(1, ...graph.vertices.map((vertex) => vertex.parallelism)))
  const tallest = Math.max(0, ...columns.map((column) => naturalHeight(column, lane)))
  const gaps = columns.map((_, index) => gapAfter(graph, columns, index))
  const cards: CardBox[] = []
  let x = MARGIN
  for (const [index, column] of columns.entries()) {
    const width = Math.max(...column.map((vertex) => CARD_WIDTH[cardKind(graph, vertex)]))
    cards.push(...layColumn(graph, column, { index, x, width, tallest, lane }))
    const gap = gaps[index] ?? SINGLE
    x += width + (index < columns.length - 1 ? gap.output + gap.wire + gap.input : 0)
  }
  const bottom = MARGIN + tallest
  const { channels, labels } = layChannels(graph, cards, gaps, lane)
  return { width: Math.max(x + MARGIN, 480), height: bottom + PLATES, bottom, lane, cards, channels, labels }
}

/** The column of a vertex is the length of the longest way to it. */
function columnsOf(graph: JobGraph): JobVertex[][] {
  const depth = new Map<VertexId, number>()
  for (const vertex of graph.vertices) {
    const before = graph.edges.filter((edge) => edge.to === vertex.id).map((edge) => depth.get(edge.from) ?? 0)
    depth.set(vertex.id, before.length === 0 ? 0 : Math.max(...before) + 1)
  }
  const columns: JobVertex[][] = []
  for (const vertex of graph.vertices) (columns[depth.get(vertex.id) ?? 0] ??= []).push(vertex)
  return columns
}

const naturalHeight = (column: readonly JobVertex[], lane: LaneMeasures): number =>
  column.reduce((sum, vertex) => sum + HEAD + vertex.parallelism * lane.height, 0) + (column.length - 1) * STACK_GAP

function gapAfter(graph: JobGraph, columns: readonly JobVertex[][], index: number): Gap {
  const here = new Set(columns[index]?.map((vertex) => vertex.id))
  const fans = graph.edges.some((edge) => {
    const to = graph.vertices.find((vertex) => vertex.id === edge.to)
    return here.has(edge.from) && edge.ship !== 'forward' && (to?.parallelism ?? 1) > 1
  })
  const several = graph.edges.filter((edge) => here.has(edge.from)).length > (columns[index]?.length ?? 0)
  return fans || several ? FAN : SINGLE
}

interface ColumnPlace {
  readonly index: number
  readonly x: number
  readonly width: number
  readonly tallest: number
  readonly lane: LaneMeasures
}

/** A card alone in its column is as tall as the tallest column; several share the space between them. */
function layColumn(graph: JobGraph, column: readonly JobVertex[], place: ColumnPlace): CardBox[] {
  const spare = place.tallest - naturalHeight(column, place.lane)
  const between = column.length > 1 ? STACK_GAP + spare / (column.length - 1) : 0
  let y = MARGIN
  return column.map((vertex) => {
    const laneHeight = column.length === 1 ? (place.tallest - HEAD) / vertex.parallelism : place.lane.height
    const card = layCard(graph, vertex, place, y, laneHeight)
    y += card.height + between
    return card
  })
}

function layCard(graph: JobGraph, vertex: JobVertex, place: ColumnPlace, y: number, laneHeight: number): CardBox {
  const kind = cardKind(graph, vertex)
  const width = CARD_WIDTH[kind]
  const x = place.x + (place.width - width) / 2
  const rows = Math.max(1, Math.floor((laneHeight - LANE_LINES - place.lane.chamber - TABLE_HEAD) / ROW))
  const lanes = Array.from({ length: vertex.parallelism }, (_, subtask) => ({
    subtask,
    x,
    y: y + HEAD + subtask * laneHeight,
    width,
    height: laneHeight,
    rows,
  }))
  return { vertex: vertex.id, kind, column: place.index, x, y, width, height: HEAD + laneHeight * vertex.parallelism, lanes }
}
