/** From a request to the command at the sources, step by step (behaviour 2.4 to 2.6, 5.5). */
import { describe, expect, it } from 'vitest'
import { operatorId } from '../../../workers/model/ids.ts'
import type { StorageOp } from '../../../workers/model/storage.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { memoryJob } from './memory-state.ts'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

const C = 'execution.checkpointing.'
const TOLERANT = { [`${C}tolerable-failed-checkpoints`]: 100 }
const id = (digit: string): string => digit.repeat(32)
const triggered = (cluster: Cluster): readonly number[] => cluster.all('CheckpointTriggered').map(({ checkpointId }) => checkpointId)
const asked = (cluster: Cluster) => cluster.sent.flatMap(({ command }) => (command.type === 'trigger-checkpoint' ? [command] : []))
const request = (cluster: Cluster, digit: string): void => cluster.feed({ type: 'trigger-checkpoint', triggerId: id(digit), checkpointType: 'CONFIGURED' })
function metadataOf(cluster: Cluster, directory: string) {
  const read = cluster.storageSystem.execute({ type: 'read', path: `${directory}/_metadata` }, null)
  if (read === null || !read.ok || read.bytes === undefined) throw new Error(`no metadata in ${directory}`)
  return readSavepoint(read.bytes)
}

describe('ids (behaviour 2.5)', () => {
  it('the first is 1; checkpoints and savepoints share the counter, failed ones use theirs up, and a restart goes on', () => {
    const cluster = new Cluster().running(testJob(TOLERANT))
    cluster.checkpoint()
    cluster.ackAll(cluster.savepoint())
    cluster.trigger(id('1'))
    cluster.fire('checkpoint-timeout:3')
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    cluster.tasksRun()
    cluster.checkpoint()
    expect(triggered(cluster)).toEqual([1, 2, 3, 4])
  })

  it('no id is used where the plan is impossible, however often it is tried', () => {
    const cluster = new Cluster().lead().submit().register('tm-1', 'tm-2')
    for (const digit of '123') cluster.trigger(id(digit))
    cluster.tasksRun()
    expect(cluster.checkpoint()).toBe(1)
  })
})

