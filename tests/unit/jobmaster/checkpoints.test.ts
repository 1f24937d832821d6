import { describe, expect, it } from 'vitest'
import { checkpointsPath, counterPath } from '../../../workers/jobmaster/high-availability/ha-files.ts'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

const ID = 'a'.repeat(32)

describe('periodic timer (behaviour 2.1)', () => {
  it('first delay is uniform in [min-pause, period]', () => {
    const delays = Array.from({ length: 60 }, (_, seed) => {
      const cluster = new Cluster(undefined, seed).lead().submit(testJob({ 'execution.checkpointing.min-pause': '4 s' }))
      return cluster.timers.get('checkpoint-periodic')!
    })
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(4 * SECOND)
    expect(Math.max(...delays)).toBeLessThanOrEqual(10 * SECOND)
    expect(Math.min(...delays)).toBeLessThan(5 * SECOND)
    expect(Math.max(...delays)).toBeGreaterThan(9 * SECOND)
  })

  it('every arming is announced with CheckpointScheduled', () => {
    const cluster = new Cluster().running()
    expect(cluster.all('CheckpointScheduled')).toEqual([{ type: 'CheckpointScheduled', nextAt: cluster.timers.get('checkpoint-periodic') }])
    cluster.fire('checkpoint-periodic')
    expect(cluster.all('CheckpointScheduled').at(-1)?.nextAt).toBe(cluster.timers.get('checkpoint-periodic'))
  })

  it('ticks lie on a grid that a late tick does not shift; missed ticks do not burst', () => {
    const cluster = new Cluster().running()
    const first = cluster.timers.get('checkpoint-periodic')!
    cluster.fire('checkpoint-periodic')
    expect(cluster.timers.get('checkpoint-periodic')).toBe(first + 10 * SECOND)
    cluster.now = first + 47 * SECOND
    cluster.fire('checkpoint-periodic')
    expect(cluster.timers.get('checkpoint-periodic')).toBe(first + 50 * SECOND)
  })

  it('a min-pause above the interval raises the period', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.min-pause': '30 s' }))
    const first = cluster.timers.get('checkpoint-periodic')!
    expect(first).toBe(30 * SECOND)
    cluster.fire('checkpoint-periodic')
    expect(cluster.timers.get('checkpoint-periodic')).toBe(first + 30 * SECOND)
  })

  it('a periodic request within min-pause is dropped and the timer fires when the pause is over', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.min-pause': '5 s' }))
    cluster.now = cluster.timers.get('checkpoint-periodic')! - 3 * SECOND
    cluster.checkpoint()
    const completedAt = cluster.now
    cluster.fire('checkpoint-periodic')
    expect(cluster.all('CheckpointRequestRejected').at(-1)).toMatchObject({ reason: 'MINIMUM_TIME_BETWEEN_CHECKPOINTS', periodic: true })
    expect(cluster.timers.get('checkpoint-periodic')).toBe(completedAt + 5 * SECOND)
    cluster.fire('checkpoint-periodic')
    expect(cluster.all('CheckpointTriggered').at(-1)).toMatchObject({ checkpointId: 2, periodic: true })
  })

  it('without an interval there is no timer, but a checkpoint by hand works', () => {
    const { 'execution.checkpointing.interval': _, ...config } = testJob().config!
    const cluster = new Cluster().running({ ...testJob(), config })
    expect(cluster.timers.has('checkpoint-periodic')).toBe(false)
    expect(cluster.checkpoint()).toBe(1)
    expect(cluster.all('CheckpointCompleted')).toHaveLength(1)
  })
})

describe('trigger (behaviour 2.5)', () => {
  it('a rejected plan burns no id', () => {
    const cluster = new Cluster().lead().submit().register('tm-1', 'tm-2')
    cluster.trigger()
    expect(cluster.all('CheckpointRequestRejected')).toMatchObject([{ reason: 'NOT_ALL_REQUIRED_TASKS_RUNNING' }])
    cluster.tasksRun()
    expect(cluster.checkpoint()).toBe(1)
  })

  it('snapshots enumerators, then sends the trigger to sources only', () => {
    const cluster = new Cluster().running()
    cluster.events.length = 0
    cluster.trigger()
    expect(cluster.events.map((event) => event.type)).toEqual(['CheckpointTriggered', 'CoordinatorSnapshotTaken'])
    expect(cluster.commands('trigger-checkpoint').map((sent) => sent.attempt)).toEqual([cluster.execution(0), cluster.execution(1)])
    expect(cluster.commands('trigger-checkpoint')[0]!.command).toMatchObject({
      checkpointId: 1,
      options: { alignment: 'ALIGNED', type: 'CHECKPOINT', location: `/checkpoints/${JOB}/chk-1` },
    })
  })

  it('a second request waits while one is pending, and starts when it ends', () => {
    const cluster = new Cluster().running()
    cluster.trigger('1'.repeat(32))
    cluster.trigger('2'.repeat(32))
    expect(cluster.all('CheckpointTriggered')).toHaveLength(1)
    cluster.ackAll(1)
    expect(cluster.all('CheckpointTriggered').map((event) => event.checkpointId)).toEqual([1, 2])
  })

  it('a storage failure at the location aborts with IO_EXCEPTION, which counts', () => {
    const cluster = new Cluster().running()
    cluster.storageSystem.intercept = (op) => (op.type === 'transact' ? { ok: false, reason: 'UNAVAILABLE', message: 'disk gone' } : null)
    cluster.trigger()
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: 1, reason: 'IO_EXCEPTION' }])
    expect(cluster.machine.status).toBe('RESTARTING')
  })

  it('holds events of the enumerator back until the subtask has acknowledged (behaviour 2.6)', () => {
    const cluster = new Cluster().running()
    const operator = cluster.machine.graph!.vertices[0]!.chain[0]!.operatorId
    const source = cluster.execution(0)
    cluster.trigger()
    cluster.message({ type: 'operator-event', attempt: source, operator, event: { type: 'reader-registered', subtask: 0 } })
    expect(cluster.commands('operator-event')).toEqual([])
    cluster.ack(source, 1)
    expect(cluster.commands('operator-event').map((sent) => sent.attempt)).toContain(source)
  })
})

