import { describe, expect, it } from 'vitest'
import { taskManagerId } from '../../../workers/model/ids.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

describe('restart procedure (behaviour 15.3)', () => {
  it('RESTARTING at once; tasks are cancelled; the restart waits for the delay and for the cancellations', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.fail(cluster.execution(2))
    expect(cluster.statuses.at(-1)).toBe('RESTARTING')
    expect(cluster.states()).toEqual(['CANCELING', 'CANCELING', 'FAILED', 'CANCELING', 'CANCELING'])
    cluster.fire('restart')
    expect(cluster.machine.status).toBe('RESTARTING')
    cluster.tasksCancel()
    expect(cluster.statuses.at(-1)).toBe('RUNNING')
    expect(cluster.states()).toEqual(Array(5).fill('DEPLOYING'))
  })

  it('does not restart before the delay although all tasks are gone', () => {
    const cluster = new Cluster().running()
    cluster.fail(cluster.execution(2))
    cluster.tasksCancel()
    expect(cluster.machine.status).toBe('RESTARTING')
    expect(cluster.timers.get('restart')).toBe(cluster.now + SECOND)
    cluster.fire('restart')
    expect(cluster.machine.status).toBe('RUNNING')
  })

  it('restores the latest completed checkpoint into new attempts', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.checkpoint()
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    expect(cluster.all('CheckpointRestored')).toEqual([{ type: 'CheckpointRestored', checkpointId: 2, externalPath: `/checkpoints/${JOB}/chk-2` }])
    const deployments = cluster.deployed.at(-1)!
    expect(deployments.map((task) => task.attemptNumber)).toEqual([1, 1, 1, 1, 1])
    expect(deployments.map((task) => task.restore?.checkpointId)).toEqual([2, 2, 2, 2, 2])
    const stream = deployments[3]!.restore!.operators[0]!.operator[0]!.stream
    expect(stream).toMatchObject({ kind: 'relative', name: `${deployments[3]!.vertex}-1` })
  })

  it('no checkpoint at all: restarts from empty state and says so', () => {
    const cluster = new Cluster().running()
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    expect(cluster.all('RestoredEmpty')).toHaveLength(1)
    expect(cluster.deployed.at(-1)!.map((task) => task.restore)).toEqual(Array(5).fill(null))
  })

  it('the checkpoint id goes on, and the first delay is random again', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.trigger()
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    const nextAt = cluster.timers.get('checkpoint-periodic')! - cluster.now
    expect(nextAt).toBeLessThanOrEqual(10 * SECOND)
    cluster.tasksRun()
    expect(cluster.checkpoint()).toBe(3)
  })

  it('a completion that is being written when a task fails is the one that is restored', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    const attempts = cluster.machine.executions.map((execution) => execution.attempt)
    for (const attempt of attempts.slice(1)) cluster.ack(attempt, 1)
    const metrics = { startDelayMicros: 0, alignmentMicros: 0, syncMicros: 0, asyncMicros: 0, processedBytes: 0, persistedBytes: 0, checkpointedBytes: 0, stateBytes: 0, measured: false }
    cluster.feed({ type: 'task-message', message: { type: 'acknowledge', attempt: attempts[0]!, checkpointId: 1, metrics, snapshot: { operators: [] } } })
    cluster.feed({ type: 'task-message', message: { type: 'state', attempt: attempts[0]!, state: 'FAILED', failure: { message: 'x', nonRecoverable: false } } })
    for (const attempt of attempts.slice(1)) cluster.feed({ type: 'task-message', message: { type: 'state', attempt, state: 'CANCELED' } })
    cluster.now = cluster.timers.get('restart')!
    cluster.feed({ type: 'timer', timer: 'restart' })
    expect(cluster.machine.status).toBe('RESTARTING')
    cluster.settle()
    expect(cluster.machine.status).toBe('RUNNING')
    expect(cluster.all('CheckpointRestored')).toMatchObject([{ checkpointId: 1 }])
  })

  it('splits that a reader got after the restored checkpoint are given out again', () => {
    const cluster = new Cluster().running()
    const operator = cluster.machine.graph!.vertices[0]!.chain[0]!.operatorId
    const register = (): void => {
      for (const subtask of [0, 1]) {
        cluster.message({ type: 'operator-event', attempt: cluster.execution(subtask), operator, event: { type: 'reader-registered', subtask } })
      }
    }
    const splits = (): number =>
      cluster.commands('operator-event').filter(({ command }) => command.type === 'operator-event' && command.event.type === 'add-splits').length
    register()
    expect(splits()).toBe(2)
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    cluster.tasksRun()
    register()
    expect(splits()).toBe(4)
  })

  it('messages of a superseded attempt change nothing', () => {
    const cluster = new Cluster().running()
    const old = cluster.execution(1)
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    cluster.tasksRun()
    cluster.fail(old)
    expect(cluster.machine.status).toBe('RUNNING')
  })
})

