import { describe, expect, it } from 'vitest'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

const C = 'execution.checkpointing.'
const TOLERANT = { [`${C}tolerable-failed-checkpoints`]: 100 }
const triggered = (cluster: Cluster): readonly number[] => cluster.all('CheckpointTriggered').map((event) => event.checkpointId)
const statistics = (cluster: Cluster) => cluster.machine.job!.coordinator.statistics

describe('pre-flight failures (behaviour 2.1, 4)', () => {
  it('a tick that finds tasks not running fails alone: counted, no row, no id, no restart, and the next tick is scheduled', () => {
    const cluster = new Cluster().lead().submit().register('tm-1', 'tm-2')
    for (let i = 0; i < 5; i++) cluster.fire('checkpoint-periodic')
    expect(cluster.all('CheckpointRequestRejected').map((event) => event.reason)).toEqual(Array.from({ length: 5 }, () => 'NOT_ALL_REQUIRED_TASKS_RUNNING'))
    expect(cluster.rest(`/jobs/${JOB}/checkpoints`).body).toMatchObject({
      counts: { total: 5, failed: 5, in_progress: 0 }, history: [], latest: { failed: null },
    })
    expect(cluster.machine.status).toBe('RUNNING')
    cluster.tasksRun()
    cluster.fire('checkpoint-periodic')
    expect(triggered(cluster)).toEqual([1])
  })

  it('a request dropped for min-pause is counted nowhere', () => {
    const cluster = new Cluster().running(testJob({ [`${C}min-pause`]: '9 s' }))
    cluster.now = cluster.timers.get('checkpoint-periodic')! - 3 * SECOND
    cluster.checkpoint()
    cluster.fire('checkpoint-periodic')
    expect(cluster.all('CheckpointRequestRejected')).toMatchObject([{ reason: 'MINIMUM_TIME_BETWEEN_CHECKPOINTS' }])
    expect(cluster.rest(`/jobs/${JOB}/checkpoints`).body).toMatchObject({ counts: { total: 1, failed: 0 } })
  })

  it('a request that finds the scheduler stopped is refused', () => {
    const cluster = new Cluster().running()
    cluster.fail(cluster.execution(0))
    cluster.trigger()
    expect(cluster.all('CheckpointRequestRejected').at(-1)).toMatchObject({ periodic: false, reason: 'NOT_ALL_REQUIRED_TASKS_RUNNING' })
  })
})

describe('the queue (behaviour 2.2)', () => {
  it('nothing is released while another trigger is being prepared', () => {
    const cluster = new Cluster().running(testJob({ [`${C}max-concurrent-checkpoints`]: 3 }))
    cluster.feed({ type: 'trigger-checkpoint', triggerId: '1'.repeat(32), checkpointType: 'CONFIGURED' })
    cluster.feed({ type: 'trigger-checkpoint', triggerId: '2'.repeat(32), checkpointType: 'CONFIGURED' })
    expect(triggered(cluster)).toEqual([1])
    cluster.settle()
    expect(triggered(cluster)).toEqual([1, 2])
  })

  it('max-concurrent 3: three at a time, each with its own barriers; the fourth starts when one ends', () => {
    const cluster = new Cluster().running(testJob({ [`${C}max-concurrent-checkpoints`]: 3 }))
    for (const id of '1234') cluster.trigger(id.repeat(32))
    expect(triggered(cluster)).toEqual([1, 2, 3])
    expect(cluster.commands('trigger-checkpoint').map(({ command }) => (command as { checkpointId: number }).checkpointId)).toEqual([1, 1, 2, 2, 3, 3])
    cluster.ackAll(1)
    expect(triggered(cluster)).toEqual([1, 2, 3, 4])
  })

  it('min-pause does not force max-concurrent to 1', () => {
    const cluster = new Cluster().running(testJob({ [`${C}max-concurrent-checkpoints`]: 2, [`${C}min-pause`]: '5 s' }))
    cluster.fire('checkpoint-periodic')
    cluster.fire('checkpoint-periodic')
    expect(triggered(cluster)).toEqual([1, 2])
    expect(cluster.all('CheckpointCompleted')).toHaveLength(0)
  })

  it('slow checkpoints follow each other at once: the periodic request waits in the queue', () => {
    const cluster = new Cluster().running()
    cluster.fire('checkpoint-periodic')
    cluster.fire('checkpoint-periodic')
    expect(triggered(cluster)).toEqual([1])
    cluster.now += 3 * SECOND
    cluster.ackAll(1)
    expect(triggered(cluster)).toEqual([1, 2])
  })

  it('a failed checkpoint does not move the last completion: the next tick may go at once', () => {
    const cluster = new Cluster().running(testJob({ ...TOLERANT, [`${C}min-pause`]: '8 s' }))
    cluster.fire('checkpoint-periodic')
    cluster.now = cluster.timers.get('checkpoint-periodic')! - SECOND
    cluster.fire('checkpoint-timeout:1')
    cluster.fire('checkpoint-periodic')
    expect(triggered(cluster)).toEqual([1, 2])
  })

  it('a completed savepoint moves the last completion', () => {
    const cluster = new Cluster().running(testJob({ [`${C}min-pause`]: '8 s' }))
    cluster.now = cluster.timers.get('checkpoint-periodic')! - SECOND
    cluster.ackAll(cluster.savepoint())
    cluster.fire('checkpoint-periodic')
    expect(triggered(cluster)).toEqual([1])
    expect(cluster.timers.get('checkpoint-periodic')).toBe(cluster.now + 7 * SECOND)
  })
})

