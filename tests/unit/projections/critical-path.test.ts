import { expect, test } from 'vitest'
import type { EventBody } from '../../../workers/model/events.ts'
import type { JobGraph } from '../../../workers/model/job-graph.ts'
import { findCheckpoint } from '../../../workers/projections/checkpoint-view.ts'
import { criticalPath } from '../../../workers/projections/critical-path.ts'
import type { CriticalPath } from '../../../workers/projections/critical-path.ts'
import { emptyRunView, reduceRunEvent } from '../../../workers/projections/run-view.ts'
import { at, channel, event, GRAPH, KEYED, SINK, SOURCE } from './fixture.ts'

const SETTINGS = { linkLatencyMicros: 20 } as JobGraph['settings']
const LINKED: JobGraph = { ...GRAPH, settings: SETTINGS }
const METRICS = { startDelayMicros: 0, alignmentMicros: 0, syncMicros: 0, asyncMicros: 0, processedBytes: 0, persistedBytes: 0, checkpointedBytes: 1, stateBytes: 1, measured: false }

type Timed = readonly [at: number, body: EventBody]

function pathAfter(events: readonly Timed[], now: number): CriticalPath {
  let view = emptyRunView(LINKED)
  for (const [time, body] of events) view = reduceRunEvent(view, event(time, body))
  const record = findCheckpoint(view.checkpoints, 1)
  const path = record === undefined ? null : criticalPath(record, LINKED, now)
  if (path === null) throw new Error('there is a path')
  return path
}

const words = (path: CriticalPath): string[] => path.segments.map((segment) => `${segment.kind} ${segment.vertex === SOURCE ? 'source' : segment.vertex === KEYED ? 'keyed' : 'sink'} ${segment.subtask} ${segment.to - segment.from}${segment.open ? ' open' : ''}`)

const snapshot = (vertex: typeof SOURCE, subtask: number, from: number, acknowledged: number, number: number): Timed[] => [
  [from, { type: 'SyncSnapshotStarted', checkpointId: 1, ...at(vertex, subtask) }],
  [from + 2, { type: 'SyncSnapshotEnded', checkpointId: 1, parts: [], ...at(vertex, subtask) }],
  [from + 12, { type: 'AsyncSnapshotEnded', checkpointId: 1, bytes: 1, ...at(vertex, subtask) }],
  [acknowledged, { type: 'CheckpointAcknowledged', checkpointId: 1, acknowledged: number, tasks: 5, metrics: METRICS, ...at(vertex, subtask) }],
]

const SENT: Timed[] = [
  [100, { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 }],
  [105, { type: 'BarrierEmitted', checkpointId: 1, channels: [channel(0, 0, 0), channel(0, 0, 1)], ...at(SOURCE, 0) }],
  ...snapshot(SOURCE, 0, 105, 120, 1),
  [106, { type: 'BarrierEmitted', checkpointId: 1, channels: [channel(0, 1, 0), channel(0, 1, 1)], ...at(SOURCE, 1) }],
  ...snapshot(SOURCE, 1, 106, 121, 2),
]

const ALIGNED: Timed[] = [
  ...SENT,
  [130, { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, 1, 0), arrived: 1, expected: 2, ...at(KEYED, 0) }],
  [300, { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, 0, 0), arrived: 2, expected: 2, ...at(KEYED, 0) }],
  [300, { type: 'AlignmentCompleted', checkpointId: 1, alignmentMicros: 170, ...at(KEYED, 0) }],
  [300, { type: 'BarrierEmitted', checkpointId: 1, channels: [channel(1, 0, 0)], ...at(KEYED, 0) }],
  ...snapshot(KEYED, 0, 300, 320, 3),
  [131, { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, 0, 1), arrived: 1, expected: 2, ...at(KEYED, 1) }],
  [140, { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, 1, 1), arrived: 2, expected: 2, ...at(KEYED, 1) }],
  [140, { type: 'BarrierEmitted', checkpointId: 1, channels: [channel(1, 1, 0)], ...at(KEYED, 1) }],
  ...snapshot(KEYED, 1, 140, 160, 4),
  [165, { type: 'BarrierArrived', checkpointId: 1, channel: channel(1, 1, 0), arrived: 1, expected: 2, ...at(SINK, 0) }],
  [325, { type: 'BarrierArrived', checkpointId: 1, channel: channel(1, 0, 0), arrived: 2, expected: 2, ...at(SINK, 0) }],
  [330, { type: 'SyncSnapshotStarted', checkpointId: 1, ...at(SINK, 0) }],
  [332, { type: 'SyncSnapshotEnded', checkpointId: 1, parts: [], ...at(SINK, 0) }],
  [392, { type: 'AsyncSnapshotEnded', checkpointId: 1, bytes: 1, ...at(SINK, 0) }],
  [400, { type: 'CheckpointAcknowledged', checkpointId: 1, acknowledged: 5, tasks: 5, metrics: METRICS, ...at(SINK, 0) }],
  [401, { type: 'CheckpointCompleted', checkpointId: 1, externalPath: '/x', checkpointedBytes: 5, stateBytes: 5, durationMicros: 300 }],
]

