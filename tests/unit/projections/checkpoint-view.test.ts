import { expect, test } from 'vitest'
import type { EventBody } from '../../../workers/model/events.ts'
import { phaseBars } from '../../../workers/projections/checkpoint-phases.ts'
import { checkpointAge, checkpointType, currentCheckpoint, EMPTY_CHECKPOINT_VIEW, findCheckpoint } from '../../../workers/projections/checkpoint-view.ts'
import type { CheckpointView, SubtaskCheckpoint } from '../../../workers/projections/checkpoint-view.ts'
import { reduceCheckpoints } from '../../../workers/projections/reduce-checkpoints.ts'
import { emptyRunView, reduceRun } from '../../../workers/projections/run-view.ts'
import { at, channel, event, GRAPH, KEYED, METRICS, SINK, SOURCE } from './fixture.ts'

const feed = (steps: readonly [number, EventBody][], from: CheckpointView = EMPTY_CHECKPOINT_VIEW): CheckpointView =>
  steps.reduce((view, [time, body]) => reduceCheckpoints(view, event(time, body), GRAPH), from)

const TRIGGER: [number, EventBody] = [100, { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 }]
const barrier = (time: number, up: number, arrived: number): [number, EventBody] => [
  time,
  { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, up, 0), arrived, expected: 2, ...at(KEYED, 0) },
]
const row = (view: CheckpointView, vertex: string, subtask: number): SubtaskCheckpoint => {
  const found = findCheckpoint(view, 1)?.subtasks.find((candidate) => candidate.vertex === vertex && candidate.subtask === subtask)
  if (found === undefined) throw new Error('no such row')
  return found
}

test('a triggered checkpoint has a waiting row for every subtask, with a dash where a part does not apply', () => {
  const view = feed([TRIGGER])
  expect(findCheckpoint(view, 1)?.subtasks.length).toBe(5)
  expect(row(view, SOURCE, 1).cells.offsets).toEqual({ kind: 'waiting' })
  expect(row(view, SOURCE, 1).cells.keyed).toEqual({ kind: 'none' })
  expect(row(view, KEYED, 0).cells.keyed).toEqual({ kind: 'waiting' })
  expect(row(view, KEYED, 0).expectedBarriers).toBe(2)
  expect(row(view, SINK, 0).cells.transactions).toEqual({ kind: 'waiting' })
})