describe('interval-during-backlog (behaviour 2.1)', () => {
  const backlog = (cluster: Cluster, isBacklog: boolean): void => {
    const job = cluster.machine.job!
    // Reported by an enumerator, which only speaks within an input.
    const holder = job.holders[0]!
    const coordinator = { start: () => undefined, onReaderEvent: () => holder.setIsProcessingBacklog(isBacklog) }
    Object.assign(holder, { coordinator: { ...coordinator, checkpoint: () => new Uint8Array(), checkpointEnded: () => undefined } })
    cluster.message({ type: 'operator-event', attempt: cluster.execution(0), operator: holder.operatorId, event: { type: 'reader-registered', subtask: 0 } })
  }

  it('the longer interval holds while a source reports a backlog', () => {
    const cluster = new Cluster().running(testJob({ ...TOLERANT, [`${C}interval-during-backlog`]: '60 s' }))
    backlog(cluster, true)
    const first = cluster.timers.get('checkpoint-periodic')!
    cluster.fire('checkpoint-periodic')
    expect(cluster.timers.get('checkpoint-periodic')).toBe(first + 60 * SECOND)
  })

  it('the end of the backlog brings the next tick forward', () => {
    const cluster = new Cluster().running(testJob({ [`${C}interval-during-backlog`]: '60 s' }))
    backlog(cluster, true)
    cluster.fire('checkpoint-periodic')
    cluster.now += 2 * SECOND
    backlog(cluster, false)
    expect(cluster.timers.get('checkpoint-periodic')).toBe(cluster.now + 10 * SECOND)
  })

  it('0: none while the backlog lasts, after the tick that was already scheduled', () => {
    const cluster = new Cluster().running(testJob({ [`${C}interval-during-backlog`]: '0 s' }))
    backlog(cluster, true)
    cluster.fire('checkpoint-periodic')
    expect(triggered(cluster)).toEqual([1])
    expect(cluster.timers.has('checkpoint-periodic')).toBe(false)
    cluster.now += 100 * SECOND
    backlog(cluster, false)
    expect(cluster.timers.get('checkpoint-periodic')).toBe(cluster.now + 10 * SECOND)
  })

  it('a source that has reached its end of data in all subtasks has no backlog any more', () => {
    const cluster = new Cluster().running(testJob({ [`${C}interval-during-backlog`]: '0 s' }))
    backlog(cluster, true)
    cluster.fire('checkpoint-periodic')
    cluster.message({ type: 'end-of-data', attempt: cluster.execution(0) })
    expect(cluster.timers.has('checkpoint-periodic')).toBe(false)
    cluster.message({ type: 'end-of-data', attempt: cluster.execution(1) })
    expect(cluster.timers.has('checkpoint-periodic')).toBe(true)
  })
})