describe('the steps of a trigger (behaviour 2.5, 2.6)', () => {
  it('the row is there, with nothing acknowledged, before storage has answered; tasks are told afterwards', () => {
    const cluster = new Cluster().running()
    request(cluster, '1')
    expect(cluster.rest(`/jobs/${JOB}/checkpoints`).body).toMatchObject({ history: [{ id: 1, status: 'IN_PROGRESS', num_subtasks: 5, num_acknowledged_subtasks: 0 }] })
    expect(asked(cluster)).toEqual([])
    cluster.settle()
    expect(asked(cluster)).toHaveLength(2)
  })

  it('the timestamp of the barriers is that of the beginning of the attempt', () => {
    const cluster = new Cluster().running()
    cluster.now = 5 * SECOND
    request(cluster, '1')
    cluster.now = 8 * SECOND
    cluster.settle()
    expect(asked(cluster).map(({ timestamp }) => timestamp)).toEqual([5 * SECOND, 5 * SECOND])
  })

  it('the coordinators are snapshotted before any task hears of it, and their state is in the metadata', () => {
    const cluster = new Cluster().running()
    const holder = cluster.machine.job!.holders[0]!
    let before = -1
    Object.assign(holder, { checkpoint: () => {
      before = asked(cluster).length
      return new Uint8Array([7, 7, 7])
    } })
    cluster.checkpoint()
    expect(before).toBe(0)
    const operator = metadataOf(cluster, `/checkpoints/${JOB}/chk-1`).operators.find(({ operatorId }) => operatorId === holder.operatorId)
    expect(operator?.coordinator).toMatchObject({ bytes: new Uint8Array([7, 7, 7]) })
  })

  it('what a coordinator sends behind its snapshot waits for the acknowledgement of each subtask by itself', () => {
    const cluster = new Cluster().running()
    const holder = cluster.machine.job!.holders[0]!
    cluster.trigger()
    for (const subtask of [0, 1]) holder.sendEvent(subtask, { type: 'reader-registered', subtask })
    const reached = (): readonly string[] => cluster.commands('operator-event').map(({ attempt }) => attempt)
    expect(reached()).toEqual([])
    cluster.ack(cluster.execution(1), 1)
    expect(reached()).toEqual([cluster.execution(1)])
    cluster.ack(cluster.execution(0), 1)
    expect(reached()).toEqual([cluster.execution(1), cluster.execution(0)])
  })

  it('what a coordinator sends behind its snapshot goes when the checkpoint ends without the acknowledgement', () => {
    const cluster = new Cluster().running(testJob(TOLERANT))
    cluster.trigger()
    cluster.machine.job!.holders[0]!.sendEvent(0, { type: 'reader-registered', subtask: 0 })
    cluster.fire('checkpoint-timeout:1')
    expect(cluster.commands('operator-event').map(({ attempt }) => attempt)).toEqual([cluster.execution(0)])
  })

  it('one whose preparation fails makes way for the next', () => {
    const cluster = new Cluster().running(testJob(TOLERANT))
    cluster.storageSystem.intercept = () => ({ ok: false, reason: 'UNAVAILABLE', message: 'disk gone' })
    cluster.trigger(id('1'))
    cluster.storageSystem.intercept = null
    expect(cluster.checkpoint()).toBe(2)
    expect(cluster.all('CheckpointCompleted')).toMatchObject([{ checkpointId: 2 }])
  })

  it.each([
    ['expired', (cluster: Cluster) => cluster.feed({ type: 'timer', timer: 'checkpoint-timeout:1' })],
    ['aborted with the job', (cluster: Cluster) => cluster.feed({ type: 'cancel' })],
  ] as const)('one that was %s while it was being prepared reaches no task', (_, act) => {
    const cluster = new Cluster().running(testJob(TOLERANT))
    request(cluster, '1')
    act(cluster)
    cluster.settle()
    expect([asked(cluster), cluster.all('CheckpointAborted').length]).toEqual([[], 1])
  })

  it('INCREMENTAL by hand is an ordinary checkpoint where there is nothing to build upon', () => {
    const cluster = new Cluster().running()
    cluster.input({ type: 'trigger-checkpoint', triggerId: id('1'), checkpointType: 'INCREMENTAL' })
    expect(asked(cluster)[0]?.options.type).toBe('CHECKPOINT')
  })
})