test('the path goes back from the last acknowledgement along the barrier that came last, to the source that let it go', () => {
  const path = pathAfter(ALIGNED, 500)
  expect(words(path)).toEqual([
    'trigger source 0 5',
    'wire keyed 0 20',
    'queue keyed 0 175',
    'wire sink 0 20',
    'queue sink 0 5',
    'pre-barrier sink 0 5',
    'sync sink 0 2',
    'async sink 0 60',
    'acknowledgement sink 0 8',
  ])
  expect(path).toMatchObject({ durationMicros: 300, isComplete: true })
  expect(path.segments.find((segment) => segment.kind === 'queue')?.channel).toBe(channel(0, 0, 0))
})

test('while a barrier is missing the path so far ends on its channel, with what it has waited until now', () => {
  const path = pathAfter([...SENT, [130, { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, 1, 0), arrived: 1, expected: 2, ...at(KEYED, 0) }]], 250)
  expect(words(path)).toEqual(['trigger source 0 5', 'wire keyed 0 20', 'queue keyed 0 125 open'])
  expect(path).toMatchObject({ durationMicros: 150, isComplete: false })
})

test('a source that has not taken the trigger is what the whole checkpoint waits for', () => {
  expect(words(pathAfter(SENT.slice(0, 1), 180))).toEqual(['trigger source 0 80 open'])
})

test('unaligned: the last barrier, and not the snapshot taken at the first, decides when the in-flight data is written', () => {
  const path = pathAfter(
    [
      ...SENT,
      [130, { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, 1, 0), arrived: 1, expected: 2, ...at(KEYED, 0) }],
      [130, { type: 'UnalignedSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }],
      [130, { type: 'BarrierEmitted', checkpointId: 1, channels: [channel(1, 0, 0)], ...at(KEYED, 0) }],
      [130, { type: 'SyncSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }],
      [132, { type: 'SyncSnapshotEnded', checkpointId: 1, parts: [], ...at(KEYED, 0) }],
      [200, { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, 0, 0), arrived: 2, expected: 2, ...at(KEYED, 0) }],
      [210, { type: 'AsyncSnapshotEnded', checkpointId: 1, bytes: 1, ...at(KEYED, 0) }],
      [220, { type: 'CheckpointAcknowledged', checkpointId: 1, acknowledged: 5, tasks: 5, metrics: METRICS, ...at(KEYED, 0) }],
      [221, { type: 'CheckpointCompleted', checkpointId: 1, externalPath: '/x', checkpointedBytes: 5, stateBytes: 5, durationMicros: 120 }],
    ],
    500,
  )
  expect(words(path)).toEqual(['trigger source 0 5', 'wire keyed 0 20', 'queue keyed 0 75', 'async keyed 0 10', 'acknowledgement keyed 0 10'])
})

test('where events are told a moment after the fact, the path adds up to the duration that the coordinator measured', () => {
  const told = ALIGNED.map(([time, body]) => (body.type === 'CheckpointCompleted' ? ([time, { ...body, durationMicros: 304 }] as const) : ([time, body] as const)))
  const path = pathAfter(told, 500)
  expect(words(path)[0]).toBe('trigger source 0 9')
  expect(path.durationMicros).toBe(304)
  expect(path.segments.at(-1)?.to).toBe(304)
})

test('of an aborted checkpoint the path is what was known at its end, whatever still arrives behind it', () => {
  const told = ALIGNED.filter(([, { type }]) => type !== 'CheckpointCompleted').toSorted(([a], [b]) => a - b)
  for (const end of [103, 110, 125, 145, 250, 299, 310, 328, 331, 350, 395]) {
    const aborted: Timed = [end, { type: 'CheckpointAborted', checkpointId: 1, reason: 'CHECKPOINT_EXPIRED', message: 'Checkpoint expired before completing.' }]
    const before = [...told.filter(([time]) => time <= end), aborted]
    const late = told.filter(([time, { type }]) => time > end && type !== 'CheckpointAcknowledged')
    expect(words(pathAfter([...before, ...late], 900)), `ended at ${end}`).toEqual(words(pathAfter(before, end)))
  }
})