describe('what is asked of the tasks (behaviour 2.5)', () => {
  const options = (config: Record<string, string | number | boolean>, trigger: (cluster: Cluster) => void): object => {
    const { 'execution.checkpointing.interval': interval, ...rest } = { ...testJob().config!, ...config }
    const cluster = new Cluster().running({ ...testJob(), config: interval === 'off' ? rest : { ...rest, [`${C}interval`]: interval! } })
    trigger(cluster)
    return (cluster.commands('trigger-checkpoint')[0]!.command as { options: object }).options
  }
  const plain = (cluster: Cluster): void => cluster.trigger()
  const savepoint = (cluster: Cluster): void => void cluster.savepoint()
  const location = `/checkpoints/${JOB}/chk-1`

  it.each<[string, Record<string, string | number | boolean>, (cluster: Cluster) => void, object]>([
    ['exactly-once', {}, plain, { alignment: 'ALIGNED', type: 'CHECKPOINT', location }],
    ['at-least-once', { [`${C}mode`]: 'AT_LEAST_ONCE' }, plain, { alignment: 'AT_LEAST_ONCE', type: 'CHECKPOINT', location }],
    ['no interval: tasks never block', { [`${C}interval`]: 'off' }, plain, { alignment: 'AT_LEAST_ONCE', type: 'CHECKPOINT', location }],
    ['unaligned, timeout 0', { [`${C}unaligned.enabled`]: true }, plain, { alignment: 'UNALIGNED', type: 'CHECKPOINT', location }],
    [
      'unaligned with a timeout', { [`${C}unaligned.enabled`]: true, [`${C}aligned-checkpoint-timeout`]: '2 s' }, plain,
      { alignment: 'ALIGNED', alignedTimeoutMicros: 2 * SECOND, type: 'CHECKPOINT', location },
    ],
    ['a timeout means nothing without unaligned', { [`${C}aligned-checkpoint-timeout`]: '2 s' }, plain, { alignment: 'ALIGNED', type: 'CHECKPOINT', location }],
    ['at-least-once switches unaligned off', { [`${C}mode`]: 'AT_LEAST_ONCE', [`${C}unaligned.enabled`]: true }, plain, { alignment: 'AT_LEAST_ONCE', type: 'CHECKPOINT', location }],
    [
      'a savepoint is aligned, without a timeout', { [`${C}unaligned.enabled`]: true, [`${C}aligned-checkpoint-timeout`]: '2 s' }, savepoint,
      { alignment: 'ALIGNED', type: 'SAVEPOINT', format: 'CANONICAL', location: `/savepoints/savepoint-012345-${'e'.repeat(12)}` },
    ],
    [
      'FULL by hand', {}, (cluster) => cluster.input({ type: 'trigger-checkpoint', triggerId: '1'.repeat(32), checkpointType: 'FULL' }),
      { alignment: 'ALIGNED', type: 'FULL_CHECKPOINT', location },
    ],
  ])('%s', (_, config, trigger, expected) => {
    expect(options(config, trigger)).toEqual(expected)
  })

  it('a coordinator that cannot be snapshotted fails that checkpoint, uncounted', () => {
    const cluster = new Cluster().running()
    const holder = cluster.machine.job!.holders[0]!
    Object.assign(holder, { checkpoint: () => { throw new Error('enumerator broken') } })
    cluster.trigger()
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ reason: 'TRIGGER_CHECKPOINT_FAILURE', message: expect.stringContaining('enumerator broken') as string }])
    expect(cluster.commands('trigger-checkpoint')).toEqual([])
    expect(cluster.machine.status).toBe('RUNNING')
  })
})

