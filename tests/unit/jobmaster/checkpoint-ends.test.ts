/** Why pending checkpoints end when tasks fail, restart or go (behaviour 3.3, 4), and what tasks are told of those that left the store (7.3). */
import { describe, expect, it } from 'vitest'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

const C = 'execution.checkpointing.'
const BY_HAND = testJob({ [`${C}interval`]: 0 })
const aborted = (cluster: Cluster) => cluster.all('CheckpointAborted').map(({ checkpointId, reason }) => `${checkpointId} ${reason}`)

function restarted(cluster: Cluster): Cluster {
  cluster.tasksCancel()
  cluster.fire('restart')
  return cluster.tasksRun()
}

describe('a task fails under a pending checkpoint', () => {
  it('with periodic checkpoints it ends at once: CHECKPOINT_COORDINATOR_SUSPEND', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    cluster.fail(cluster.execution(2))
    expect(aborted(cluster)).toEqual(['1 CHECKPOINT_COORDINATOR_SUSPEND'])
    restarted(cluster)
    expect(aborted(cluster)).toHaveLength(1)
  })

  it('without, it stays until the tasks restart: JOB_FAILOVER_REGION', () => {
    const cluster = new Cluster().running(BY_HAND)
    const id = cluster.savepoint()
    cluster.fail(cluster.execution(2))
    expect(cluster.machine.status).toBe('RESTARTING')
    expect(aborted(cluster)).toEqual([])
    restarted(cluster)
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: id, reason: 'JOB_FAILOVER_REGION', message: 'FailoverRegion is restarting.' }])
    expect(cluster.machine.status).toBe('RUNNING')
    cluster.checkpoint()
    expect(cluster.machine.latestCompletedCheckpoint).toBe(id + 1)
  })

  it('without, it may yet expire, or complete by what had been acknowledged', () => {
    const expired = new Cluster().running(BY_HAND)
    expired.savepoint()
    expired.fail(expired.execution(2))
    expired.fire('checkpoint-timeout:1')
    expect(aborted(expired)).toEqual(['1 CHECKPOINT_EXPIRED'])
    const completed = new Cluster().running(BY_HAND)
    completed.trigger()
    const acknowledged = completed.machine.executions.map(({ attempt, vertex, subtask }) => ({ attempt, snapshot: completed.writeState(1, vertex, subtask) }))
    for (const { attempt, snapshot } of acknowledged.slice(0, 4)) completed.ack(attempt, 1, snapshot)
    completed.fail(completed.execution(0))
    const [last] = acknowledged.slice(4)
    completed.ack(last!.attempt, 1, last!.snapshot)
    restarted(completed)
    expect(completed.all('CheckpointRestored')).toMatchObject([{ checkpointId: 1 }])
    expect(aborted(completed)).toEqual([])
  })

  it('without, what waits in the queue is looked at again when the tasks restart', () => {
    const cluster = new Cluster().running(BY_HAND)
    cluster.trigger('1'.repeat(32))
    cluster.trigger('2'.repeat(32))
    cluster.fail(cluster.execution(2))
    expect(cluster.all('CheckpointRequestRejected')).toEqual([])
    restarted(cluster)
    expect(aborted(cluster)).toEqual(['1 JOB_FAILOVER_REGION'])
    expect(cluster.all('CheckpointRequestRejected')).toMatchObject([{ reason: 'NOT_ALL_REQUIRED_TASKS_RUNNING' }])
  })
})

describe('the job ends under a pending checkpoint', () => {
  it('with periodic checkpoints it ends when the job leaves RUNNING, without when the job is gone', () => {
    const [periodic, byHand] = [new Cluster().running(), new Cluster().running(BY_HAND)]
    for (const cluster of [periodic, byHand]) {
      cluster.trigger()
      cluster.input({ type: 'cancel' })
    }
    expect(aborted(periodic)).toEqual(['1 CHECKPOINT_COORDINATOR_SUSPEND'])
    expect(aborted(byHand)).toEqual([])
    byHand.tasksCancel()
    expect(byHand.statuses.at(-1)).toBe('CANCELED')
    expect(aborted(byHand)).toEqual(['1 CHECKPOINT_COORDINATOR_SHUTDOWN'])
  })

  it('without periodic checkpoints the loss of leadership shuts the coordinator down', () => {
    const cluster = new Cluster().running(BY_HAND)
    cluster.trigger()
    cluster.input({ type: 'revoke-leadership' })
    expect(aborted(cluster)).toEqual(['1 CHECKPOINT_COORDINATOR_SHUTDOWN'])
  })
})

describe('a trigger that a task fails over', () => {
  it('ends the checkpoint with TASK_FAILURE, which does not count, before the failure of the task comes', () => {
    const cluster = new Cluster().running(testJob({ [`${C}tolerable-failed-checkpoints`]: 0 }))
    cluster.trigger()
    const message = 'Task name with subtask : source (1/2)#0 Failure reason: Task has failed.'
    cluster.message({ type: 'decline', attempt: cluster.execution(0), checkpointId: 1, reason: 'TASK_FAILURE', message })
    expect(cluster.machine.status).toBe('RUNNING')
    cluster.fail(cluster.execution(0), 'Could not perform checkpoint 1 for operator source (1/2)#0. Caused by: gave up')
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: 1, reason: 'TASK_FAILURE', message }])
    expect(cluster.machine.status).toBe('RESTARTING')
    expect(cluster.all('RestartScheduled')).toHaveLength(1)
  })
})

describe('what a task failed of, with its causes', () => {
  it('stands in /exceptions as a stack trace', () => {
    const cluster = new Cluster().running()
    cluster.fail(cluster.execution(0), 'Could not perform checkpoint 1 for operator a (1/2)#0. Caused by: Could not complete snapshot 1. Caused by: disk: full')
    expect(cluster.rest(`/jobs/${JOB}/exceptions`).body).toMatchObject({
      exceptionHistory: {
        entries: [
          {
            exceptionName: 'Could not perform checkpoint 1 for operator a (1/2)#0.',
            stacktrace: 'Could not perform checkpoint 1 for operator a (1/2)#0.\nCaused by: Could not complete snapshot 1.\nCaused by: disk: full',
          },
        ],
      },
    })
  })
})

describe('the completion notice (behaviour 7.3)', () => {
  const told = (cluster: Cluster) => cluster.commands('notify-checkpoint-complete').slice(-1).map(({ command }) => command)

  it('tells which checkpoint was subsumed by it, if one was', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    expect(told(cluster)).toEqual([{ type: 'notify-checkpoint-complete', checkpointId: 1 }])
    cluster.checkpoint()
    expect(told(cluster)).toEqual([{ type: 'notify-checkpoint-complete', checkpointId: 2, lastSubsumed: 1 }])
  })

  it('goes out behind the abort notices of older checkpoints, which tell of the completion already', () => {
    const cluster = new Cluster().running(testJob({ [`${C}max-concurrent-checkpoints`]: 2 }))
    cluster.trigger('1'.repeat(32))
    cluster.now += SECOND
    cluster.trigger('2'.repeat(32))
    cluster.ackAll(2)
    const to = cluster.execution(4)
    expect(cluster.sent.filter(({ attempt, command }) => attempt === to && command.type.startsWith('notify')).map(({ command }) => command)).toEqual([
      { type: 'notify-checkpoint-aborted', checkpointId: 1, latestCompleted: 2 },
      { type: 'notify-checkpoint-complete', checkpointId: 2 },
    ])
  })
})
