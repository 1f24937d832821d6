/** Every reason that the JobManager gives itself, raised where Flink raises it (behaviour 4), and what comes of it in counts and for the job. */
import { describe, expect, it } from 'vitest'
import { CHECKPOINT_FAILURE_REASONS } from '../../../workers/model/checkpoint.ts'
import type { CheckpointFailureReason } from '../../../workers/model/checkpoint.ts'
import type { StorageOp } from '../../../workers/model/storage.ts'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

const C = 'execution.checkpointing.'
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => index.toString(16).padStart(32, '0'))
const withoutInterval = () => {
  const { 'execution.checkpointing.interval': _, ...config } = testJob().config!
  return { ...testJob(), config }
}
const counts = (cluster: Cluster): { readonly total: number; readonly failed: number } => {
  const { total, failed } = cluster.machine.job!.coordinator.statistics
  return { total, failed }
}
const rejections = (cluster: Cluster): readonly (readonly [string, boolean])[] =>
  cluster.all('CheckpointRequestRejected').map(({ reason, periodic }) => [reason, periodic] as const)
const aborts = (cluster: Cluster): readonly (readonly [number, string])[] => cluster.all('CheckpointAborted').map(({ checkpointId, reason }) => [checkpointId, reason] as const)
const isCompletion = (op: StorageOp): boolean => op.type === 'transact' && op.writes.some(({ path }) => path.endsWith('/_metadata'))
const trip = (cluster: Cluster): boolean => cluster.machine.status === 'RESTARTING'

/** Behaviour 4, row by row: reason, failed before it was pending, counts against tolerable-failed-checkpoints. */
const TABLE: Readonly<Record<CheckpointFailureReason, readonly [preFlight: boolean, counted: boolean]>> = {
  PERIODIC_SCHEDULER_SHUTDOWN: [true, false],
  TOO_MANY_CHECKPOINT_REQUESTS: [true, false],
  MINIMUM_TIME_BETWEEN_CHECKPOINTS: [true, false],
  NOT_ALL_REQUIRED_TASKS_RUNNING: [true, false],
  IO_EXCEPTION: [true, true],
  BLOCKING_OUTPUT_EXIST: [true, false],
  CHECKPOINT_ASYNC_EXCEPTION: [false, true],
  CHANNEL_STATE_SHARED_STREAM_EXCEPTION: [false, false],
  CHECKPOINT_EXPIRED: [false, true],
  CHECKPOINT_DECLINED: [false, true],
  CHECKPOINT_DECLINED_TASK_NOT_READY: [false, false],
  CHECKPOINT_DECLINED_TASK_CLOSING: [false, false],
  CHECKPOINT_DECLINED_SUBSUMED: [false, false],
  CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER: [false, false],
  CHECKPOINT_DECLINED_INPUT_END_OF_STREAM: [false, false],
  CHECKPOINT_SUBSUMED: [false, false],
  CHECKPOINT_COORDINATOR_SHUTDOWN: [false, false],
  CHECKPOINT_COORDINATOR_SUSPEND: [false, false],
  JOB_FAILOVER_REGION: [false, false],
  TASK_FAILURE: [false, false],
  TASK_CHECKPOINT_FAILURE: [false, false],
  UNKNOWN_TASK_CHECKPOINT_NOTIFICATION_FAILURE: [false, false],
  FINALIZE_CHECKPOINT_FAILURE: [false, true],
  TRIGGER_CHECKPOINT_FAILURE: [false, false],
}

describe('the table of reasons', () => {
  it('has every reason with its flags, each with words of its own', () => {
    const flags = Object.entries(CHECKPOINT_FAILURE_REASONS).map(([reason, { preFlight, counted }]) => [reason, [preFlight, counted]] as const)
    expect(Object.fromEntries(flags)).toEqual(TABLE)
    expect(new Set(Object.values(CHECKPOINT_FAILURE_REASONS).map(({ message }) => message)).size).toBe(Object.keys(TABLE).length)
  })

  it.each(Object.entries(TABLE).map(([reason, [, counted]]) => [reason as CheckpointFailureReason, counted] as const))(
    'a task that declines with %s fails the checkpoint with it, in its own words; the job restarts: %s', (reason, counted) => {
      const cluster = new Cluster().running()
      cluster.trigger()
      cluster.message({ type: 'decline', attempt: cluster.execution(2), checkpointId: 1, reason, message: `because of ${reason}` })
      expect(cluster.all('CheckpointAborted')).toEqual([{ type: 'CheckpointAborted', checkpointId: 1, reason, message: `because of ${reason}` }])
      expect(trip(cluster)).toBe(counted)
      expect(counts(cluster)).toEqual({ total: 1, failed: 1 })
    },
  )
})