describe('savepoints at the coordinator (behaviour 2.2, 3.2, 4)', () => {
  it('a savepoint runs beside the checkpoint when unaligned is off, and takes the next id of the same counter', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    expect(cluster.savepoint()).toBe(2)
    expect(cluster.machine.job!.coordinator.pending.map((pending) => pending.id)).toEqual([1, 2])
  })

  it('with unaligned it waits for the running checkpoint, and goes before the queue', () => {
    const cluster = new Cluster().running(testJob({ [`${C}unaligned.enabled`]: true }))
    cluster.trigger('1'.repeat(32))
    cluster.trigger('2'.repeat(32))
    cluster.savepoint()
    expect(triggered(cluster)).toEqual([1])
    cluster.ackAll(1)
    expect(cluster.all('CheckpointTriggered').at(-1)).toMatchObject({ checkpointId: 2, savepoint: true })
  })

  it('commits nothing, is no recovery point, subsumes no older checkpoint, and its files stay', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.trigger()
    const id = cluster.savepoint()
    const notified = cluster.commands('notify-checkpoint-complete').length
    cluster.ackAll(id)
    expect(cluster.all('CheckpointCompleted').at(-1)).toMatchObject({ checkpointId: 3, savepoint: true })
    expect(cluster.commands('notify-checkpoint-complete')).toHaveLength(notified)
    expect(cluster.all('CheckpointAborted')).toEqual([])
    expect(cluster.machine.latestCompletedCheckpoint).toBe(1)
    expect(cluster.storageSystem.paths('/savepoints/')).toContain(`/savepoints/savepoint-012345-${'e'.repeat(12)}/_metadata`)
    cluster.ackAll(2)
    expect(cluster.all('CheckpointCompleted').at(-1)).toMatchObject({ checkpointId: 2 })
    expect(cluster.all('CheckpointSubsumed')).toEqual([{ type: 'CheckpointSubsumed', checkpointId: 1, by: 2 }])
  })

  it('an older savepoint is not subsumed by a newer checkpoint', () => {
    const cluster = new Cluster().running()
    const savepoint = cluster.savepoint()
    cluster.trigger()
    // The savepoint takes the one place: the checkpoint waits.
    expect(triggered(cluster)).toEqual([savepoint])
    const two = new Cluster().running(testJob({ [`${C}max-concurrent-checkpoints`]: 2 }))
    two.savepoint()
    two.trigger()
    two.ackAll(2)
    expect(two.all('CheckpointAborted')).toEqual([])
    two.ackAll(1)
    expect(two.all('CheckpointCompleted').map((event) => event.checkpointId)).toEqual([2, 1])
  })

  it('three expired savepoints restart nothing', () => {
    const cluster = new Cluster().running()
    for (const id of [1, 2, 3]) {
      cluster.savepoint(String(id).repeat(32))
      cluster.fire(`checkpoint-timeout:${id}`)
    }
    expect(cluster.all('CheckpointAborted').map((event) => event.reason)).toEqual(['CHECKPOINT_EXPIRED', 'CHECKPOINT_EXPIRED', 'CHECKPOINT_EXPIRED'])
    expect(cluster.machine.status).toBe('RUNNING')
  })

  it('a savepoint that a task fails counts like a checkpoint', () => {
    const cluster = new Cluster().running()
    const checkpointId = cluster.savepoint()
    cluster.message({ type: 'decline', attempt: cluster.execution(0), checkpointId, reason: 'CHECKPOINT_ASYNC_EXCEPTION', message: 'disk full' })
    expect(cluster.machine.status).toBe('RESTARTING')
  })

  it('statistics: in all counts, latest.savepoint, never latest.completed', () => {
    const cluster = new Cluster().running()
    cluster.ackAll(cluster.savepoint())
    expect(cluster.rest(`/jobs/${JOB}/checkpoints`).body).toMatchObject({
      counts: { total: 1, completed: 1 },
      summary: { state_size: { max: 50 } },
      latest: { completed: null, savepoint: { id: 1, is_savepoint: true, savepointFormat: 'CANONICAL', checkpoint_type: 'SAVEPOINT' } },
    })
  })
})

