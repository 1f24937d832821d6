import { expect, test } from 'vitest'
import { layWorld } from '../../../src/canvas/world-layout.ts'
import { sceneOf } from '../../../src/canvas/overlay-scene-of.ts'
import type { EventBody } from '../../../workers/model/events.ts'
import type { ChannelId } from '../../../workers/model/ids.ts'
import type { TraceEvent } from '../../../workers/model/trace.ts'
import { pathOf, placeInput, placeWire, pointAt } from '../../../workers/overlay/place-tokens.ts'
import { ReadHeads } from '../../../workers/overlay/read-heads.ts'
import { TokenWorld } from '../../../workers/overlay/token-world.ts'
import { LineageView } from '../../../workers/projections/lineage-view.ts'
import { at, attempt, channel, event, GRAPH, KEYED, report, SOURCE } from '../projections/fixture.ts'

const LATENCY = 20_000
const scene = sceneOf(layWorld(GRAPH), {}, LATENCY)
const ONE = channel(0, 0, 0)
const OTHER = channel(0, 1, 0)

const record = (offset: number, label = 'ATL') => ({ partition: 0, offset, branch: 0, replayed: false, label, checkpoint: 1 })
const queued = (time: number, offset: number): TraceEvent => ({ type: 'queued', at: time, channel: ONE, record: record(offset) })

function world(trace: readonly TraceEvent[], events: readonly EventBody[] = [], until = Infinity): TokenWorld {
  const tokens = new TokenWorld()
  tokens.setScene(scene)
  tokens.add(events.map((body, index) => event(index, body)), trace, [])
  tokens.advance(until)
  return tokens
}

const shape = (tokens: TokenWorld, id: ChannelId = ONE) => {
  const found = tokens.channels.get(id)
  return [found?.output.length, found?.wire.length, found?.input.length]
}

const JOURNEY: TraceEvent[] = [
  queued(1, 7),
  queued(2, 8),
  { type: 'sent', at: 3, channel: ONE, sequence: 1, records: 2 },
  { type: 'received', at: 3 + LATENCY, channel: ONE, sequence: 1 },
  { type: 'taken', at: 4 + LATENCY, channel: ONE, attempt: attempt(KEYED, 0), until: 5 + LATENCY },
]

test('a record is where its last event put it at the shown time', () => {
  expect([1, 2, 3, 3 + LATENCY, 4 + LATENCY].map((time) => shape(world(JOURNEY, [], time)))).toEqual([
    [1, 0, 0],
    [2, 0, 0],
    [0, 1, 0],
    [0, 0, 2],
    [0, 0, 1],
  ])
  expect(world(JOURNEY).chambers.get(`${KEYED}_0`)?.token.record.offset).toBe(7)
})

test('trace that comes out of order is applied in the order of engine time', () => {
  expect(shape(world(JOURNEY.toReversed()))).toEqual([0, 0, 1])
})

test('half of the latency is half of the wire', () => {
  const tokens = world(JOURNEY, [], 3)
  const path = pathOf(scene.channels.find((one) => one.channel === ONE)!)
  const [placed] = placeWire(path, tokens.channels.get(ONE)!, 3 + LATENCY / 2, LATENCY)
  expect(pointAt(path, placed!.s)).toEqual([300, 114])
})

test('through a channel that was made slow records travel as much longer, and stay on the wire until they are there', () => {
  const delay = 400_000
  const slowed: EventBody = { type: 'ChannelDelayed', channel: ONE, micros: delay, ...at(KEYED, 0) }
  const tokens = world(JOURNEY.slice(0, 3), [slowed], 3)
  const path = pathOf(scene.channels.find((one) => one.channel === ONE)!)
  const [placed] = placeWire(path, tokens.channels.get(ONE)!, 3 + (LATENCY + delay) / 2, LATENCY)
  expect(pointAt(path, placed!.s)).toEqual([300, 114])
  const input = { channel: ONE, blocked: false, buffers: 0, records: 0, bytes: 0, barrier: null }
  tokens.add([], [], [report(KEYED, 0, { at: 3 + LATENCY + delay / 2, inputs: [input] })])
  tokens.advance(Infinity)
  expect(shape(tokens)).toEqual([0, 1, 0])
})

test('a taken barrier stands at the mouth until its subtask has aligned', () => {
  const step = (time: number, name: 'queued' | 'sent' | 'received' | 'taken'): TraceEvent => ({ type: 'barrier', at: time, channel: OTHER, checkpointId: 4, step: name })
  const tokens = world([step(1, 'queued'), step(2, 'sent'), step(3, 'received'), step(4, 'taken')])
  expect(tokens.channels.get(OTHER)?.input).toMatchObject([{ kind: 'barrier', checkpointId: 4, taken: true }])
  tokens.add([event(9, { type: 'AlignmentCompleted', checkpointId: 4, alignmentMicros: 5, ...at(KEYED, 0) })], [], [])
  tokens.advance(9)
  expect(tokens.channels.get(OTHER)?.input).toEqual([])
})

test('barriers are drawn from protocol events alone when records are not traced', () => {
  const tokens = world([], [{ type: 'BarrierEmitted', checkpointId: 2, channels: [ONE, OTHER], ...at(SOURCE, 0) }])
  expect(tokens.channels.get(ONE)?.output).toMatchObject([{ kind: 'barrier', checkpointId: 2 }])
  tokens.add([event(5, { type: 'BarrierArrived', checkpointId: 2, channel: ONE, arrived: 1, expected: 2, ...at(KEYED, 0) })], [], [])
  tokens.advance(5)
  expect(shape(tokens)).toEqual([0, 0, 1])
})

