import { expect, test } from 'vitest'
import { backpressureOf, levelOf } from '../../../workers/projections/backpressure.ts'
import { EMPTY_FLOW_VIEW, reduceFlow } from '../../../workers/projections/flow-view.ts'
import type { FlowView } from '../../../workers/projections/flow-view.ts'
import { stragglerBound, stragglers } from '../../../workers/projections/stragglers.ts'
import type { CheckpointRecord, SubtaskCheckpoint } from '../../../workers/projections/checkpoint-view.ts'
import { reduceChannels } from '../../../workers/projections/channel-view.ts'
import { at, channel, event, GRAPH, KEYED, report, SINK, SOURCE } from './fixture.ts'

type Load = readonly [busy: number, backpressured: number]

function flowsOf(loads: readonly (readonly [vertex: typeof SOURCE, subtask: number, load: Load])[]): FlowView {
  let view = EMPTY_FLOW_VIEW
  for (const [vertex, subtask, [busy, backpressured]] of loads) {
    view = reduceFlow(view, report(vertex, subtask, {}))
    view = reduceFlow(view, report(vertex, subtask, { at: 100, busyMicros: busy, backpressuredMicros: backpressured, idleMicros: 100 - busy - backpressured }))
  }
  return view
}

const rolesOf = (flows: FlowView): (string | null)[] => backpressureOf(GRAPH, flows, {}).flatMap(({ subtasks }) => subtasks.map(({ role }) => role))

test('the levels are those of Flink: up to 0.1 OK, up to 0.5 LOW, above HIGH; the worst subtask decides', () => {
  expect([0, 0.1, 0.11, 0.5, 0.51].map(levelOf)).toEqual(['OK', 'OK', 'LOW', 'LOW', 'HIGH'])
  const [sources] = backpressureOf(GRAPH, flowsOf([[SOURCE, 0, [0, 5]], [SOURCE, 1, [0, 80]]]), {})
  expect(sources).toMatchObject({ level: 'HIGH', worst: 0.8 })
})

test('the culprit is the first busy, not backpressured subtask below a backpressured chain; those above it are its victims', () => {
  const flows = flowsOf([[SOURCE, 0, [5, 90]], [SOURCE, 1, [5, 90]], [KEYED, 0, [10, 85]], [KEYED, 1, [20, 0]], [SINK, 0, [99, 0]]])
  expect(rolesOf(flows)).toEqual(['victim', 'victim', 'victim', null, 'culprit'])
  expect(backpressureOf(GRAPH, flows, {})[0]?.subtasks[0]?.culprits).toEqual([{ vertex: SINK, subtask: 0 }])
})

test('a subtask that is busy and below nobody held is no culprit', () => {
  expect(rolesOf(flowsOf([[SOURCE, 0, [50, 0]], [SOURCE, 1, [50, 0]], [KEYED, 0, [99, 0]], [KEYED, 1, [99, 0]], [SINK, 0, [99, 0]]]))).toEqual([null, null, null, null, null])
})

test('held behind nobody busy (alignment, a slow link) there are victims and no culprit', () => {
  expect(rolesOf(flowsOf([[SOURCE, 0, [5, 90]], [SOURCE, 1, [50, 0]], [KEYED, 0, [5, 0]], [KEYED, 1, [5, 0]], [SINK, 0, [1, 0]]]))).toEqual(['victim', null, null, null, null])
})

test('who is held by an alignment is told where', () => {
  const flows = flowsOf([[KEYED, 0, [5, 90]], [KEYED, 1, [5, 0]], [SINK, 0, [1, 0]]])
  const channels = reduceChannels({}, event(5, { type: 'ChannelBlocked', checkpointId: 1, channel: channel(1, 0, 0), ...at(SINK, 0) }), GRAPH)
  const [, keyed] = backpressureOf(GRAPH, flows, channels)
  expect(keyed?.subtasks.map(({ alignedAt }) => alignedAt)).toEqual([[{ vertex: SINK, subtask: 0 }], []])
})

test('busy, backpressured and idle are the whole', () => {
  const [sources] = backpressureOf(GRAPH, flowsOf([[SOURCE, 0, [30, 50]]]), {})
  const shares = sources?.subtasks[0]?.shares
  expect((shares?.busy ?? 0) + (shares?.backpressured ?? 0) + (shares?.idle ?? 0)).toBeCloseTo(1)
})

test('stragglers: total at least max(p95, 1.5 × median), within one operator', () => {
  expect(stragglerBound([355, 1076, 323, 378])).toBe(1076)
  expect(stragglerBound([100, 100, 100, 120])).toBe(150)
  const subtask = (vertex: typeof KEYED, number: number, total: number) => ({ vertex, subtask: number, acknowledgedAt: 1000 + total }) as SubtaskCheckpoint
  const record = { triggeredAt: 1000, subtasks: [subtask(KEYED, 0, 355), subtask(KEYED, 1, 1076), subtask(KEYED, 2, 323), subtask(KEYED, 3, 378), subtask(SINK, 0, 1204)] } as unknown as CheckpointRecord
  expect(stragglers(record).map((one) => one.subtask)).toEqual([1])
})
