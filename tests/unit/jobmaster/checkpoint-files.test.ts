import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import type { SharedStateHandle, TaskStateSnapshot } from '../../../workers/model/state-handles.ts'
import { jobId, operatorId } from '../../../workers/model/ids.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { StorageOp } from '../../../workers/model/storage.ts'
import { Cluster, JOB, TestStorage, testJob } from './harness.ts'

const DIRECTORY = `/checkpoints/${JOB}`
const RETENTIONS = ['NO_EXTERNALIZED_CHECKPOINTS', 'DELETE_ON_CANCELLATION', 'RETAIN_ON_CANCELLATION'] as const
const ENDS = ['FINISHED', 'CANCELED', 'FAILED', 'SUSPENDED'] as const

/** A job with one completed checkpoint (and one that it has not completed) ends so. */
function endedWith(end: (typeof ENDS)[number], config: JobDocument['config']): Cluster {
  const cluster = new Cluster().running(testJob({ ...config, 'restart-strategy.type': 'none', 'high-availability.type': 'NONE' }))
  cluster.checkpoint()
  cluster.trigger()
  const pending = must(cluster.all('CheckpointTriggered').at(-1), 'a pending checkpoint').checkpointId
  cluster.ack(cluster.execution(0), pending, cluster.writeState(pending, 'late', 0))
  if (end === 'FINISHED') for (const { attempt } of cluster.machine.executions) cluster.taskState(attempt, 'FINISHED')
  if (end === 'CANCELED') cluster.input({ type: 'cancel' })
  if (end === 'FAILED') cluster.fail(cluster.execution(0))
  if (end === 'SUSPENDED') cluster.input({ type: 'revoke-leadership' })
  cluster.tasksCancel()
  expect(cluster.statuses.at(-1)).toBe(end)
  return cluster
}

describe('retention policy and end of the job (behaviour 5.1)', () => {
  const KEPT: Record<(typeof RETENTIONS)[number], readonly (typeof ENDS)[number][]> = {
    NO_EXTERNALIZED_CHECKPOINTS: [],
    DELETE_ON_CANCELLATION: ['FAILED'],
    RETAIN_ON_CANCELLATION: ['CANCELED', 'FAILED', 'SUSPENDED'],
  }
  for (const retention of RETENTIONS) {
    for (const end of ENDS) {
      for (const createSubdir of [true, false]) {
        const isKept = KEPT[retention].includes(end)
        it(`${retention}, ${end}, create-subdir ${createSubdir}: ${isKept ? 'kept' : 'deleted'}`, () => {
          const cluster = endedWith(end, { 'execution.checkpointing.externalized-checkpoint-retention': retention, ...(createSubdir ? {} : { 'execution.checkpointing.create-subdir': false, 'execution.checkpointing.dir': DIRECTORY }) })
          const files = cluster.storageSystem.paths()
          if (isKept) expect(new Set(files.map((path) => path.split('/').at(-2)))).toEqual(new Set(['chk-1']))
          else expect(files).toEqual([])
          expect(files.some((path) => path.endsWith('chk-1/_metadata'))).toBe(isKept)
        })
      }
    }
  }

  it('a savepoint is kept however the job ends', () => {
    for (const end of ['CANCELED', 'FAILED'] as const) {
      const cluster = new Cluster().running(testJob({ 'restart-strategy.type': 'none' }))
      cluster.ackAll(cluster.savepoint())
      if (end === 'CANCELED') cluster.input({ type: 'cancel' })
      else cluster.fail(cluster.execution(0))
      cluster.tasksCancel()
      expect(cluster.statuses.at(-1)).toBe(end)
      expect(cluster.storageSystem.paths('/savepoints/').some((path) => path.endsWith('/_metadata'))).toBe(true)
    }
  })

  it.each(['', '/mine', '/chk-1', '/shared'])('also one whose target lies in the directory of the job (%s), whose checkpoints go', (below) => {
    for (const end of ['CANCELED', 'FAILED'] as const) {
      const cluster = new Cluster().running(testJob({ 'restart-strategy.type': 'none' }))
      cluster.ackAll(cluster.savepoint('e'.repeat(32), `${DIRECTORY}${below}`))
      const files = cluster.storageSystem.paths(`${DIRECTORY}${below}/savepoint-`)
      expect(files.some((path) => path.endsWith('/_metadata'))).toBe(true)
      cluster.checkpoint()
      cluster.storageSystem.execute(write(`${DIRECTORY}/chk-9/late`), null)
      if (end === 'CANCELED') cluster.input({ type: 'cancel' })
      else cluster.fail(cluster.execution(0))
      cluster.tasksCancel()
      expect(cluster.statuses.at(-1)).toBe(end)
      expect(cluster.storageSystem.paths()).toEqual(files)
    }
  })

  it('what is task-owned is never deleted', () => {
    const storage = new TestStorage()
    storage.execute(write(`${DIRECTORY}/taskowned/wal`), null)
    const cluster = new Cluster(storage).running()
    cluster.checkpoint()
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    expect(storage.paths()).toEqual([`${DIRECTORY}/taskowned/wal`])
  })
})

