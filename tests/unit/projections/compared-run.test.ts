import { expect, test } from 'vitest'
import type { EventBody } from '../../../workers/model/events.ts'
import { EMPTY_CHECKPOINT_VIEW, findCheckpoint } from '../../../workers/projections/checkpoint-view.ts'
import type { CheckpointRecord } from '../../../workers/projections/checkpoint-view.ts'
import { ASSUMED_INTERVAL_MICROS, comparedInterval, persistedInFlight } from '../../../workers/projections/compared-run.ts'
import { reduceCheckpoints } from '../../../workers/projections/reduce-checkpoints.ts'
import { at, event, GRAPH, KEYED, METRICS } from './fixture.ts'

/** Triggered, acknowledged by one subtask that persisted so much, then what is given. */
function recordOf(persistedBytes: number, ...after: readonly EventBody[]): CheckpointRecord {
  const bodies: readonly EventBody[] = [
    { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 },
    { type: 'CheckpointAcknowledged', checkpointId: 1, acknowledged: 1, tasks: 5, metrics: { ...METRICS, persistedBytes }, ...at(KEYED, 0) },
    ...after,
  ]
  const record = findCheckpoint(bodies.reduce((view, body, i) => reduceCheckpoints(view, event(i, body), GRAPH), EMPTY_CHECKPOINT_VIEW), 1)
  if (record === undefined) throw new Error('no checkpoint')
  return record
}

const EXPIRED: EventBody = { type: 'CheckpointAborted', checkpointId: 1, reason: 'CHECKPOINT_EXPIRED', message: 'expired' }
const RESTARTED: EventBody = { type: 'CheckpointAborted', checkpointId: 1, reason: 'JOB_FAILOVER_REGION', message: 'restarted' }

test('an aligned checkpoint that failed has persisted nothing in flight, and tells whether it expired', () => {
  expect(persistedInFlight('aligned', recordOf(0, EXPIRED))).toEqual({ bytes: 0, failed: 'expired' })
  expect(persistedInFlight('aligned', recordOf(0, RESTARTED))).toEqual({ bytes: 0, failed: 'failed' })
  expect(persistedInFlight('aligned', recordOf(0))).toEqual({ bytes: 0, failed: null })
})

test('an unaligned one that failed, or is under way, has no whole account of what it persisted', () => {
  expect(persistedInFlight('unaligned', recordOf(64, EXPIRED))).toBeNull()
  expect(persistedInFlight('unaligned', recordOf(64))).toBeNull()
})

test('a job without an interval is compared with the assumed one; min-pause raises either', () => {
  expect(comparedInterval({ intervalMicros: null, minPauseMicros: 0 })).toEqual({ intervalMicros: ASSUMED_INTERVAL_MICROS, assumed: true, periodMicros: ASSUMED_INTERVAL_MICROS })
  expect(comparedInterval({ intervalMicros: null, minPauseMicros: 30_000_000 })).toMatchObject({ assumed: true, periodMicros: 30_000_000 })
  expect(comparedInterval({ intervalMicros: 5_000_000, minPauseMicros: 0 })).toEqual({ intervalMicros: 5_000_000, assumed: false, periodMicros: 5_000_000 })
})