describe('failing', () => {
  it('none: FAILING, and FAILED only after the tasks are cancelled', () => {
    const cluster = new Cluster().running(testJob({ 'restart-strategy.type': 'none' }))
    cluster.fail(cluster.execution(0), 'no luck')
    expect(cluster.machine.status).toBe('FAILING')
    expect(cluster.all('RecoverySuppressed')).toMatchObject([{ strategy: 'NoRestartBackoffTimeStrategy', cause: 'no luck' }])
    cluster.tasksCancel()
    expect(cluster.machine.status).toBe('FAILED')
    expect(cluster.storageSystem.paths('/ha/')).toEqual([])
  })

  it('DELETE_ON_CANCELLATION keeps the checkpoint of a failed job', () => {
    const config = { 'restart-strategy.type': 'none', 'execution.checkpointing.externalized-checkpoint-retention': 'DELETE_ON_CANCELLATION' }
    const cluster = new Cluster().running(testJob(config))
    cluster.checkpoint()
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    expect(cluster.storageSystem.paths()).toHaveLength(6)
  })

  it('an error that no restart can cure fails the job without asking the strategy', () => {
    const cluster = new Cluster().running()
    cluster.fail(cluster.execution(0), 'Long beyond 2^53', true)
    expect(cluster.machine.status).toBe('FAILING')
    expect(cluster.all('RestartScheduled')).toEqual([])
  })

  it('one failure counts once, however many tasks go with it', () => {
    const cluster = new Cluster().running(testJob({ 'restart-strategy.fixed-delay.attempts': 1 }))
    cluster.input({ type: 'task-manager-lost', taskManager: taskManagerId('tm-1'), cause: 'killed' })
    expect(cluster.all('RestartScheduled')).toHaveLength(1)
    expect(cluster.machine.status).toBe('RESTARTING')
  })
})

describe('a lost TaskManager', () => {
  it('fails its tasks, counts the cancelled ones as cancelled, and asks for a replacement', () => {
    const cluster = new Cluster().running()
    cluster.requested.length = 0
    cluster.input({ type: 'task-manager-lost', taskManager: taskManagerId('tm-2'), cause: 'killed' })
    expect(cluster.states()).toEqual(['CANCELING', 'FAILED', 'CANCELING', 'CANCELED', 'CANCELING'])
    expect(cluster.all('RestartScheduled')[0]?.cause).toBe('TaskManager with id tm-2 is no longer reachable.')
    expect(cluster.requested).toEqual([2])
    expect(cluster.commands('cancel').map((sent) => sent.taskManager)).toEqual(['tm-1', 'tm-1', 'tm-1'])
    cluster.tasksCancel()
    cluster.fire('restart')
    expect(cluster.machine.status).toBe('RUNNING')
    expect(cluster.states()).toEqual(Array(5).fill('SCHEDULED'))
    cluster.register('tm-3')
    expect(cluster.machine.executions.map((execution) => execution.taskManager)).toEqual(['tm-1', 'tm-3', 'tm-1', 'tm-3', 'tm-1'])
  })

  it('a lost task fails the task', () => {
    const cluster = new Cluster().running()
    cluster.input({ type: 'task-lost', attempt: cluster.execution(4), cause: 'worker terminated' })
    expect(cluster.machine.status).toBe('RESTARTING')
    expect(cluster.states()[4]).toBe('FAILED')
  })
})

describe('failover regions (behaviour 15.2)', () => {
  const slices: JobDocument = {
    ...testJob(),
    operators: [
      { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'in' } },
      { uid: 'out', type: 'print', parallelism: 2 },
    ],
    edges: [{ from: 'source', to: 'out', ship: 'forward' }],
  }

  it('a region failover restarts the region and leaves the rest running', () => {
    const cluster = new Cluster().running(slices)
    cluster.checkpoint()
    cluster.fail(cluster.execution(0))
    expect(cluster.states()).toEqual(['FAILED', 'RUNNING', 'CANCELING', 'RUNNING'])
    cluster.tasksCancel()
    cluster.fire('restart')
    expect(cluster.deployed.at(-1)!.map((task) => `${task.chain[0]!.uid}/${task.subtask}`)).toEqual(['source/0', 'out/0'])
    expect(cluster.states()).toEqual(['DEPLOYING', 'RUNNING', 'DEPLOYING', 'RUNNING'])
  })

  it('full: a failure restarts all tasks, though they are not connected', () => {
    const cluster = new Cluster().running({ ...slices, config: { ...slices.config, 'jobmanager.execution.failover-strategy': 'full' } })
    cluster.checkpoint()
    cluster.fail(cluster.execution(0))
    expect(cluster.states()).toEqual(['FAILED', 'CANCELING', 'CANCELING', 'CANCELING'])
  })

  it('exponential delay: a failure merged into the scheduled restart stands beside its root cause; others are roots of their own', () => {
    for (const [type, roots] of [['exponential-delay', 1], ['fixed-delay', 2]] as const) {
      const cluster = new Cluster().running({ ...slices, config: { ...slices.config, 'restart-strategy.type': type } })
      cluster.fail(cluster.execution(0), 'first')
      cluster.fail(cluster.execution(1), 'second')
      const { entries } = cluster.machine.job!.exceptions
      expect(entries.map((entry) => [entry.message, ...entry.concurrent.map((other) => other.message)]).flat()).toEqual(['first', 'second'])
      expect(entries).toHaveLength(roots)
    }
  })

  it('a global failover restarts all', () => {
    const cluster = new Cluster().running(slices)
    cluster.trigger()
    cluster.fire('checkpoint-timeout:1')
    expect(cluster.states()).toEqual(Array(4).fill('CANCELING'))
  })
})