describe('what may go from the queue (behaviour 2.2)', () => {
  const isDeletion = (op: StorageOp): boolean => op.type === 'delete-below' || (op.type === 'transact' && op.writes.length === 0 && op.deletes.length > 0)

  it('nothing while more checkpoints are being deleted than may be under way; the end of a deletion lets it go', () => {
    const cluster = new Cluster().running(testJob(TOLERANT))
    const held: StorageOp[] = []
    const { storage } = cluster
    cluster.storage = (requestId: number, op: StorageOp) => {
      if (isDeletion(op)) held.push(op)
      else storage.call(cluster, requestId, op)
      if (isDeletion(op) && held.length === 1) waiting.push(requestId)
    }
    const waiting: number[] = []
    for (const digit of '12') {
      cluster.trigger(id(digit))
      cluster.fire(`checkpoint-timeout:${digit}`)
    }
    cluster.trigger(id('3'))
    expect(triggered(cluster)).toEqual([1, 2])
    cluster.input({ type: 'storage-reply', reply: { requestId: waiting[0]!, result: { ok: true } } })
    expect(triggered(cluster)).toEqual([1, 2, 3])
  })

  it.each([
    ['expired', (cluster: Cluster) => cluster.fire('checkpoint-timeout:1')],
    ['been declined', (cluster: Cluster) => cluster.message({ type: 'decline', attempt: cluster.execution(0), checkpointId: 1, reason: 'CHECKPOINT_DECLINED', message: 'no' })],
    ['lost a task that finished', (cluster: Cluster) => cluster.taskState(cluster.execution(4), 'FINISHED')],
  ] as const)('the next at once when the one before has %s, also where there is nothing to delete', (_, act) => {
    const cluster = new Cluster().running(memoryJob(TOLERANT))
    for (const digit of '12') cluster.trigger(id(digit))
    expect(triggered(cluster)).toEqual([1])
    act(cluster)
    expect(triggered(cluster)).toEqual([1, 2])
  })

  it('the next at once when the last acknowledgement fails the one before, also where there is nothing to delete', () => {
    const cluster = new Cluster().running(memoryJob(TOLERANT))
    cluster.taskState(cluster.execution(0), 'FINISHED')
    for (const digit of '12') cluster.trigger(id(digit))
    const { attempt, vertex } = cluster.machine.executions[1]!
    const stream = { kind: 'bytes' as const, name: 'state', bytes: new Uint8Array(1) }
    const managedOperator = { states: [{ name: 's', mode: 'UNION' as const, offsets: [0] }], stream }
    cluster.ack(attempt, 1, { operators: [{ operatorId: operatorId(vertex), state: { managedOperator, managedKeyed: null } }] })
    for (const index of [2, 3, 4]) cluster.ack(cluster.execution(index), 1)
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: 1, reason: 'CHECKPOINT_DECLINED_TASK_CLOSING' }])
    expect(triggered(cluster)).toEqual([1, 2])
  })

  it('a scheduler that is started again aborts what is pending first', () => {
    const cluster = new Cluster().running(testJob({ ...TOLERANT, [`${C}max-concurrent-checkpoints`]: 2 }))
    cluster.input({ type: 'stop-with-savepoint', triggerId: id('e'), directory: '/savepoints', drain: false })
    cluster.trigger(id('1'))
    expect(triggered(cluster)).toEqual([1, 2])
    cluster.fire('checkpoint-timeout:1')
    expect(cluster.all('CheckpointAborted').map(({ checkpointId, reason }) => [checkpointId, reason])).toEqual([[1, 'CHECKPOINT_EXPIRED'], [2, 'CHECKPOINT_COORDINATOR_SUSPEND']])
    expect(cluster.timers.has('checkpoint-periodic')).toBe(true)
  })

  it('without periodic checkpoints nothing is started again, and nothing is aborted', () => {
    const { 'execution.checkpointing.interval': _, ...config } = testJob({ ...TOLERANT, [`${C}max-concurrent-checkpoints`]: 2 }).config!
    const cluster = new Cluster().running({ ...testJob(), config })
    cluster.input({ type: 'stop-with-savepoint', triggerId: id('e'), directory: '/savepoints', drain: false })
    cluster.trigger(id('1'))
    cluster.fire('checkpoint-timeout:1')
    expect(cluster.machine.job!.coordinator.pending.map((pending) => pending.id)).toEqual([2])
    expect(cluster.timers.has('checkpoint-periodic')).toBe(false)
  })
})

describe('metadata of what was asked for (behaviour 2.4, 5.5)', () => {
  it.each([
    ['a checkpoint', 'CONFIGURED', { kind: 'checkpoint', name: 'Checkpoint', sharingFilesStrategy: 'FORWARD_BACKWARD' }],
    ['a full checkpoint', 'FULL', { kind: 'checkpoint', name: 'Full Checkpoint', sharingFilesStrategy: 'FORWARD' }],
  ] as const)('%s may use older files, or be used by newer ones, as its type says', (_, checkpointType, type) => {
    const cluster = new Cluster().running()
    cluster.input({ type: 'trigger-checkpoint', triggerId: id('1'), checkpointType })
    cluster.ackAll(1)
    expect(metadataOf(cluster, `/checkpoints/${JOB}/chk-1`).properties?.type).toEqual(type)
  })

  it('finished subtasks are recorded: those of an operator that is still running, and an operator of which all have finished', () => {
    const cluster = new Cluster().running()
    const [source, count] = cluster.machine.graph!.vertices
    for (const index of [0, 1, 2]) cluster.taskState(cluster.execution(index), 'FINISHED')
    cluster.checkpoint()
    const { operators } = metadataOf(cluster, `/checkpoints/${JOB}/chk-1`)
    const of = (vertex: typeof source) => operators.find(({ operatorId }) => operatorId === vertex!.chain[0]!.operatorId)
    expect(of(source)).toMatchObject({ fullyFinished: true, subtasks: [] })
    expect(of(count)).toMatchObject({ fullyFinished: false })
    expect(of(count)?.subtasks.map(({ index, finished }) => [index, finished]).sort()).toEqual([[0, true], [1, false]])
  })
})
