import { expect, test } from 'vitest'
import { sampleWire, wirePath } from '../../../src/canvas/lay-channels.ts'
import { layWorld } from '../../../src/canvas/world-layout.ts'
import type { JobGraph } from '../../../workers/model/job-graph.ts'
import { GRAPH, KEYED, SINK, SOURCE } from '../projections/fixture.ts'

const wide = (parallelism: number): JobGraph => ({ ...GRAPH, vertices: GRAPH.vertices.map((vertex) => (vertex.id === SINK ? vertex : { ...vertex, parallelism })) })

test('the world of two sources, two keyed lanes and a sink has the measures of the language', () => {
  const world = layWorld(GRAPH)
  expect([world.width, world.height]).toEqual([1072, 608])
  expect(world.cards.map((card) => [card.x, card.width, card.height])).toEqual([
    [18, 140, 524],
    [458, 270, 524],
    [884, 170, 524],
  ])
  expect(world.cards[1]?.lanes.map((lane) => lane.rows)).toEqual([6, 6])
})

test('each pair of subtasks has its channel, named as the engine names it', () => {
  const ids = layWorld(GRAPH).channels.map((channel) => channel.channel)
  expect(ids).toEqual(['0:0>0', '0:0>1', '0:1>0', '0:1>1', '1:0>0', '1:1>0'])
})

test('tubes of one lane do not touch, and a single lane takes its inputs level with where they come from', () => {
  const world = layWorld(GRAPH)
  const into = (vertex: string, subtask: number) => world.channels.filter((channel) => channel.to.vertex === vertex && channel.to.subtask === subtask)
  expect(into(KEYED, 0).map((channel) => channel.input.y)).toEqual([114, 152])
  expect(into(SINK, 0).map((channel) => [channel.output.y, channel.input.y])).toEqual([
    [133, 133],
    [377, 377],
  ])
})

test('with eight subtasks the tubes grow thinner and still do not touch', () => {
  const world = layWorld(wide(8))
  for (const vertex of [SOURCE, KEYED]) {
    const ports = world.channels.filter((channel) => (vertex === SOURCE ? channel.from : channel.to).subtask === 3 && (vertex === SOURCE ? channel.from : channel.to).vertex === vertex)
    const ys = ports.map((channel) => (vertex === SOURCE ? channel.output.y : channel.input.y)).sort((a, b) => a - b)
    for (let i = 1; i < ys.length; i++) expect((ys[i] ?? 0) - (ys[i - 1] ?? 0)).toBeGreaterThan(ports[0]?.bore ?? 99)
  }
})

test('cards stand apart from each other in any job', () => {
  const twice = { ...GRAPH, vertices: [...GRAPH.vertices, { ...GRAPH.vertices[2]!, id: 'e'.repeat(32) as typeof SINK, name: 'Other' }], edges: [...GRAPH.edges, { ...GRAPH.edges[1]!, index: 2, to: 'e'.repeat(32) as typeof SINK }] }
  const boxes = layWorld(twice).cards
  for (const a of boxes) {
    for (const b of boxes) {
      if (a === b) continue
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
      expect(apart).toBe(true)
    }
  }
})

test('the sampled wire begins and ends where its tubes do', () => {
  const channel = layWorld(GRAPH).channels[1]!
  const points = sampleWire(channel)
  expect([points[0], points[1], points.at(-2), points.at(-1)]).toEqual([262, 152, 338, 358])
  expect(wirePath(channel)).toBe('M262 152C300 152 300 358 338 358')
})