test('a cell goes waiting, aligning, sync, async, acknowledged', () => {
  const steps: [number, EventBody][] = [
    barrier(110, 0, 1),
    barrier(140, 1, 2),
    [140, { type: 'SyncSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }],
    [150, { type: 'SyncSnapshotEnded', checkpointId: 1, parts: [{ operator: GRAPH.vertices[1]!.chain[0]!.operatorId, kind: 'keyed', entries: 6 }], ...at(KEYED, 0) }],
    [155, { type: 'AsyncSnapshotProgressed', checkpointId: 1, written: 64, total: 100, ...at(KEYED, 0) }],
    [170, { type: 'AsyncSnapshotEnded', checkpointId: 1, bytes: 137, ...at(KEYED, 0) }],
    [180, { type: 'CheckpointAcknowledged', checkpointId: 1, acknowledged: 1, tasks: 5, metrics: METRICS, ...at(KEYED, 0) }],
  ]
  const kinds = steps.map((_, index) => row(feed([TRIGGER, ...steps.slice(0, index + 1)]), KEYED, 0).cells.keyed)
  expect(kinds.map((cell) => cell.kind)).toEqual(['aligning', 'aligning', 'sync', 'async', 'async', 'async', 'acknowledged'])
  expect(kinds[4]).toEqual({ kind: 'async', written: 64, total: 100, entries: 6 })
  expect(kinds[6]).toEqual({ kind: 'acknowledged', bytes: 137, entries: 6 })
})

test('what a subtask did after the checkpoint was aborted is in no bar', () => {
  const view = feed([
    TRIGGER,
    barrier(110, 0, 1),
    [200, { type: 'CheckpointAborted', checkpointId: 1, reason: 'CHECKPOINT_EXPIRED', message: 'expired' }],
    barrier(300, 1, 2),
    [300, { type: 'SyncSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }],
    [310, { type: 'SyncSnapshotEnded', checkpointId: 1, parts: [], ...at(KEYED, 0) }],
  ])
  const record = findCheckpoint(view, 1)
  if (record === undefined) throw new Error('no checkpoint')
  const bars = phaseBars(record, row(view, KEYED, 0), 500)
  expect(bars.map(({ phase, from, to }) => [phase, from, to])).toEqual([
    ['start-delay', 0, 10],
    ['alignment', 10, 100],
  ])
})

test('the bars of a subtask touch and add up from the trigger to the acknowledgement', () => {
  const view = feed([
    TRIGGER,
    barrier(110, 0, 1),
    barrier(140, 1, 2),
    [140, { type: 'SyncSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }],
    [150, { type: 'SyncSnapshotEnded', checkpointId: 1, parts: [], ...at(KEYED, 0) }],
    [170, { type: 'AsyncSnapshotEnded', checkpointId: 1, bytes: 137, ...at(KEYED, 0) }],
  ])
  const record = currentCheckpoint(view)
  if (record === undefined) throw new Error('no checkpoint')
  const bars = phaseBars(record, row(view, KEYED, 0), 500)
  expect(bars.map((bar) => [bar.phase, bar.from, bar.to])).toEqual([
    ['start-delay', 0, 10],
    ['alignment', 10, 40],
    ['sync', 40, 50],
    ['async', 50, 70],
  ])
  expect(checkpointAge(record, 500)).toBe(400)
})

test('what comes from a task after its acknowledgement was seen does not open its cells again', () => {
  const view = feed([
    TRIGGER,
    [180, { type: 'CheckpointAcknowledged', checkpointId: 1, acknowledged: 1, tasks: 5, metrics: METRICS, ...at(KEYED, 0) }],
    [170, { type: 'SyncSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }],
  ])
  expect(row(view, KEYED, 0).phase).toBe('acknowledged')
  expect(row(view, KEYED, 0).cells.keyed.kind).toBe('acknowledged')
  expect(row(view, KEYED, 0).syncStartedAt).toBe(170)
})

test('an aborted checkpoint tears what was under way and keeps what was acknowledged', () => {
  const view = feed([
    TRIGGER,
    [180, { type: 'CheckpointAcknowledged', checkpointId: 1, acknowledged: 1, tasks: 5, metrics: METRICS, ...at(SOURCE, 0) }],
    [200, { type: 'CheckpointAborted', checkpointId: 1, reason: 'CHECKPOINT_EXPIRED', message: 'Checkpoint expired before completing.' }],
  ])
  expect(row(view, SOURCE, 0).cells.offsets.kind).toBe('acknowledged')
  expect(row(view, KEYED, 1).cells.keyed).toEqual({ kind: 'declined', reason: 'CHECKPOINT_EXPIRED' })
  expect(findCheckpoint(view, 1)).toMatchObject({ status: 'FAILED', endedAt: 200 })
  expect(view.failed).toBe(1)
})

test('completion seals with the figures of the coordinator, and the next one takes its columns from it', () => {
  const completed = feed([
    TRIGGER,
    [150, { type: 'SyncSnapshotEnded', checkpointId: 1, parts: [{ operator: GRAPH.vertices[2]!.chain[0]!.operatorId, kind: 'operator', entries: 1 }], ...at(SINK, 0) }],
    [300, { type: 'CheckpointCompleted', checkpointId: 1, externalPath: '/x/chk-1', checkpointedBytes: 900, stateBytes: 950, durationMicros: 200 }],
    [301, { type: 'CheckpointCompleteNotified', checkpointId: 1, ...at(SINK, 0) }],
    [400, { type: 'CheckpointTriggered', checkpointId: 2, periodic: false, tasks: 5 }],
  ])
  expect(findCheckpoint(completed, 1)).toMatchObject({ status: 'COMPLETED', checkpointedBytes: 900, notified: 1 })
  expect(completed.latestCompleted).toBe(1)
  const sink = findCheckpoint(completed, 2)?.subtasks.find((subtask) => subtask.vertex === SINK)
  expect(sink?.cells.operator.kind).toBe('waiting')
  expect(sink?.cells.transactions.kind).toBe('none')
})

const acknowledged = (time: number, metrics: Partial<typeof METRICS> = {}): [number, EventBody] => [
  time,
  { type: 'CheckpointAcknowledged', checkpointId: 1, acknowledged: 1, tasks: 5, metrics: { ...METRICS, ...metrics }, ...at(KEYED, 0) },
]

test('the duration is up to the last acknowledgement, as the coordinator reckons it, not up to the word of completion', () => {
  const done = feed([TRIGGER, acknowledged(650), [679, { type: 'CheckpointCompleted', checkpointId: 1, externalPath: '/x', checkpointedBytes: 1, stateBytes: 1, durationMicros: 540 }]])
  const record = findCheckpoint(done, 1)!
  expect([record.triggeredAt, record.endedAt, checkpointAge(record, 9000)]).toEqual([110, 650, 540])
})

test('the in-flight column fills with the bytes that the barriers overtook, beside the other parts', () => {
  const keyed = { operator: GRAPH.vertices[1]!.chain[0]!.operatorId, kind: 'keyed', entries: 6 } as const
  const steps: [number, EventBody][] = [
    barrier(110, 0, 1),
    [110, { type: 'UnalignedSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }],
    [111, { type: 'SyncSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }],
    [112, { type: 'SyncSnapshotEnded', checkpointId: 1, parts: [keyed], ...at(KEYED, 0) }],
    barrier(140, 1, 2),
    [141, { type: 'InFlightPersisted', checkpointId: 1, inputBytes: 300, outputBytes: 100, ...at(KEYED, 0) }],
    acknowledged(150, { persistedBytes: 400, checkpointedBytes: 537 }),
  ]
  const cells = steps.map((_, index) => row(feed([TRIGGER, ...steps.slice(0, index + 1)]), KEYED, 0).cells)
  expect(cells.map((cell) => cell['in-flight'].kind)).toEqual(['none', 'sync', 'sync', 'sync', 'sync', 'async', 'acknowledged'])
  expect(cells.map((cell) => cell.keyed.kind)).toEqual(['aligning', 'aligning', 'sync', 'async', 'async', 'async', 'acknowledged'])
  expect(cells[6]).toMatchObject({ 'in-flight': { bytes: 400 }, keyed: { bytes: 137, entries: 6 } })
})

test('a checkpoint is unaligned once it holds in-flight data, aligned without, and a savepoint is a savepoint', () => {
  const type = (steps: [number, EventBody][]) => checkpointType(findCheckpoint(feed(steps), 1)!)
  expect(type([TRIGGER, barrier(110, 0, 1), [110, { type: 'UnalignedSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }], acknowledged(150)])).toBe('aligned')
  expect(type([TRIGGER, [141, { type: 'InFlightPersisted', checkpointId: 1, inputBytes: 300, outputBytes: 0, ...at(KEYED, 0) }]])).toBe('unaligned')
  expect(type([TRIGGER, acknowledged(150, { persistedBytes: 1 })])).toBe('unaligned')
  expect(type([[100, { type: 'CheckpointTriggered', checkpointId: 1, periodic: false, tasks: 5, savepoint: true }]])).toBe('savepoint')
})

test('where nothing was overtaken the in-flight column has a dash again, though a checkpoint before held in-flight data', () => {
  const second = (steps: [number, EventBody][]): [number, EventBody][] => steps.map(([time, body]) => [time + 1000, { ...body, checkpointId: 2 } as EventBody])
  const first: [number, EventBody][] = [TRIGGER, acknowledged(150, { persistedBytes: 400 }), [160, { type: 'CheckpointCompleted', checkpointId: 1, externalPath: '/x', checkpointedBytes: 1, stateBytes: 1, durationMicros: 1 }]]
  const inFlight = (steps: [number, EventBody][]) => findCheckpoint(feed(steps), 2)?.subtasks.find(({ vertex, subtask }) => vertex === KEYED && subtask === 0)?.cells['in-flight'].kind
  expect(inFlight([...first, ...second([TRIGGER])])).toBe('waiting')
  expect(inFlight([...first, ...second([TRIGGER, acknowledged(150)])])).toBe('none')
})

test('checkpoints that were under way end with the JobManager that triggered them, and the next one is the current one', () => {
  const again: [number, EventBody] = [120, { type: 'CheckpointTriggered', checkpointId: 2, periodic: false, tasks: 5 }]
  const view = feed([TRIGGER, barrier(110, 0, 1), again, [150, { type: 'LeadershipGranted', token: 2, recoveredJob: null }]])
  expect(view.history.map(({ id, status, endedAt }) => ({ id, status, endedAt }))).toEqual([
    { id: 1, status: 'FAILED', endedAt: 150 },
    { id: 2, status: 'FAILED', endedAt: 150 },
  ])
  expect(view.failed).toBe(0)
  expect(row(view, KEYED, 0).phase).toBe('aborted')
  expect(findCheckpoint(view, 1)?.message).toMatch(/JobManager/)
  const next = feed([[200, { type: 'CheckpointTriggered', checkpointId: 3, periodic: true, tasks: 5 }]], view)
  expect(currentCheckpoint(next)?.id).toBe(3)
})

test('a new leader changes nothing at checkpoints that have ended', () => {
  const done: [number, EventBody] = [130, { type: 'CheckpointCompleted', checkpointId: 1, externalPath: '/c', checkpointedBytes: 1, stateBytes: 1, durationMicros: 30 }]
  const before = feed([TRIGGER, done])
  expect(feed([[150, { type: 'LeadershipGranted', token: 2, recoveredJob: null }]], before).history).toEqual(before.history)
})

const HELD = { type: 'SnapshotMemoryChanged', checkpoints: [{ checkpointId: 1, bytes: 10 }, { checkpointId: 2, bytes: 20 }], totalBytes: 30 } as const

test('what the JobManager holds is what it said last', () => {
  expect(feed([[1, HELD]]).held).toEqual(HELD.checkpoints)
  expect(feed([[1, HELD], [2, { ...HELD, checkpoints: [], totalBytes: 0 }]]).held).toEqual([])
})

test('what the JobManager holds is lost with it', () => {
  expect(feed([[1, HELD], [2, { type: 'LeadershipGranted', token: 2, recoveredJob: null }]]).held).toEqual([])
})

test('the duration of one that has ended is the difference of whole milliseconds in the table, in the narration too; under 10 ms it is told in tenths', () => {
  const lasting = (durationMicros: number) => {
    const bodies: readonly [number, EventBody][] = [
      [700, { type: 'CheckpointTriggered', checkpointId: 9, periodic: true, tasks: 1 }],
      [700 + durationMicros, { type: 'CheckpointCompleted', checkpointId: 9, externalPath: '/c', checkpointedBytes: 20, stateBytes: 20, durationMicros }],
    ]
    const run = reduceRun(emptyRunView(GRAPH), bodies.map(([time, body]) => event(time, body)), [])
    const record = findCheckpoint(run.checkpoints, 9)
    return [record === undefined ? null : checkpointAge(record, 9_000_000), run.narration.at(-1)?.text]
  }
  expect(lasting(154_400)).toEqual([155_000, 'Checkpoint 9 is complete after 155 ms: 20 B written.'])
  expect(lasting(9400)).toEqual([9400, 'Checkpoint 9 is complete after 9.4 ms: 20 B written.'])
})
