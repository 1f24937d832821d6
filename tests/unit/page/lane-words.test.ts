import { expect, test } from 'vitest'
import { laneState } from '../../../src/canvas/lane-state.ts'
import { neighbour } from '../../../src/canvas/use-lane-input.ts'
import { layWorld } from '../../../src/canvas/world-layout.ts'
import { whyWaiting } from '../../../src/inspector/why.ts'
import type { EventBody } from '../../../workers/model/events.ts'
import { taskManagerId } from '../../../workers/model/ids.ts'
import { emptyRunView, reduceRun } from '../../../workers/projections/run-view.ts'
import type { RunView } from '../../../workers/projections/run-view.ts'
import { at, channel, event, GRAPH, JOB, KEYED, report, SINK, SOURCE } from '../projections/fixture.ts'

const BODIES: EventBody[] = [
  { type: 'JobStatusChanged', job: JOB, from: 'CREATED', to: 'RUNNING' },
  { type: 'TaskStateChanged', to: 'RUNNING', taskManager: taskManagerId('taskmanager-1'), ...at(KEYED, 0) },
  { type: 'CheckpointTriggered', checkpointId: 7, periodic: true, tasks: 5 },
  { type: 'BarrierArrived', checkpointId: 7, channel: channel(0, 1, 0), arrived: 1, expected: 2, ...at(KEYED, 0) },
  { type: 'ChannelBlocked', checkpointId: 7, channel: channel(0, 1, 0), ...at(KEYED, 0) },
]

const run = (bodies: readonly EventBody[] = BODIES): RunView => reduceRun(emptyRunView(GRAPH), bodies.map((body, index) => event(index * 1000, body)), [])

test('a lane says in words how far its alignment is, with a pip for each barrier', () => {
  expect(laneState(run(), KEYED, 0)).toMatchObject({ words: 'aligning 1 of 2', pips: { arrived: 1, expected: 2 } })
})

test('a subtask that nobody has heard of is not called running', () => {
  expect(laneState(emptyRunView(GRAPH), KEYED, 0).words).toBe('not started')
})

test('why it waits names the sender whose barrier is missing and what stands before it', () => {
  const input = { channel: channel(0, 0, 0), blocked: false, buffers: 3, records: 6, bytes: 90, barrier: { checkpointId: 7, buffersAhead: 3, recordsAhead: 5 } }
  const view = reduceRun(run(), [], [report(KEYED, 0, { at: 9000, inputs: [input] })])
  expect(whyWaiting(view, KEYED, 0, 10_000).map((cause) => cause.text)).toEqual(['No barrier 7 from Flights 0 yet', '5 records, 3 buffers ahead of it'])
})

test('a subtask whose inputs are open has nothing to wait for', () => {
  expect(whyWaiting(run(BODIES.slice(0, 2)), KEYED, 0, 10_000)).toEqual([])
})

test('arrows walk along channels and up and down a column, and stop at the edges', () => {
  const world = layWorld(GRAPH)
  const from = `${SOURCE}_0`
  expect(neighbour(world, from, 'ArrowDown')).toBe(`${SOURCE}_1`)
  expect(neighbour(world, from, 'ArrowRight')).toBe(`${KEYED}_0`)
  expect(neighbour(world, `${KEYED}_1`, 'ArrowRight')).toBe(`${SINK}_0`)
  expect(neighbour(world, from, 'ArrowLeft')).toBeNull()
  expect(neighbour(world, from, 'ArrowUp')).toBeNull()
})