describe('acknowledge and complete (behaviour 3.1, 3.2)', () => {
  it('waits for every task, not only the sink', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    const attempts = cluster.machine.executions.map((execution) => execution.attempt)
    for (const attempt of attempts.slice(1)) cluster.ack(attempt, 1)
    expect(cluster.all('CheckpointCompleted')).toEqual([])
    cluster.ack(attempts[0]!, 1)
    expect(cluster.all('CheckpointAcknowledged').map((event) => event.acknowledged)).toEqual([1, 2, 3, 4, 5])
    expect(cluster.all('CheckpointCompleted')).toMatchObject([{ checkpointId: 1, checkpointedBytes: 50, externalPath: `/checkpoints/${JOB}/chk-1` }])
  })

  it('writes _metadata, store pointer and counter in one strict transaction, and is COMPLETED only after it', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    const ops: unknown[] = []
    cluster.storageSystem.intercept = (op) => {
      ops.push(op.type === 'transact' ? { durability: op.durability, paths: op.writes.map((write) => write.path), completed: cluster.all('CheckpointCompleted').length } : op.type)
      return null
    }
    for (const { attempt } of cluster.machine.executions) cluster.ack(attempt, 1)
    expect(ops[0]).toEqual({
      durability: 'strict',
      paths: [`/checkpoints/${JOB}/chk-1/_metadata`, checkpointsPath(JOB), counterPath(JOB)],
      completed: 0,
    })
  })

  it('deletes the old checkpoint after the new one is COMPLETED, and notifies every task', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.events.length = 0
    cluster.sent.length = 0
    cluster.checkpoint()
    const types = cluster.events.map((event) => event.type)
    expect(types.indexOf('CheckpointSubsumed')).toBeGreaterThan(types.indexOf('CheckpointCompleted'))
    expect(cluster.storageSystem.paths(`/checkpoints/${JOB}/chk-1/`)).toEqual([])
    expect(cluster.storageSystem.paths(`/checkpoints/${JOB}/chk-2/`)).toHaveLength(6)
    expect(cluster.commands('notify-checkpoint-complete')).toHaveLength(5)
  })

  it('num-retained keeps so many', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.num-retained': 2 }))
    for (let i = 0; i < 3; i++) cluster.checkpoint()
    const kept = new Set(cluster.storageSystem.paths('/checkpoints/').map((path) => path.split('/')[3]))
    expect([...kept]).toEqual(['chk-2', 'chk-3'])
  })

  it('a second acknowledgement is DUPLICATE, one of an unknown checkpoint UNKNOWN, one after the end DISCARDED', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    const attempt = cluster.execution(0)
    cluster.ack(attempt, 1)
    cluster.ack(attempt, 1)
    cluster.ack(attempt, 99)
    cluster.message({ type: 'decline', attempt, checkpointId: 1, reason: 'CHECKPOINT_DECLINED_TASK_NOT_READY', message: 'not yet' })
    cluster.ack(cluster.execution(1), 1)
    expect(cluster.all('LateMessage').map((event) => event.outcome)).toEqual(['DUPLICATE', 'UNKNOWN', 'DISCARDED'])
  })

  it('files of a late acknowledgement are deleted', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    cluster.fire('checkpoint-timeout:1')
    const { attempt, vertex } = cluster.machine.executions[0]!
    cluster.ack(attempt, 1, cluster.writeState(1, vertex, 0))
    expect(cluster.storageSystem.paths('/checkpoints/')).toEqual([])
  })

  it('a completion that cannot be written is FINALIZE_CHECKPOINT_FAILURE, counts, and leaves the old checkpoint', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.tolerable-failed-checkpoints': 1 }))
    cluster.checkpoint()
    cluster.trigger()
    cluster.storageSystem.intercept = (op) => {
      const isCompletion = op.type === 'transact' && op.writes.some((write) => write.path.endsWith('_metadata'))
      return isCompletion ? { ok: false, reason: 'QUOTA_EXCEEDED', message: 'full' } : null
    }
    cluster.ackAll(2)
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: 2, reason: 'FINALIZE_CHECKPOINT_FAILURE' }])
    expect(cluster.machine.status).toBe('RUNNING')
    expect(new Set(cluster.storageSystem.paths('/checkpoints/').map((path) => path.split('/')[3]))).toEqual(new Set(['chk-1']))
  })

  it('an unclear outcome of the completion is made clear: the pointer names the old checkpoint again', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.tolerable-failed-checkpoints': 1 }))
    cluster.checkpoint()
    cluster.trigger()
    cluster.storageSystem.intercept = (op) => {
      if (op.type !== 'transact' || !op.writes.some((write) => write.path.endsWith('_metadata'))) return null
      cluster.storageSystem.files.execute(op, null)
      return { ok: false, reason: 'DEADLINE_EXCEEDED', message: 'no answer' }
    }
    cluster.ackAll(2)
    const next = new Cluster(cluster.storageSystem).lead(2)
    expect(next.all('CheckpointRestored')).toMatchObject([{ checkpointId: 1 }])
    expect(next.all('StoredCheckpointUnreadable')).toEqual([])
  })
})

