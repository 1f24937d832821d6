import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import { checkpointsPath, counterPath, parseFile } from '../../../workers/jobmaster/high-availability/ha-files.ts'
import { compileJob } from '../../../workers/model/compile-job.ts'
import { operatorId } from '../../../workers/model/ids.ts'
import type { OperatorId } from '../../../workers/model/ids.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { ClaimMode } from '../../../workers/model/restore.ts'
import type { StorageOp, StorageResult } from '../../../workers/model/storage.ts'
import { EMPTY_SUBTASK } from '../../../workers/savepoint/model.ts'
import type { KeyedRef, OperatorRecord } from '../../../workers/savepoint/model.ts'
import { writeSavepoint } from '../../../workers/savepoint/savepoint-writer.ts'
import { Cluster, JOB, testJob } from './harness.ts'

const PATH = '/savepoints/old'

const idOf = (uid: string): OperatorId =>
  must(must(compileJob(testJob()).graph, 'graph').vertices.flatMap(({ chain }) => chain).find((operator) => operator.uid === uid), uid).operatorId

const record = (id: OperatorId, change: Partial<OperatorRecord> = {}): OperatorRecord => ({
  name: '', uid: '', operatorId: id, parallelism: 2, maxParallelism: 128, coordinator: null, fullyFinished: false, subtasks: [], ...change,
})

/** Keyed state of a RocksDB checkpoint, which cannot be read here. */
const incremental: KeyedRef = {
  kind: 'incremental', type: 11, checkpointId: 9, backendId: 'b', range: { start: 0, end: 63 }, checkpointedSize: 1, meta: { kind: 'bytes', name: 'm', bytes: Uint8Array.of(1) }, shared: [], private: [], id: 'i',
}

interface Start {
  readonly operators?: readonly OperatorRecord[]
  readonly version?: number
  readonly claimMode?: ClaimMode
  readonly allow?: boolean
  readonly path?: string
  readonly document?: JobDocument
  readonly intercept?: (op: StorageOp) => StorageResult | null
}

/** A cluster on which a job is submitted with a snapshot of id 9. */
function submitted({ operators = [], version = 6, claimMode = 'NO_CLAIM', allow = false, path = PATH, document = testJob(), intercept }: Start = {}): Cluster {
  const cluster = new Cluster()
  const bytes = writeSavepoint({ version, checkpointId: 9, masterStates: [], operators, properties: null })
  cluster.storageSystem.execute({ type: 'transact', writes: [{ path: `${PATH}/_metadata`, bytes, createNew: true }], deletes: [], durability: 'strict' }, null)
  if (intercept !== undefined) cluster.storageSystem.intercept = intercept
  cluster.lead()
  cluster.input({ type: 'submit', job: JOB, document, seed: 1, restore: { path, claimMode, allowNonRestoredState: allow } })
  return cluster
}

const failure = (cluster: Cluster): string | undefined => cluster.all('JobStatusChanged').find(({ to }) => to === 'FAILED')?.cause