describe('refused before there is a checkpoint: no id, no row', () => {
  it('PERIODIC_SCHEDULER_SHUTDOWN: a tick that was under way when the scheduler stopped; counted as failed', () => {
    const cluster = new Cluster().running()
    cluster.input({ type: 'stop-with-savepoint', triggerId: 'e'.repeat(32), directory: '/savepoints', drain: false })
    cluster.input({ type: 'timer', timer: 'checkpoint-periodic' })
    expect(rejections(cluster)).toEqual([['PERIODIC_SCHEDULER_SHUTDOWN', true]])
    expect(counts(cluster)).toEqual({ total: 2, failed: 1 })
    expect(cluster.rest(`/jobs/${JOB}/checkpoints`).body).toMatchObject({ history: [{ id: 1 }], latest: { failed: null } })
  })

  it('PERIODIC_SCHEDULER_SHUTDOWN: a tick while the job restarts, which takes no checkpoint and schedules none', () => {
    const cluster = new Cluster().running()
    cluster.fail(cluster.execution(0))
    cluster.input({ type: 'timer', timer: 'checkpoint-periodic' })
    expect(rejections(cluster)).toEqual([['PERIODIC_SCHEDULER_SHUTDOWN', true]])
    expect(cluster.timers.has('checkpoint-periodic')).toBe(false)
  })

  it('TOO_MANY_CHECKPOINT_REQUESTS: the 1001st that would wait, counted nowhere; the request is answered', () => {
    const cluster = new Cluster().running()
    for (const id of ids(1001)) cluster.trigger(id)
    expect(rejections(cluster)).toEqual([])
    cluster.trigger('a'.repeat(32))
    expect(rejections(cluster)).toEqual([['TOO_MANY_CHECKPOINT_REQUESTS', false]])
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/${'a'.repeat(32)}`).body).toMatchObject({
      operation: { failureCause: { 'stack-trace': 'The maximum number of queued checkpoint requests exceeded' } },
    })
    expect(counts(cluster)).toEqual({ total: 1, failed: 0 })
  })

  it('TOO_MANY_CHECKPOINT_REQUESTS: a savepoint takes the place of the request that ranks lowest', () => {
    const cluster = new Cluster().running(testJob({ [`${C}unaligned.enabled`]: true }))
    for (const id of ids(1001)) cluster.trigger(id)
    cluster.input({ type: 'trigger-savepoint', triggerId: 'e'.repeat(32), directory: '/savepoints' })
    const answer = (id: string): unknown => (cluster.rest(`/jobs/${JOB}/checkpoints/${id}`).body as { status: { id: string } }).status.id
    expect([answer(ids(1001)[1000]!), answer(ids(1001)[999]!), answer('e'.repeat(32))]).toEqual(['COMPLETED', 'IN_PROGRESS', 'IN_PROGRESS'])
    expect(rejections(cluster)).toEqual([['TOO_MANY_CHECKPOINT_REQUESTS', false]])
  })

  it('MINIMUM_TIME_BETWEEN_CHECKPOINTS: a tick within min-pause, counted nowhere', () => {
    const cluster = new Cluster().running(testJob({ [`${C}min-pause`]: '9 s' }))
    cluster.now = cluster.timers.get('checkpoint-periodic')! - 3 * SECOND
    cluster.checkpoint()
    cluster.fire('checkpoint-periodic')
    expect(rejections(cluster)).toEqual([['MINIMUM_TIME_BETWEEN_CHECKPOINTS', true]])
    expect(counts(cluster)).toEqual({ total: 1, failed: 0 })
  })

  it('NOT_ALL_REQUIRED_TASKS_RUNNING: by hand while the job restarts; counted as failed, and no failure of the job', () => {
    const cluster = new Cluster().running()
    cluster.fail(cluster.execution(0))
    cluster.trigger()
    expect(rejections(cluster)).toEqual([['NOT_ALL_REQUIRED_TASKS_RUNNING', false]])
    expect(counts(cluster)).toEqual({ total: 1, failed: 1 })
    expect(cluster.all('RestartScheduled')).toHaveLength(1)
  })

  it.each([['cancel', 'CANCELED'], ['finish', 'FINISHED']] as const)('CHECKPOINT_COORDINATOR_SHUTDOWN: a request after the job has ended (%s)', (how, status) => {
    const cluster = new Cluster().running()
    if (how === 'cancel') cluster.input({ type: 'cancel' })
    for (const { attempt } of cluster.machine.executions) cluster.taskState(attempt, how === 'cancel' ? 'CANCELED' : 'FINISHED')
    expect(cluster.machine.status).toBe(status)
    cluster.trigger()
    expect(rejections(cluster)).toEqual([['CHECKPOINT_COORDINATOR_SHUTDOWN', false]])
  })
})

describe('a checkpoint that has begun', () => {
  it('IO_EXCEPTION: its location cannot be prepared; counts', () => {
    const cluster = new Cluster().running()
    cluster.storageSystem.intercept = () => ({ ok: false, reason: 'UNAVAILABLE', message: 'disk gone' })
    cluster.trigger()
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ reason: 'IO_EXCEPTION', message: expect.stringContaining('disk gone') as string }])
    expect([trip(cluster), cluster.commands('trigger-checkpoint').length]).toEqual([true, 0])
  })

  it('IO_EXCEPTION: nor that of a savepoint, which counts for nothing', () => {
    const cluster = new Cluster().running()
    cluster.storageSystem.intercept = (op) => (op.type === 'list' ? { ok: false, reason: 'UNAVAILABLE', message: 'disk gone' } : null)
    cluster.savepoint()
    expect([aborts(cluster), trip(cluster)]).toEqual([[[1, 'IO_EXCEPTION']], false])
  })

  it('CHECKPOINT_EXPIRED: not all acknowledgements within the timeout, from the trigger on; counts', () => {
    const cluster = new Cluster().running(testJob({ [`${C}timeout`]: '90 s' }))
    cluster.now = 5 * SECOND
    cluster.feed({ type: 'trigger-checkpoint', triggerId: ids(1)[0]!, checkpointType: 'CONFIGURED' })
    cluster.now = 8 * SECOND
    cluster.settle()
    expect(cluster.commands('trigger-checkpoint')).toHaveLength(2)
    expect(cluster.timers.get('checkpoint-timeout:1')).toBe(95 * SECOND)
    for (const { attempt } of cluster.machine.executions.slice(1)) cluster.ack(attempt, 1)
    expect(cluster.timers.get('checkpoint-timeout:1')).toBe(95 * SECOND)
    cluster.fire('checkpoint-timeout:1')
    expect([aborts(cluster), trip(cluster)]).toEqual([[[1, 'CHECKPOINT_EXPIRED']], true])
  })

  it('CHECKPOINT_EXPIRED: not once its completion is being written', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    for (const { attempt } of cluster.machine.executions) cluster.feed({ type: 'task-message', message: { type: 'acknowledge', attempt, checkpointId: 1, metrics: metrics(), snapshot: { operators: [] } } })
    expect(cluster.timers.has('checkpoint-timeout:1')).toBe(false)
    cluster.feed({ type: 'timer', timer: 'checkpoint-timeout:1' })
    cluster.settle()
    expect([aborts(cluster), cluster.all('CheckpointCompleted').length]).toEqual([[], 1])
  })

  it('FINALIZE_CHECKPOINT_FAILURE: the completion cannot be written; counts, and does not move the last completion', () => {
    const cluster = new Cluster().running(testJob({ [`${C}tolerable-failed-checkpoints`]: 1, [`${C}min-pause`]: '9 s' }))
    cluster.now = cluster.timers.get('checkpoint-periodic')! - SECOND
    cluster.trigger()
    cluster.storageSystem.intercept = (op) => (isCompletion(op) ? { ok: false, reason: 'QUOTA_EXCEEDED', message: 'full' } : null)
    cluster.ackAll(1)
    expect([aborts(cluster), trip(cluster)]).toEqual([[[1, 'FINALIZE_CHECKPOINT_FAILURE']], false])
    cluster.fire('checkpoint-periodic')
    expect(rejections(cluster)).toEqual([])
    cluster.ackAll(2)
    expect([aborts(cluster), trip(cluster)]).toEqual([[[1, 'FINALIZE_CHECKPOINT_FAILURE'], [2, 'FINALIZE_CHECKPOINT_FAILURE']], true])
  })

  it('TRIGGER_CHECKPOINT_FAILURE: a coordinator cannot be snapshotted; does not count, and no task hears of it', () => {
    const cluster = new Cluster().running()
    Object.assign(cluster.machine.job!.holders[0]!, { checkpoint: () => { throw new Error('enumerator broken') } })
    cluster.trigger()
    expect([aborts(cluster), trip(cluster), cluster.commands('trigger-checkpoint').length]).toEqual([[[1, 'TRIGGER_CHECKPOINT_FAILURE']], false, 0])
  })

  it('CHECKPOINT_SUBSUMED: a newer one completes first; does not count', () => {
    const cluster = new Cluster().running(testJob({ [`${C}max-concurrent-checkpoints`]: 3 }))
    for (const id of ids(3)) cluster.trigger(id)
    cluster.ackAll(2)
    expect([aborts(cluster), trip(cluster)]).toEqual([[[1, 'CHECKPOINT_SUBSUMED']], false])
    expect(cluster.machine.job!.coordinator.pending.map(({ id }) => id)).toEqual([3])
  })

  it('TASK_CHECKPOINT_FAILURE: a task that was to acknowledge has finished; does not count, and the queue goes on', () => {
    const cluster = new Cluster().running()
    for (const id of ids(2)) cluster.trigger(id)
    cluster.taskState(cluster.execution(4), 'FINISHED')
    expect([aborts(cluster), trip(cluster)]).toEqual([[[1, 'TASK_CHECKPOINT_FAILURE']], false])
    expect(cluster.all('CheckpointTriggered').map(({ checkpointId }) => checkpointId)).toEqual([1, 2])
  })

  it.each([
    ['RESTARTING', (cluster: Cluster) => cluster.fail(cluster.execution(0))],
    ['CANCELLING', (cluster: Cluster) => cluster.input({ type: 'cancel' })],
    ['FAILING', (cluster: Cluster) => cluster.fail(cluster.execution(0), 'broken for good', true)],
    ['SUSPENDED', (cluster: Cluster) => cluster.input({ type: 'revoke-leadership' })],
  ] as const)('CHECKPOINT_COORDINATOR_SUSPEND: the job becomes %s; pending and queued ones end, none counts, the timer stops', (status, act) => {
    const cluster = new Cluster().running()
    for (const id of ids(2)) cluster.trigger(id)
    act(cluster)
    expect(cluster.machine.status).toBe(status)
    expect([aborts(cluster), rejections(cluster)]).toEqual([[[1, 'CHECKPOINT_COORDINATOR_SUSPEND']], [['CHECKPOINT_COORDINATOR_SUSPEND', false]]])
    expect(cluster.timers.has('checkpoint-periodic')).toBe(false)
    expect(cluster.timers.has('checkpoint-timeout:1')).toBe(false)
    expect(counts(cluster)).toEqual({ total: 1, failed: 1 })
  })

  it.each([
    ['with periodic checkpoints its status stops the scheduler first', testJob(), 'CHECKPOINT_COORDINATOR_SUSPEND'],
    ['without, all ends with the coordinator', withoutInterval(), 'CHECKPOINT_COORDINATOR_SHUTDOWN'],
  ] as const)('CHECKPOINT_COORDINATOR_SHUTDOWN: a completion that is being written when the job has FINISHED; %s', (_, document, ofQueued) => {
    const cluster = new Cluster().running(document)
    for (const id of ids(2)) cluster.trigger(id)
    for (const { attempt } of cluster.machine.executions) cluster.feed({ type: 'task-message', message: { type: 'acknowledge', attempt, checkpointId: 1, metrics: metrics(), snapshot: { operators: [] } } })
    for (const { attempt } of cluster.machine.executions) cluster.feed({ type: 'task-message', message: { type: 'state', attempt, state: 'FINISHED' } })
    cluster.settle()
    expect(cluster.machine.status).toBe('FINISHED')
    expect([aborts(cluster), rejections(cluster)]).toEqual([[[1, 'CHECKPOINT_COORDINATOR_SHUTDOWN']], [[ofQueued, false]]])
    expect(cluster.all('CheckpointCompleted')).toEqual([])
  })
})

const metrics = () => ({
  startDelayMicros: 0, alignmentMicros: 0, syncMicros: 0, asyncMicros: 0, processedBytes: 0, persistedBytes: 0, checkpointedBytes: 0, stateBytes: 0, measured: false,
})