const write = (path: string): StorageOp => ({ type: 'transact', writes: [{ path, bytes: new Uint8Array(3), createNew: true }], deletes: [], durability: 'relaxed' })

function recorded(storage: TestStorage): string[] {
  const log: string[] = []
  storage.intercept = (op) => {
    if (op.type === 'transact' && op.writes.length === 0) for (const path of op.deletes) log.push(path.replace(`${DIRECTORY}/`, ''))
    if (op.type === 'delete-below') log.push(`${op.directory.replace(`${DIRECTORY}/`, '')}/**`)
    return null
  }
  return log
}

describe('a completed checkpoint goes (behaviour 5.2)', () => {
  it('metadata first, then private state, each after the other; the directory only if nothing else is in it', () => {
    const cluster = new Cluster().running()
    const log = recorded(cluster.storageSystem)
    cluster.checkpoint()
    cluster.storageSystem.execute(write(`${DIRECTORY}/chk-1/of-the-user`), null)
    cluster.checkpoint()
    const [first, ...rest] = log
    expect(first).toBe('chk-1/_metadata')
    expect(rest).toHaveLength(5)
    expect(rest.every((path) => path.startsWith('chk-1/') && !path.endsWith('_metadata'))).toBe(true)
    expect(cluster.storageSystem.paths(`${DIRECTORY}/chk-1/`)).toEqual([`${DIRECTORY}/chk-1/of-the-user`])
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1`).body).toMatchObject({ discarded: true })
  })

  it('an aborted one with all that is below its directory, also what arrives later', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    cluster.ack(cluster.execution(0), 1, cluster.writeState(1, 'a', 0))
    cluster.fire('checkpoint-timeout:1')
    expect(cluster.storageSystem.paths(`${DIRECTORY}/`)).toEqual([])
    cluster.writeState(1, 'too-late', 0)
    cluster.tasksCancel()
    cluster.fire('restart')
    cluster.tasksRun()
    cluster.checkpoint()
    expect(cluster.storageSystem.paths(`${DIRECTORY}/chk-1/`)).toEqual([])
  })
})

describe('files that several checkpoints use (behaviour 5.3)', () => {
  const shared = (name: string): SharedStateHandle => ({ kind: 'file', path: `${DIRECTORY}/shared/${name}`, size: 3 })
  const keep = (name: string): SharedStateHandle => ({ ...shared(name), kind: 'placeholder' })

  /** The second task of the job acknowledges with these files, and writes those that are no placeholders. */
  function acknowledge(cluster: Cluster, id: number, handles: readonly SharedStateHandle[]): void {
    for (const { kind, path } of handles) if (kind === 'file') cluster.storageSystem.execute(write(path), null)
    const [first, ...others] = cluster.machine.executions
    const state: TaskStateSnapshot['operators'][number]['state'] = { managedOperator: null, managedKeyed: null, shared: handles.map((handle, index) => ({ name: `${index}.sst`, handle })) }
    const { attempt, vertex } = must(first, 'a task')
    cluster.ack(attempt, id, { operators: [{ operatorId: operatorId(vertex), state }] })
    for (const other of others) cluster.ack(other.attempt, id)
  }

  function checkpoint(cluster: Cluster, handles: readonly SharedStateHandle[]): void {
    cluster.trigger()
    acknowledge(cluster, must(cluster.all('CheckpointTriggered').at(-1), 'a checkpoint').checkpointId, handles)
  }

  const inShared = (cluster: Cluster): string => cluster.storageSystem.paths(`${DIRECTORY}/shared/`).map((path) => path.split('/').at(-1)).join('')

  it('FC-036: a file goes with the last checkpoint that refers to it, not by age', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.num-retained': 2 }))
    checkpoint(cluster, ['1', '2'].map(shared))
    checkpoint(cluster, [keep('1'), keep('2'), shared('3')])
    checkpoint(cluster, [keep('1'), keep('2'), keep('3'), shared('4')])
    expect(inShared(cluster)).toBe('1234')
    checkpoint(cluster, [keep('4'), shared('5')])
    expect(inShared(cluster)).toBe('12345')
    checkpoint(cluster, [keep('4'), keep('5'), shared('6')])
    expect(inShared(cluster)).toBe('456')
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    expect(cluster.storageSystem.paths()).toEqual([])
  })

  it('FC-038: those of an aborted checkpoint go at the next completion, also if they are told of too late', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.tolerable-failed-checkpoints': 5 }))
    checkpoint(cluster, [shared('1')])
    cluster.trigger()
    cluster.fire('checkpoint-timeout:2')
    acknowledge(cluster, 2, [keep('1'), shared('2'), shared('3')])
    expect(inShared(cluster)).toBe('123')
    checkpoint(cluster, [keep('1'), shared('4')])
    expect(inShared(cluster)).toBe('14')
  })

  it('those of a savepoint are not registered: the checkpoints that follow leave them alone', () => {
    const cluster = new Cluster().running()
    acknowledge(cluster, cluster.savepoint(), [shared('of-the-savepoint')])
    checkpoint(cluster, [shared('1')])
    checkpoint(cluster, [shared('2')])
    expect(cluster.storageSystem.paths(`${DIRECTORY}/shared/`)).toEqual(['2', 'of-the-savepoint'].map((name) => `${DIRECTORY}/shared/${name}`))
  })

  it('a retained checkpoint keeps them when the job ends', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.externalized-checkpoint-retention': 'RETAIN_ON_CANCELLATION' }))
    checkpoint(cluster, [shared('1'), shared('2')])
    checkpoint(cluster, [keep('2')])
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    expect(inShared(cluster)).toBe('2')
  })

  it('a placeholder of a file that nobody knows fails the checkpoint', () => {
    const cluster = new Cluster().running()
    checkpoint(cluster, [keep('unknown')])
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: 1, reason: 'CHECKPOINT_ASYNC_EXCEPTION', message: expect.stringContaining('Attempt to reference unknown state') as string }])
    expect(cluster.machine.status).toBe('RESTARTING')
  })
})

describe('one directory for several jobs (create-subdir false, FC-107)', () => {
  const config = { 'execution.checkpointing.create-subdir': false, 'execution.checkpointing.dir': DIRECTORY, 'execution.checkpointing.externalized-checkpoint-retention': 'RETAIN_ON_CANCELLATION' }

  it('checkpoints lie below the directory itself', () => {
    const cluster = new Cluster().running(testJob({ ...config, 'execution.checkpointing.dir': '/mine' }))
    cluster.trigger()
    for (const { attempt } of cluster.machine.executions) cluster.ack(attempt, 1)
    expect(cluster.storageSystem.paths('/mine/')).toEqual(['/mine/chk-1/_metadata'])
  })

  it('a checkpoint of the same number is refused, and that of the other job stays whole', () => {
    const first = new Cluster().running(testJob(config))
    first.checkpoint()
    first.input({ type: 'cancel' })
    first.tasksCancel()
    const theirs = first.storageSystem.paths()
    const second = new Cluster(first.storageSystem)
    second.lead(2).input({ type: 'submit', job: jobId('f'.repeat(32)), document: testJob({ ...config, 'execution.checkpointing.tolerable-failed-checkpoints': 1 }), seed: 1 })
    second.register('tm-1', 'tm-2').tasksRun()
    second.trigger()
    second.storageSystem.execute(write(`${DIRECTORY}/chk-1/own`), null)
    const [mine, ...others] = second.machine.executions
    const managedOperator = { states: [], stream: { kind: 'relative' as const, name: 'own', size: 3 } }
    const { attempt, vertex } = must(mine, 'a task')
    second.ack(attempt, 1, { operators: [{ operatorId: operatorId(vertex), state: { managedOperator, managedKeyed: null } }] })
    for (const other of others) second.ack(other.attempt, 1)
    expect(second.all('CheckpointAborted')).toMatchObject([{ reason: 'FINALIZE_CHECKPOINT_FAILURE', message: expect.stringMatching(/chk-1\/_metadata exists already.*another job/) as string }])
    expect(second.storageSystem.paths(DIRECTORY)).toEqual(theirs)
  })
})