describe('a job is submitted with a snapshot (behaviour 12.2, 12.3)', () => {
  it.each([2, 3, 4, 5, 6, 7])('_metadata of version %i is restored from; ids go on behind it', (version) => {
    const cluster = submitted({ operators: [record(idOf('count'))], version }).register('tm-1', 'tm-2').tasksRun()
    expect(cluster.statuses).toEqual(['CREATED', 'RUNNING'])
    expect(cluster.all('CheckpointRestored')).toMatchObject([{ checkpointId: 9, externalPath: PATH }])
    expect(cluster.checkpoint()).toBe(10)
  })

  it('the job, the snapshot and the counter are stored in one transaction, before anything is deployed', () => {
    const cluster = submitted({ operators: [record(idOf('count'))], claimMode: 'CLAIM' })
    const read = (path: string): unknown => {
      const result = cluster.storageSystem.execute({ type: 'read', path }, null)
      return result?.ok === true && result.bytes !== undefined ? parseFile(result.bytes) : null
    }
    expect(read(checkpointsPath(JOB))).toEqual([{ checkpointId: 9, location: PATH, isSavepoint: true, claimMode: 'CLAIM' }])
    expect(read(counterPath(JOB))).toMatchObject({ nextCheckpointId: 10 })
  })

  it('the first checkpoint is a full one with NO_CLAIM, until one has completed', () => {
    const cluster = submitted({ operators: [record(idOf('count'))] }).register('tm-1', 'tm-2').tasksRun()
    const types = (): readonly unknown[] => cluster.commands('trigger-checkpoint').map(({ command }) => (command.type === 'trigger-checkpoint' ? command.options.type : null))
    cluster.checkpoint()
    cluster.checkpoint()
    expect(new Set(types().slice(0, 2))).toEqual(new Set(['FULL_CHECKPOINT']))
    expect(types().at(-1)).toBe('CHECKPOINT')
  })

  it.each(['CLAIM', 'LEGACY'] as const)('the first checkpoint may build upon the snapshot with %s', (claimMode) => {
    const cluster = submitted({ operators: [record(idOf('count'))], claimMode }).register('tm-1', 'tm-2').tasksRun()
    cluster.checkpoint()
    expect(cluster.commands('trigger-checkpoint')[0]?.command).toMatchObject({ options: { type: 'CHECKPOINT' } })
  })

  it.each([['NO_CLAIM', true], ['LEGACY', true], ['CLAIM', false]] as const)('with %s the files of the snapshot stay when it is subsumed, and when the job ends before: %s', (claimMode, isKept) => {
    const start = (): Cluster => submitted({ operators: [record(idOf('count'))], claimMode }).register('tm-1', 'tm-2').tasksRun()
    const subsumed = start()
    subsumed.checkpoint()
    const cancelled = start()
    cancelled.input({ type: 'cancel' })
    cancelled.tasksCancel()
    for (const cluster of [subsumed, cancelled]) expect(cluster.storageSystem.paths(`${PATH}/`)).toEqual(isKept ? [`${PATH}/_metadata`] : [])
    expect([subsumed.machine.latestCompletedCheckpoint, cancelled.machine.status]).toEqual([10, 'CANCELED'])
  })

  it('the latest restore is told as a savepoint, with its place', () => {
    const cluster = submitted({ operators: [record(idOf('count'))] })
    expect(cluster.rest(`/jobs/${JOB}/checkpoints`).body).toMatchObject({ counts: { restored: 1 }, latest: { restored: { id: 9, is_savepoint: true, external_path: PATH } } })
  })
})

describe('the completion notice of the checkpoint that subsumes the snapshot (behaviour 5.2, 7.3)', () => {
  it.each([
    ['CLAIM', { lastSubsumed: 9 }],
    ['NO_CLAIM', {}],
    ['LEGACY', {}],
  ] as const)('%s: tells of it where its files go', (claimMode, told) => {
    const cluster = submitted({ operators: [record(idOf('count'))], claimMode }).register('tm-1', 'tm-2').tasksRun()
    cluster.checkpoint()
    expect(cluster.all('CheckpointSubsumed')).toMatchObject([{ checkpointId: 9, by: 10 }])
    expect(cluster.commands('notify-checkpoint-complete')[0]?.command).toEqual({ type: 'notify-checkpoint-complete', checkpointId: 10, ...told })
  })
})

