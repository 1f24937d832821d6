import { describe, expect, it } from 'vitest'
import type { CheckpointMetrics } from '../../../workers/model/checkpoint.ts'
import type { EngineEvent, EventBody, EventOf } from '../../../workers/model/events.ts'
import type { ChannelId, ExecutionAttemptId, JobId, OperatorId, TaskManagerId, VertexId } from '../../../workers/model/ids.ts'
import { Alignment } from '../../../workers/invariants/alignment.ts'
import { Watch } from '../../../workers/invariants/checker.ts'
import { eventCheckers } from '../../../workers/invariants/event-checkers.ts'
import { StopWithSavepointOrder } from '../../../workers/invariants/stop-with-savepoint.ts'

const JOB = 'j' as JobId
const TM = 'tm-1' as TaskManagerId
const A = { attempt: 'v_0_0' as ExecutionAttemptId, vertex: 'v' as VertexId, subtask: 0 }
const CHANNEL = '0:0>0' as ChannelId
const OPERATOR = 'o' as OperatorId
const METRICS: CheckpointMetrics = {
  startDelayMicros: 1, alignmentMicros: 1, syncMicros: 1, asyncMicros: 1, processedBytes: 0, persistedBytes: 0, checkpointedBytes: 10, stateBytes: 10, measured: false,
}

const jm = (body: EventBody): readonly [string, EventBody] => ['jobmanager', body]
const task = (body: EventBody): readonly [string, EventBody] => [A.attempt, body]

const START = [
  jm({ type: 'LeadershipGranted', token: 1, recoveredJob: null }),
  jm({ type: 'JobSubmitted', job: JOB, name: 'job' }),
  jm({ type: 'JobStatusChanged', job: JOB, from: 'INITIALIZING', to: 'CREATED' }),
  jm({ type: 'JobStatusChanged', job: JOB, from: 'CREATED', to: 'RUNNING' }),
  jm({ type: 'TaskManagerRegistered', taskManager: TM, slots: 1 }),
  jm({ type: 'TaskStateChanged', ...A, to: 'SCHEDULED', taskManager: null }),
  jm({ type: 'TaskStateChanged', ...A, to: 'DEPLOYING', taskManager: TM }),
  jm({ type: 'TaskStateChanged', ...A, to: 'INITIALIZING', taskManager: TM }),
  jm({ type: 'TaskStateChanged', ...A, to: 'RUNNING', taskManager: TM }),
]
const TRIGGER = jm({ type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 1 })
const SNAPSHOT = [
  task({ type: 'BarrierArrived', checkpointId: 1, channel: CHANNEL, arrived: 1, expected: 1, ...A }),
  task({ type: 'BarrierEmitted', checkpointId: 1, channels: [], ...A }),
  task({ type: 'SyncSnapshotStarted', checkpointId: 1, ...A }),
  task({ type: 'TransactionPreCommitted', operator: OPERATOR, transaction: 't1', rows: 1, ...A }),
  task({ type: 'SyncSnapshotEnded', checkpointId: 1, parts: [], ...A }),
  task({ type: 'AsyncSnapshotEnded', checkpointId: 1, bytes: 10, ...A }),
]
const ACK = jm({ type: 'CheckpointAcknowledged', checkpointId: 1, ...A, acknowledged: 1, tasks: 1, metrics: METRICS })
const COMPLETE = jm({ type: 'CheckpointCompleted', checkpointId: 1, externalPath: '/c/chk-1', checkpointedBytes: 10, stateBytes: 10, durationMicros: 0 })
const SAVEPOINT_COMPLETE = jm({ type: 'CheckpointCompleted', checkpointId: 1, externalPath: '/s', checkpointedBytes: 10, stateBytes: 10, durationMicros: 0, savepoint: true })
const COMMIT = task({ type: 'TransactionCommitted', operator: OPERATOR, transaction: 't1', rows: 1, ...A })
const GOOD = [...START, TRIGGER, ...SNAPSHOT, ACK, COMPLETE, COMMIT]

function watch(log: readonly (readonly [string, EventBody])[]): Watch {
  const sequences = new Map<string, number>()
  const result = new Watch(eventCheckers())
  log.forEach(([source, body], at) => {
    const sequence = (sequences.get(source) ?? 0) + 1
    sequences.set(source, sequence)
    result.observe({ at, source, sequence, body })
  })
  return result
}

const invariants = (log: readonly (readonly [string, EventBody])[]): string[] => watch(log).violations.map((violation) => violation.invariant)
const without = (entry: readonly [string, EventBody]) => GOOD.filter((other) => other !== entry)

describe('a log without a mistake', () => {
  it('of a job that stops with a savepoint: it commits, and its tasks finish then', () => {
    const waits = task({ type: 'SynchronousSavepointAwaited', checkpointId: 1, ...A })
    const stops = jm({ ...(SAVEPOINT_COMPLETE[1] as EventOf<'CheckpointCompleted'>), stops: true })
    const finished = jm({ type: 'TaskStateChanged', ...A, to: 'FINISHED', taskManager: TM })
    expect(watch([...START, TRIGGER, ...SNAPSHOT, waits, ACK, stops, COMMIT, finished]).violations).toEqual([])
  })

  it('of a job that comes after one that the next leader does not know: its numbers begin anew', () => {
    const granted = (recoveredJob: JobId | null) => jm({ type: 'LeadershipGranted', token: 2, recoveredJob })
    const again = [...START.slice(1), TRIGGER]
    expect(watch([...GOOD, granted(null), ...again]).violations).toEqual([])
    expect(invariants([...GOOD, granted(JOB), ...again])).toContain('checkpoint-lifecycle')
  })

  it('a source that has stopped reads nothing', () => {
    const checker = new StopWithSavepointOrder()
    const read = { type: 'read', at: 1, attempt: A.attempt, record: { partition: 0, offset: 0, branch: 0, replayed: false, label: 'k', checkpoint: 1 } } as const
    expect(checker.checkTrace(read)).toBeNull()
    checker.check({ at: 0, source: A.attempt, sequence: 1, body: { type: 'SourceStopped', checkpointId: 1, drain: false, ...A } })
    expect(checker.checkTrace(read)).toContain('after it had stopped')
  })

  it('violates nothing', () => {
    expect(watch(GOOD).violations).toEqual([])
  })
})