describe('late messages (behaviour 3.1)', () => {
  it('the last 16 that ended are late, older ones unknown', () => {
    const cluster = new Cluster().running(testJob(TOLERANT))
    for (let id = 1; id <= 18; id++) {
      cluster.trigger(id.toString(16).padStart(32, '0'))
      cluster.fire(`checkpoint-timeout:${id}`)
    }
    for (const id of [2, 3]) cluster.message({ type: 'decline', attempt: cluster.execution(0), checkpointId: id, reason: 'CHECKPOINT_DECLINED', message: '' })
    expect(cluster.all('LateMessage').map((event) => event.outcome)).toEqual(['UNKNOWN', 'DISCARDED'])
  })

  it('a late acknowledgement still fills in the statistics, marked as aborted', () => {
    const cluster = new Cluster().running(testJob(TOLERANT))
    cluster.trigger()
    cluster.fire('checkpoint-timeout:1')
    cluster.ack(cluster.execution(0), 1)
    const { vertex } = cluster.machine.executions[0]!
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1/subtasks/${vertex}`).body).toMatchObject({ subtasks: [{ aborted: true }, { className: 'pending' }] })
  })
})

describe('tolerable failures in a running job (behaviour 4)', () => {
  it('expired, ok, expired, ok, expired, expired with one tolerated: one global restart, naming the cause, and a counter at 0', () => {
    const cluster = new Cluster().running(testJob({ [`${C}tolerable-failed-checkpoints`]: 1 }))
    let id = 0
    for (const outcome of ['expire', 'ok', 'expire', 'ok', 'expire', 'expire']) {
      id++
      cluster.trigger(String(id).repeat(32))
      if (outcome === 'ok') cluster.ackAll(id)
      else cluster.fire(`checkpoint-timeout:${id}`)
      expect(cluster.all('RestartScheduled')).toHaveLength(id === 6 ? 1 : 0)
    }
    expect(cluster.all('RestartScheduled')[0]!.cause).toBe('Exceeded checkpoint tolerable failure threshold. The latest checkpoint failed due to Checkpoint expired before completing.')
    cluster.tasksCancel()
    cluster.fire('restart')
    cluster.tasksRun()
    cluster.trigger('7'.repeat(32))
    cluster.fire('checkpoint-timeout:7')
    expect(cluster.all('RestartScheduled')).toHaveLength(1)
  })

  it('three subsumed checkpoints restart nothing', () => {
    const cluster = new Cluster().running(testJob({ [`${C}max-concurrent-checkpoints`]: 2 }))
    for (let id = 1; id <= 6; id += 2) {
      cluster.trigger(String(id).repeat(32))
      cluster.trigger(String(id + 1).repeat(32))
      cluster.ackAll(id + 1)
    }
    expect(cluster.all('CheckpointAborted').map((event) => event.reason)).toEqual(['CHECKPOINT_SUBSUMED', 'CHECKPOINT_SUBSUMED', 'CHECKPOINT_SUBSUMED'])
    expect(cluster.machine.status).toBe('RUNNING')
  })
})

describe('finished tasks (behaviour 2.4, 14)', () => {
  it('without checkpoints-after-tasks-finish every trigger is rejected once a task has finished', () => {
    const cluster = new Cluster().running(testJob({ [`${C}checkpoints-after-tasks-finish`]: false }))
    cluster.taskState(cluster.execution(0), 'FINISHED')
    cluster.trigger()
    expect(triggered(cluster)).toEqual([])
    expect(cluster.all('CheckpointRequestRejected')).toMatchObject([{ reason: 'NOT_ALL_REQUIRED_TASKS_RUNNING' }])
  })

  it('finished sources: the tasks behind them are triggered, and finished ones count as acknowledged at once', () => {
    const cluster = new Cluster().running()
    for (const index of [0, 1]) cluster.taskState(cluster.execution(index), 'FINISHED')
    cluster.trigger()
    expect(cluster.commands('trigger-checkpoint').map((sent) => sent.attempt)).toEqual([cluster.execution(2), cluster.execution(3)])
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1`).body).toMatchObject({ num_subtasks: 5, num_acknowledged_subtasks: 2 })
  })

  it('UNION list state of a partly finished operator: CHECKPOINT_DECLINED_TASK_CLOSING, uncounted; it works again when all have finished', () => {
    const cluster = new Cluster().running()
    cluster.taskState(cluster.execution(0), 'FINISHED')
    cluster.trigger()
    const union = (checkpointId: number, index: number) => {
      const { attempt, vertex, subtask } = cluster.machine.executions[index]!
      const { operators } = cluster.writeState(checkpointId, vertex, subtask)
      const operator = operators[0]!
      const states = operator.state.managedOperator!.states.map((list) => ({ ...list, mode: 'UNION' as const }))
      const state = { ...operator.state, managedOperator: { ...operator.state.managedOperator!, states } }
      cluster.ack(attempt, checkpointId, { operators: [{ ...operator, state }] })
    }
    union(1, 1)
    for (const index of [2, 3, 4]) cluster.ack(cluster.execution(index), 1)
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ reason: 'CHECKPOINT_DECLINED_TASK_CLOSING' }])
    expect(cluster.machine.status).toBe('RUNNING')
    cluster.taskState(cluster.execution(1), 'FINISHED')
    cluster.trigger('1'.repeat(32))
    for (const index of [2, 3, 4]) cluster.ack(cluster.execution(index), 2)
    expect(cluster.all('CheckpointCompleted')).toMatchObject([{ checkpointId: 2 }])
  })

  it('no final checkpoint without periodic checkpoints', () => {
    const { 'execution.checkpointing.interval': _, ...config } = testJob().config!
    const cluster = new Cluster().running({ ...testJob(), config })
    for (const { attempt } of cluster.machine.executions) cluster.message({ type: 'end-of-data', attempt })
    expect(triggered(cluster)).toEqual([])
  })
})