describe('a job that cannot be restored fails at its initialisation', () => {
  it('state of an operator that is not there: the operator is named, with what is lost', () => {
    const stray = operatorId('f'.repeat(32))
    const operators = [record(stray, { uid: 'gone', coordinator: { kind: 'bytes', name: 'c', bytes: new Uint8Array(7) } })]
    const message = failure(submitted({ operators }))
    expect(message).toMatch(/^Failed to rollback to checkpoint\/savepoint \/savepoints\/old\. Cannot map checkpoint\/savepoint state for operator f{32}/)
    expect(message).toContain('("gone", 7 bytes)')
    expect(message).toContain('--allowNonRestoredState')
    expect(failure(submitted({ operators, allow: true }))).toBeUndefined()
  })

  it('state of another backend is refused where the operator is there, and passed over where it is not', () => {
    const subtasks = [{ ...EMPTY_SUBTASK, index: 0, managedKeyed: incremental }]
    expect(failure(submitted({ operators: [record(idOf('count'), { subtasks })] }))).toMatch(/holds incremental RocksDB state, which cannot be restored here/)
    expect(failure(submitted({ operators: [record(operatorId('f'.repeat(32)), { subtasks })], allow: true }))).toBeUndefined()
  })

  it('a max parallelism that is set and differs, also for an operator without state', () => {
    const base = testJob()
    const document = { ...base, operators: base.operators.map((operator) => (operator.uid === 'count' ? { ...operator, maxParallelism: 64 } : operator)) }
    expect(failure(submitted({ operators: [record(idOf('count'))], document }))).toMatch(/^Max parallelism mismatch between checkpoint\/savepoint state and new program/)
  })

  it('a parallelism or max parallelism that no job can have', () => {
    expect(failure(submitted({ operators: [record(idOf('count'), { maxParallelism: 0x7fffffff })] }))).toMatch(/max parallelism 2147483647, which is not within 1 to 32768/)
    expect(failure(submitted({ operators: [record(idOf('count'), { parallelism: 0x7fffffff })] }))).toMatch(/has parallelism 2147483647/)
  })

  it('what is no metadata, or cannot be read', () => {
    const damaged = submitted({ path: PATH, intercept: (op) => (op.type === 'read' && op.path === `${PATH}/_metadata` ? { ok: true, bytes: Uint8Array.of(1, 2, 3, 4) } : null) })
    expect(failure(damaged)).toMatch(/^The metadata of the checkpoint or savepoint '\/savepoints\/old' cannot be read: Unexpected magic number/)
    const unavailable = submitted({ intercept: (op) => (op.type === 'list' && op.prefix === PATH ? { ok: false, reason: 'UNAVAILABLE', message: 'away' } : null) })
    expect(failure(unavailable)).toBe("Could not read the checkpoint or savepoint '/savepoints/old': UNAVAILABLE: away")
  })

  it('the reason is the newest exception of the job, over REST too', () => {
    const cluster = submitted({ path: '/nowhere' })
    expect(cluster.rest(`/jobs/${JOB}/exceptions`).body).toMatchObject({ exceptionHistory: { entries: [{ stacktrace: failure(cluster) }] } })
  })

  it('nothing is stored, deleted or deployed, and another job may follow', () => {
    const cluster = submitted({ path: '/nowhere' })
    expect(failure(cluster)).toMatch(/^Cannot find checkpoint or savepoint file\/directory '\/nowhere'/)
    expect(cluster.storageSystem.paths()).toEqual([`${PATH}/_metadata`])
    cluster.register('tm-1', 'tm-2')
    expect(cluster.deployed).toEqual([])
    cluster.submit().tasksRun()
    expect(cluster.machine.status).toBe('RUNNING')
  })

  it('a coordinator that cannot read its state', () => {
    const coordinator = { kind: 'bytes' as const, name: 'c', bytes: Uint8Array.of(9, 9, 9) }
    expect(failure(submitted({ operators: [record(idOf('source'), { coordinator })] }))).toMatch(/^The state of an operator coordinator cannot be restored: /)
  })
})

describe('while the snapshot is being read', () => {
  it('the job can be cancelled', () => {
    const cluster = new Cluster()
    cluster.lead()
    cluster.feed({ type: 'submit', job: JOB, document: testJob(), seed: 1, restore: { path: PATH, claimMode: 'CLAIM', allowNonRestoredState: false } })
    cluster.input({ type: 'cancel' })
    expect(cluster.statuses).toEqual(['CANCELLING', 'CANCELED'])
  })
})
