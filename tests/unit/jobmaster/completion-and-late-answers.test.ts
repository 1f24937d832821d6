/** What comes too late (behaviour 3.1), and in which order a completion has its effects (behaviour 3.2). */
import { describe, expect, it } from 'vitest'
import type { TaskCommand } from '../../../workers/model/control.ts'
import type { EventBody } from '../../../workers/model/events.ts'
import { Cluster, JOB, testJob } from './harness.ts'

const C = 'execution.checkpointing.'
const TOLERANT = { [`${C}tolerable-failed-checkpoints`]: 100 }
const lateAck = (cluster: Cluster, checkpointId: number): void => {
  const attempt = cluster.execution(0)
  cluster.ack(attempt, checkpointId)
  expect(cluster.all('LateMessage').at(-1)).toMatchObject({ checkpointId, attempt })
}

describe('a late acknowledgement (behaviour 3.1)', () => {
  it('of a checkpoint that completed leaves its files alone', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    const files = cluster.storageSystem.paths('/checkpoints/')
    lateAck(cluster, 1)
    expect(cluster.storageSystem.paths('/checkpoints/')).toEqual(files)
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1`).body).toMatchObject({ status: 'COMPLETED', num_acknowledged_subtasks: 5 })
  })

  it('of a savepoint that completed leaves its files alone; of one that failed it deletes them', () => {
    const cluster = new Cluster().running()
    cluster.ackAll(cluster.savepoint())
    const files = cluster.storageSystem.paths('/savepoints/')
    lateAck(cluster, 1)
    expect(cluster.storageSystem.paths('/savepoints/')).toEqual(files)
    cluster.savepoint('a'.repeat(32))
    cluster.fire('checkpoint-timeout:2')
    const directory = `/savepoints/savepoint-012345-${'a'.repeat(12)}`
    cluster.storageSystem.execute({ type: 'transact', writes: [{ path: `${directory}/late`, bytes: new Uint8Array(1), createNew: true }], deletes: [], durability: 'relaxed' }, null)
    lateAck(cluster, 2)
    expect(cluster.storageSystem.paths('/savepoints/')).toEqual(files)
  })

  it('of a checkpoint that has been subsumed deletes what it brings', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.checkpoint()
    const { vertex } = cluster.machine.executions[0]!
    cluster.writeState(1, vertex, 0)
    lateAck(cluster, 1)
    expect(cluster.storageSystem.paths(`/checkpoints/${JOB}/chk-1/`)).toEqual([])
  })

  it('with a number that was never given deletes nothing', () => {
    const cluster = new Cluster().running()
    const { vertex } = cluster.machine.executions[0]!
    cluster.writeState(7, vertex, 0)
    lateAck(cluster, 7)
    expect(cluster.storageSystem.paths(`/checkpoints/${JOB}/chk-7/`)).toHaveLength(1)
  })

  it('fills in the statistics once, and not those of a subtask that had acknowledged in time', () => {
    const cluster = new Cluster().running(testJob(TOLERANT))
    cluster.trigger()
    cluster.ack(cluster.execution(0), 1, { operators: [] }, 10)
    cluster.fire('checkpoint-timeout:1')
    for (const bytes of [20, 30]) {
      cluster.ack(cluster.execution(0), 1, { operators: [] }, bytes)
      cluster.ack(cluster.execution(1), 1, { operators: [] }, bytes)
    }
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1/subtasks/${cluster.machine.executions[0]!.vertex}`).body).toMatchObject({
      state_size: 30, subtasks: [{ state_size: 10, aborted: false }, { state_size: 20, aborted: true }],
    })
  })

  it('a decline that comes while the completion is being written does not undo it', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    const last = cluster.execution(4)
    for (let index = 0; index < 4; index++) cluster.ack(cluster.execution(index), 1)
    const metrics = { startDelayMicros: 0, alignmentMicros: 0, syncMicros: 0, asyncMicros: 0, processedBytes: 0, persistedBytes: 0, checkpointedBytes: 0, stateBytes: 0, measured: false }
    cluster.feed({ type: 'task-message', message: { type: 'acknowledge', attempt: last, checkpointId: 1, metrics, snapshot: { operators: [] } } })
    cluster.feed({ type: 'task-message', message: { type: 'decline', attempt: last, checkpointId: 1, reason: 'CHECKPOINT_DECLINED', message: 'no' } })
    cluster.settle()
    expect([cluster.all('CheckpointCompleted').length, cluster.all('CheckpointAborted').length, cluster.all('LateMessage').map(({ outcome }) => outcome)]).toEqual([1, 0, ['DISCARDED']])
  })
})

/** What happens, in one list: events, commands to tasks by their kind, notifications of the coordinator. */
function recorded(cluster: Cluster): string[] {
  const log: string[] = []
  const { event, send } = cluster
  cluster.event = (body: EventBody) => {
    if ('checkpointId' in body) log.push(`${body.type} ${String(body.checkpointId)}`)
    event.call(cluster, body)
  }
  cluster.send = (taskManager, attempt, command: TaskCommand) => {
    if ('checkpointId' in command) log.push(`${command.type} ${command.checkpointId}`)
    send.call(cluster, taskManager, attempt, command)
  }
  for (const holder of cluster.machine.job!.holders) Object.assign(holder, { notifyCheckpointComplete: (id: number) => log.push(`coordinator ${id}`) })
  return log
}
const once = (log: readonly string[]): string[] => log.filter((entry, index) => entry !== log[index - 1] && !entry.startsWith('CheckpointAcknowledged'))

describe('a completion (behaviour 3.2)', () => {
  it('COMPLETED, the older pending one aborted, the old one subsumed, then tasks are notified, then coordinators', () => {
    const cluster = new Cluster().running(testJob({ [`${C}max-concurrent-checkpoints`]: 2 }))
    cluster.checkpoint()
    cluster.trigger('2'.repeat(32))
    cluster.trigger('3'.repeat(32))
    const log = recorded(cluster)
    cluster.ackAll(3)
    expect(once(log)).toEqual([
      'CheckpointCompleted 3', 'CheckpointAborted 2', 'notify-checkpoint-aborted 2', 'CheckpointSubsumed 1', 'notify-checkpoint-complete 3', 'coordinator 3',
    ])
    expect(log.filter((entry) => entry === 'notify-checkpoint-complete 3')).toHaveLength(5)
  })

  it('of a plain savepoint notifies nobody, of one that stops the job everybody', () => {
    const cluster = new Cluster().running()
    const log = recorded(cluster)
    cluster.ackAll(cluster.savepoint())
    expect(once(log).slice(-1)).toEqual(['CheckpointCompleted 1'])
    cluster.input({ type: 'stop-with-savepoint', triggerId: 'b'.repeat(32), directory: '/savepoints', drain: false })
    cluster.ackAll(2)
    expect(once(log).slice(-3)).toEqual(['CheckpointCompleted 2', 'notify-checkpoint-complete 2', 'coordinator 2'])
  })

  it('leaves the one that stops the job out of the store: the job goes back to the checkpoint before it', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.input({ type: 'stop-with-savepoint', triggerId: 'b'.repeat(32), directory: '/savepoints', drain: false })
    cluster.ackAll(2)
    expect(cluster.machine.latestCompletedCheckpoint).toBe(1)
  })

  it('ends the time-out and answers the request', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    expect(cluster.timers.has('checkpoint-timeout:1')).toBe(false)
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/${'f'.repeat(32)}`).body).toEqual({ status: { id: 'COMPLETED' }, operation: { checkpointId: 1 } })
  })
})
