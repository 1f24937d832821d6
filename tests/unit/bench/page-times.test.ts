import { expect, test } from 'vitest'
import { pageTimes } from '../../../bench/page/page-times.ts'
import type { EngineEvent } from '../../../workers/model/events.ts'

const CLOCK = { marked: 5, at: (time: number): number => time / 1000 }
const event = (at: number, type: string, checkpointId: number, vertex = 'count', subtask = 0): EngineEvent => ({ at, body: { type, checkpointId, vertex, subtask } }) as unknown as EngineEvent

test('a snapshot lasts from its synchronous part to the end of the asynchronous one, subtask by subtask', () => {
  const seen = [
    event(1000, 'SyncSnapshotStarted', 1),
    event(1500, 'SyncSnapshotStarted', 1, 'count', 1),
    event(1600, 'SyncSnapshotStarted', 1, 'sink'),
    event(1700, 'AsyncSnapshotEnded', 1, 'sink'),
    event(2000, 'SyncSnapshotStarted', 2),
    event(3000, 'AsyncSnapshotEnded', 1),
    event(3500, 'AsyncSnapshotEnded', 1, 'count', 1),
    event(4000, 'AsyncSnapshotEnded', 2),
    event(5000, 'SyncSnapshotStarted', 3),
  ]
  expect(pageTimes(CLOCK, { start: 500, end: 6000 }, seen, 'count' as never)).toEqual({
    marked: 5,
    run: { from: 0.5, to: 6 },
    snapshots: [[{ from: 1, to: 3 }, { from: 2, to: 4 }], [{ from: 1.5, to: 3.5 }]],
  })
})
