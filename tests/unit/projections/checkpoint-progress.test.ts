import { expect, test } from 'vitest'
import type { EventBody } from '../../../workers/model/events.ts'
import type { TaskReport } from '../../../workers/model/report.ts'
import { findProgress, motionOf, quietMicros, stuckMicros } from '../../../workers/projections/checkpoint-progress.ts'
import { barrierWaits } from '../../../workers/projections/barrier-waits.ts'
import { findCheckpoint } from '../../../workers/projections/checkpoint-view.ts'
import { emptyRunView, reduceRun } from '../../../workers/projections/run-view.ts'
import type { RunView } from '../../../workers/projections/run-view.ts'
import { at, channel, event, GRAPH, KEYED, report, SOURCE } from './fixture.ts'

const TIMEOUT = 10_000_000
const QUIET = 500_000
const STUCK = 2_000_000
const SECOND = 1_000_000

const BEGUN: readonly (readonly [number, EventBody])[] = [
  [0, { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 }],
  [10, { type: 'BarrierEmitted', checkpointId: 1, channels: [channel(0, 0, 0), channel(0, 0, 1)], ...at(SOURCE, 0) }],
  [10, { type: 'BarrierEmitted', checkpointId: 1, channels: [channel(0, 1, 0), channel(0, 1, 1)], ...at(SOURCE, 1) }],
  [SECOND, { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, 1, 0), arrived: 1, expected: 2, ...at(KEYED, 0) }],
  [SECOND, { type: 'ChannelBlocked', checkpointId: 1, channel: channel(0, 1, 0), ...at(KEYED, 0) }],
]

const input = (from: number, buffers: number, records: number, ahead: number | null) => ({
  channel: channel(0, from, 0),
  blocked: from === 1,
  buffers,
  records,
  bytes: 0,
  barrier: ahead === null ? null : { checkpointId: 1, buffersAhead: ahead, recordsAhead: ahead * 10 },
})

function runWith(reports: readonly TaskReport[], more: readonly (readonly [number, EventBody])[] = []): RunView {
  return reduceRun(emptyRunView(GRAPH), [...BEGUN, ...more].map(([time, body]) => event(time, body)), reports)
}

const motionAfter = (run: RunView): string => {
  const progress = findProgress(run.progress, 1)
  if (progress === undefined) throw new Error('progress of checkpoint 1')
  return motionOf(progress, TIMEOUT).motion
}

const working = (time: number, recordsIn: number): TaskReport => report(KEYED, 0, { at: time, recordsIn, inputs: [input(0, 4, 40, 3), input(1, 0, 0, null)] })

test('the limits are a twentieth of the timeout and four times that, and never more than 5 s and 20 s', () => {
  expect([quietMicros(TIMEOUT), stuckMicros(TIMEOUT)]).toEqual([QUIET, STUCK])
  expect([quietMicros(600 * SECOND), stuckMicros(600 * SECOND)]).toEqual([5 * SECOND, 20 * SECOND])
})

test('moving: an event of the checkpoint within the limit', () => {
  expect(motionAfter(runWith([working(SECOND + QUIET, 5)]))).toBe('moving')
})

test('slow: no event, but a subtask that still awaits a barrier works off records', () => {
  const run = runWith([working(SECOND + 1, 5), working(SECOND + 4 * STUCK, 6)])
  expect(motionAfter(run)).toBe('slow')
})

test('stuck: nobody who has to take its snapshot works off anything', () => {
  expect(motionAfter(runWith([working(SECOND + 1, 5), working(SECOND + STUCK + 1, 5)]))).toBe('stuck')
})

test('records of a subtask that has taken its snapshot already, or of a source, are no progress', () => {
  const taken = [[SECOND + 5, { type: 'SyncSnapshotStarted', checkpointId: 1, ...at(KEYED, 0) }]] as const
  expect(motionAfter(runWith([working(2 * SECOND, 5), working(9 * SECOND, 500)], taken))).toBe('stuck')
  const source = (time: number, recordsIn: number): TaskReport => report(SOURCE, 0, { at: time, recordsIn })
  expect(motionAfter(runWith([source(2 * SECOND, 5), source(9 * SECOND, 500)]))).toBe('stuck')
})

test('what has not been reported yet is not held against it', () => {
  expect(motionAfter(runWith([]))).toBe('moving')
})

test('the awaited channel shows what stands before and behind its barrier, the blocked one what it is blocked with', () => {
  const run = runWith([report(KEYED, 0, { at: 2 * SECOND, inputs: [input(0, 5, 50, 3), input(1, 2, 9, null)] })])
  const record = findCheckpoint(run.checkpoints, 1)
  const [waits, other] = record === undefined ? [] : barrierWaits(record, run.channels, GRAPH)
  expect(waits?.awaited).toMatchObject([{ channel: channel(0, 0, 0), state: 'awaited', place: 'input', ahead: { buffers: 3, records: 30 }, behind: { buffers: 2, records: 20 } }])
  expect(waits?.arrived).toMatchObject([{ channel: channel(0, 1, 0), state: 'blocked', behind: { buffers: 2, records: 9 } }])
  expect(other?.awaited.map(({ place }) => place)).toEqual(['sent', 'sent'])
})

test('a barrier that its sender has not let go has no place yet', () => {
  const run = reduceRun(emptyRunView(GRAPH), BEGUN.filter(([, body]) => body.type !== 'BarrierEmitted' || body.subtask === 1).map(([time, body]) => event(time, body)), [])
  const record = findCheckpoint(run.checkpoints, 1)
  const [waits] = record === undefined ? [] : barrierWaits(record, run.channels, GRAPH)
  expect(waits?.awaited).toMatchObject([{ channel: channel(0, 0, 0), place: 'not-sent', ahead: null }])
})