describe('each invariant finds its mistake', () => {
  const cases: readonly (readonly [string, readonly (readonly [string, EventBody])[]])[] = [
    ['job-states', [...GOOD, jm({ type: 'JobStatusChanged', job: JOB, from: 'RUNNING', to: 'CANCELED' })]],
    ['job-states', [...GOOD, jm({ type: 'JobStatusChanged', job: JOB, from: 'FAILING', to: 'FAILED' })]],
    ['task-states', [...GOOD, jm({ type: 'TaskStateChanged', ...A, to: 'INITIALIZING', taskManager: TM })]],
    ['references', [...GOOD, jm({ type: 'TaskStateChanged', ...A, to: 'CANCELING', taskManager: 'tm-9' as TaskManagerId })]],
    ['references', [...GOOD, ['v_1_0', { type: 'EndOfDataReached', ...A }]]],
    ['checkpoint-lifecycle', [...GOOD, TRIGGER]],
    ['checkpoint-lifecycle', without(ACK)],
    ['checkpoint-lifecycle', without(TRIGGER)],
    ['checkpoint-lifecycle', [...GOOD, jm({ type: 'CheckpointAborted', checkpointId: 1, reason: 'CHECKPOINT_EXPIRED', message: '' })]],
    ['checkpoint-lifecycle', [...START, TRIGGER, jm({ type: 'CheckpointRestored', checkpointId: 1, externalPath: '/c/chk-1' })]],
    ['snapshot-order', [...START, TRIGGER, ...SNAPSHOT.toReversed()]],
    ['snapshot-order', [...START, TRIGGER, task({ type: 'BarrierArrived', checkpointId: 1, channel: CHANNEL, arrived: 1, expected: 2, ...A }), ...SNAPSHOT.slice(1)]],
    ['transactions', [...START, TRIGGER, ...SNAPSHOT, COMMIT]],
    ['transactions', [...GOOD, task({ type: 'TransactionAborted', operator: OPERATOR, transaction: 't1', rows: 1, ...A })]],
    ['stop-with-savepoint', [...START, TRIGGER, ...SNAPSHOT, task({ type: 'SynchronousSavepointAwaited', checkpointId: 1, ...A }), jm({ type: 'TaskStateChanged', ...A, to: 'FINISHED', taskManager: TM })]],
    ['transactions', [...START, TRIGGER, ...SNAPSHOT, ACK, SAVEPOINT_COMPLETE, COMMIT]],
  ]
  it.each(cases)('%s', (invariant, log) => {
    expect(invariants(log)).toContain(invariant)
  })

  it('event-order: a gap, and a clock that goes back', () => {
    const body: EventBody = { type: 'RestoredEmpty' }
    const found = (events: readonly EngineEvent[]): string[] => {
      const result = new Watch(eventCheckers())
      for (const event of events) result.observe(event)
      return result.violations.map((violation) => violation.invariant)
    }
    const first = { at: 5, source: 'jobmanager', sequence: 1, body }
    expect(found([first, { ...first, sequence: 2 }])).toEqual([])
    expect(found([first, { ...first, sequence: 3 }])).toEqual(['event-order'])
    expect(found([first, { ...first, sequence: 2, at: 4 }])).toEqual(['event-order'])
  })

  it('alignment: a record of a channel whose barrier has come', () => {
    const checker = new Alignment()
    const taken = { type: 'taken', at: 1, channel: CHANNEL, attempt: A.attempt, until: 1 } as const
    const barrier: EventBody = { type: 'BarrierArrived', checkpointId: 1, channel: CHANNEL, arrived: 1, expected: 2, ...A }
    checker.check({ at: 0, source: A.attempt, sequence: 1, body: barrier })
    expect(checker.checkTrace(taken)).toContain('behind barrier 1')
    checker.check({ at: 0, source: A.attempt, sequence: 2, body: { type: 'ChannelUnblocked', checkpointId: 1, channel: CHANNEL, ...A } })
    expect(checker.checkTrace(taken)).toBeNull()
  })

  it('alignment: barriers of an at-least-once checkpoint close nothing', () => {
    const checker = new Alignment()
    checker.check({ at: 0, source: 'jobmanager', sequence: 1, body: { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 2, atLeastOnce: true } })
    checker.check({ at: 0, source: A.attempt, sequence: 1, body: { type: 'BarrierArrived', checkpointId: 1, channel: CHANNEL, arrived: 1, expected: 2, ...A } })
    expect(checker.checkTrace({ type: 'taken', at: 1, channel: CHANNEL, attempt: A.attempt, until: 1 })).toBeNull()
  })
})