test('a failed subtask takes what was in its channels with it', () => {
  const tokens = world(JOURNEY.slice(0, 3))
  tokens.add([event(50, { type: 'TaskStateChanged', to: 'FAILED', taskManager: null, ...at(KEYED, 0) })], [], [])
  tokens.advance(50)
  expect(shape(tokens)).toEqual([0, 0, 0])
})

test('a report takes away tokens that the trace has lost', () => {
  const tokens = world([queued(1, 1), queued(2, 2), queued(3, 3)])
  const output = { channel: ONE, buffers: 1, records: 1, bytes: 10, credits: 1, stopped: false, sentRecords: 2, sentBuffers: 1 }
  tokens.add([], [], [report(SOURCE, 0, { at: 10, outputs: [output] })])
  tokens.advance(10)
  expect(tokens.channels.get(ONE)?.output).toMatchObject([{ record: { offset: 3 } }])
})

test('records that do not fit a tube are counted, not squeezed', () => {
  const tokens = world(Array.from({ length: 30 }, (_, index) => queued(index, index)))
  const path = pathOf(scene.channels.find((one) => one.channel === ONE)!)
  const found = tokens.channels.get(ONE)!
  found.input = found.output
  const placed = placeInput(path, found)
  expect(placed.placed.length + placed.hidden).toBe(30)
  expect(placed.hidden).toBeGreaterThan(0)
})

const read = (time: number, offset: number, number = 0): TraceEvent => ({ type: 'read', at: time, attempt: attempt(SOURCE, 0, number), record: record(offset) })

test('what a source reads again up to its old head is replayed, and nothing after it', () => {
  const heads = new ReadHeads()
  for (let offset = 0; offset < 10; offset++) heads.see(read(offset, offset))
  heads.rewound(event(20, { type: 'SourceRewound', operator: GRAPH.vertices[0]!.chain[0]!.operatorId, split: 'flights-0', to: 4, ...at(SOURCE, 0, 1) }))
  expect([3, 9, 10].map((offset) => heads.isReplayed(record(offset)))).toEqual([true, true, false])
  expect(heads.isReplayed({ partition: -1, offset: -1 })).toBe(false)
  expect(heads.isComplete).toBe(true)
})

test('an account with a gap in the trace is not called complete', () => {
  const heads = new ReadHeads()
  heads.see(read(1, 2))
  heads.see(read(2, 9))
  heads.rewound(event(20, { type: 'SourceRewound', operator: GRAPH.vertices[0]!.chain[0]!.operatorId, split: 'flights-0', to: 4, ...at(SOURCE, 0, 1) }))
  expect(heads.isComplete).toBe(false)
})

test('processed twice are the records that a later attempt works in again, not those that were only read', () => {
  const lineage = new LineageView()
  const worked = (offset: number, number: number): TraceEvent => ({
    type: 'state', at: offset, attempt: attempt(KEYED, 0, number), operator: GRAPH.vertices[1]!.chain[0]!.operatorId, state: 's', key: 'ATL', keyGroup: 1, value: 1, record: record(offset),
  })
  for (const offset of [1, 2, 3]) lineage.see(worked(offset, 0))
  for (const offset of [2, 3, 4, 5]) lineage.see(worked(offset, 1))
  expect(lineage.processedTwice).toBe(2)
})

test('a barrier that is heard of late, when its receiver has done with it or its checkpoint is complete, stands nowhere', () => {
  const aligned: EventBody = { type: 'AlignmentCompleted', checkpointId: 1, alignmentMicros: 0, ...at(KEYED, 0) }
  const late = (step: 'queued' | 'sent'): TraceEvent => ({ type: 'barrier', at: 5, channel: ONE, checkpointId: 1, step })
  expect(shape(world([late('queued'), late('sent')], [aligned]))).toEqual([0, 0, 0])

  const missed: EventBody = { type: 'BarrierEmitted', checkpointId: 1, channels: [ONE], ...at(SOURCE, 0) }
  expect(shape(world([], [missed]))).toEqual([1, 0, 0])
  const completed: EventBody = { type: 'CheckpointCompleted', checkpointId: 1, stateBytes: 0, checkpointedBytes: 0, externalPath: '/chk-1', durationMicros: 1 }
  expect(shape(world([], [missed, completed]))).toEqual([0, 0, 0])
})

test('a delay of the document, and one by hand, outlive a restart of the subtask; the next job begins with that of the document', () => {
  const late = { ...scene, channels: scene.channels.map((one) => ({ ...one, delayMicros: 300 })) }
  const tokens = new TokenWorld()
  tokens.setScene(late)
  const delay = (): number | undefined => tokens.channels.get(ONE)?.delayMicros
  expect(delay()).toBe(300)
  tokens.add([event(1, { type: 'ChannelDelayed', channel: ONE, micros: 900, ...at(KEYED, 0) }), event(2, { type: 'TaskStateChanged', to: 'FAILED', taskManager: null, ...at(KEYED, 0) })], [], [])
  tokens.advance(2)
  expect(delay()).toBe(900)
  tokens.add([event(3, { type: 'JobSubmitted', name: 'again' } as EventBody)], [], [])
  tokens.advance(3)
  expect(delay()).toBe(300)
})