describe('history (behaviour 19.1)', () => {
  it('web.checkpoints.history 2: two rows, in progress included; older details answer 404', () => {
    const cluster = new Cluster().running(testJob({ 'web.checkpoints.history': 2 }))
    cluster.checkpoint()
    cluster.checkpoint()
    cluster.trigger('9'.repeat(32))
    expect(statistics(cluster).history.map((row) => row.id)).toEqual([3, 2])
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/2`).status).toBe(200)
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1`).status).toBe(404)
  })

  it('web.checkpoints.history 0: counts and the latest only', () => {
    const cluster = new Cluster().running(testJob({ 'web.checkpoints.history': 0 }))
    cluster.checkpoint()
    expect(cluster.rest(`/jobs/${JOB}/checkpoints`).body).toMatchObject({ counts: { completed: 1 }, history: [], latest: { completed: { id: 1 } } })
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1`).status).toBe(404)
  })

  it('every restore counts, a regional one too, and statistics are kept over it', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    for (let round = 1; round <= 2; round++) {
      cluster.fail(cluster.execution(0))
      cluster.tasksCancel()
      cluster.fire('restart')
      cluster.tasksRun()
      expect(statistics(cluster)).toMatchObject({ restored: round, completed: 1, latestRestored: { id: 1, savepoint: false } })
    }
  })
})

describe('default restart strategy (behaviour 15.1)', () => {
  it('checkpointing off: none, the first failure fails the job', () => {
    const config = { 'execution.checkpointing.dir': '/checkpoints' }
    const cluster = new Cluster().running({ ...testJob(), config })
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    expect(cluster.machine.status).toBe('FAILED')
    expect(cluster.all('RecoverySuppressed')).toHaveLength(1)
  })

  it('checkpointing on: exponential delay', () => {
    const config = { 'execution.checkpointing.interval': '10 s', 'execution.checkpointing.dir': '/checkpoints' }
    const cluster = new Cluster().running({ ...testJob(), config })
    cluster.fail(cluster.execution(0))
    expect(cluster.all('RestartScheduled')).toMatchObject([{ delayMicros: expect.any(Number) as number }])
    expect(cluster.machine.status).toBe('RESTARTING')
  })
})