describe('abort (behaviour 3.3, 4)', () => {
  it('expires after the timeout: tasks are told, files go, one counted failure restarts the job globally', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    cluster.writeState(1, cluster.machine.executions[0]!.vertex, 0)
    cluster.fire('checkpoint-timeout:1')
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: 1, reason: 'CHECKPOINT_EXPIRED' }])
    expect(cluster.commands('notify-checkpoint-aborted')).toHaveLength(5)
    expect(cluster.storageSystem.paths('/checkpoints/')).toEqual([])
    expect(cluster.machine.status).toBe('RESTARTING')
    expect(cluster.all('RestartScheduled')[0]?.cause).toContain('Exceeded checkpoint tolerable failure threshold.')
  })

  it('the abort message carries the latest completed checkpoint', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.tolerable-failed-checkpoints': 5 }))
    cluster.checkpoint()
    cluster.trigger()
    cluster.fire('checkpoint-timeout:2')
    expect(cluster.commands('notify-checkpoint-aborted')[0]!.command).toMatchObject({ checkpointId: 2, latestCompleted: 1 })
  })

  it('a decline aborts with the reason of the task', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    cluster.message({ type: 'decline', attempt: cluster.execution(3), checkpointId: 1, reason: 'CHECKPOINT_DECLINED_TASK_NOT_READY', message: 'restoring' })
    expect(cluster.all('CheckpointDeclined')).toMatchObject([{ checkpointId: 1, subtask: 1 }])
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ reason: 'CHECKPOINT_DECLINED_TASK_NOT_READY' }])
    expect(cluster.machine.status).toBe('RUNNING')
  })

  it('files that arrive after the deletion are swept at the next completion', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    const { attempt, vertex } = cluster.machine.executions[0]!
    cluster.message({ type: 'decline', attempt, checkpointId: 1, reason: 'CHECKPOINT_DECLINED_TASK_NOT_READY', message: '' })
    cluster.writeState(1, vertex, 0)
    cluster.checkpoint()
    expect(cluster.storageSystem.paths(`/checkpoints/${JOB}/chk-1/`)).toEqual([])
  })

  it('leaving RUNNING aborts what is pending and rejects what is queued', () => {
    const cluster = new Cluster().running()
    cluster.trigger(ID)
    cluster.trigger('b'.repeat(32))
    cluster.fail(cluster.execution(2))
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ reason: 'CHECKPOINT_COORDINATOR_SUSPEND' }])
    expect(cluster.all('CheckpointRequestRejected')).toMatchObject([{ reason: 'CHECKPOINT_COORDINATOR_SUSPEND', periodic: false }])
    expect(cluster.timers.has('checkpoint-periodic')).toBe(false)
  })

  it('a checkpoint that waits for a task which has finished is aborted, and does not count', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    cluster.taskState(cluster.execution(4), 'FINISHED')
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: 1, reason: 'TASK_CHECKPOINT_FAILURE' }])
    expect(cluster.machine.status).toBe('RUNNING')
    expect(cluster.checkpoint()).toBe(2)
    expect(cluster.all('CheckpointCompleted')).toMatchObject([{ checkpointId: 2 }])
  })

  it('an older pending checkpoint is subsumed by a newer completion', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.max-concurrent-checkpoints': 2 }))
    cluster.trigger('1'.repeat(32))
    cluster.trigger('2'.repeat(32))
    cluster.ackAll(2)
    expect(cluster.all('CheckpointCompleted')).toMatchObject([{ checkpointId: 2 }])
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: 1, reason: 'CHECKPOINT_SUBSUMED' }])
  })
})
