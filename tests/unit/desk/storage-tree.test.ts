import { describe, expect, test } from 'vitest'
import { operatorId } from '../../../workers/model/ids.ts'
import { EMPTY_SUBTASK } from '../../../workers/savepoint/model.ts'
import type { StreamRef } from '../../../workers/savepoint/model.ts'
import { writeSavepoint } from '../../../workers/savepoint/savepoint-writer.ts'
import { JOB, putCheckpoint, putForeign, putRunningJob, stored } from './stored-files.ts'

/** A `_metadata` whose keyed state is in these streams, one subtask each. */
function metadataOf(streams: readonly StreamRef[]): Uint8Array {
  const subtasks = streams.map((stream, index) => ({ ...EMPTY_SUBTASK, index, managedKeyed: { kind: 'key-groups' as const, type: 12 as const, range: { start: index, end: index }, offsets: [0], stream, id: `h${index}` } }))
  const operators = [{ name: '', uid: '', operatorId: operatorId('0'.repeat(32)), parallelism: 4, maxParallelism: 4, coordinator: null, fullyFinished: false, subtasks }]
  return writeSavepoint({ version: 6, checkpointId: 3, masterStates: [], operators, properties: null })
}

describe('what lies in storage is told as Flink lays it out', () => {
  test('kinds of folders and files, parents before what is in them, sizes and times of all below', async () => {
    const files = stored()
    putCheckpoint(files, `/checkpoints/${JOB}/chk-7`)
    files.put(`/checkpoints/${JOB}/shared/one`, new Uint8Array(5))
    files.put(`/checkpoints/${JOB}/taskowned/two`, new Uint8Array(6))
    files.put('/notes.txt', new Uint8Array(1))
    putRunningJob(files, JOB, [])
    const { nodes, quota } = await files.desk.tree()
    expect(quota).toEqual({ usedBytes: 10, limitBytes: 100 })
    expect(nodes.map(({ path, kind }) => [path, kind])).toEqual([
      ['/checkpoints', 'folder'],
      [`/checkpoints/${JOB}`, 'job'],
      [`/checkpoints/${JOB}/chk-7`, 'checkpoint'],
      [`/checkpoints/${JOB}/chk-7/_metadata`, 'metadata'],
      [`/checkpoints/${JOB}/chk-7/keyed-0`, 'state'],
      [`/checkpoints/${JOB}/chk-7/keyed-1`, 'state'],
      [`/checkpoints/${JOB}/shared`, 'shared'],
      [`/checkpoints/${JOB}/shared/one`, 'state'],
      [`/checkpoints/${JOB}/taskowned`, 'taskowned'],
      [`/checkpoints/${JOB}/taskowned/two`, 'state'],
      ['/ha', 'ha'],
      [`/ha/${JOB}`, 'ha'],
      [`/ha/${JOB}/checkpoints`, 'ha'],
      [`/ha/${JOB}/counter`, 'ha'],
      [`/ha/${JOB}/job-graph`, 'ha'],
      ['/notes.txt', 'other'],
    ])
    const job = nodes.find(({ kind }) => kind === 'job')!
    const below = files.memory.entries().filter(({ path }) => path.startsWith('/checkpoints/'))
    expect(job).toMatchObject({ files: below.length, size: below.reduce((sum, file) => sum + file.size, 0), modifiedAt: Math.max(...below.map((file) => file.modifiedAt)) })
  })

  test('a snapshot is restorable while every file that it names is there in its length', async () => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    expect((await files.node('/savepoints/a')).snapshot).toEqual({
      checkpointId: 7, kind: 'checkpoint', operators: 2, isRestorable: true, problem: null, relativeHandles: 2, absoluteHandles: 0, inlineHandles: 2,
    })
    const bytes = files.bytes('/savepoints/a/keyed-1')!
    files.put('/savepoints/a/keyed-1', bytes.subarray(1))
    expect((await files.node('/savepoints/a')).snapshot).toMatchObject({ isRestorable: false, problem: `the file keyed-1 has ${bytes.length - 1} bytes, its handle says ${bytes.length}` })
    await files.desk.remove(['/savepoints/a/keyed-1', '/savepoints/a/keyed-0'])
    expect((await files.node('/savepoints/a')).snapshot).toMatchObject({ isRestorable: false, problem: 'the file keyed-0 is missing (and 1 more)' })
  })

  test('absolute paths are followed wherever the snapshot lies, by the rules of URIs', async () => {
    const files = stored()
    files.put('/s3/bucket/job/shared/f', new Uint8Array(9))
    files.put('/savepoints/x/_metadata', metadataOf([{ kind: 'file', path: 's3://bucket/job/shared/f', size: 9 }, { kind: 'segment', start: 2, size: 7, scope: 'SHARED', path: 's3://bucket/job/shared/f', logicalFile: 'l' }]))
    expect(await files.node('/savepoints/x')).toMatchObject({ kind: 'savepoint', snapshot: { isRestorable: true, absoluteHandles: 2 } })
    expect((await files.node('/s3/bucket/job/shared/f')).references).toEqual([{ by: 'snapshot', who: '/savepoints/x' }])
    await files.desk.remove(['/s3'])
    const { problem } = (await files.node('/savepoints/x')).snapshot!
    expect(problem).toBe('it names s3://bucket/job/shared/f by its absolute path, and no file is there: a checkpoint with such files cannot be moved')
  })

  test('a handle that leads out of its directory finds nothing there', async () => {
    const files = stored()
    files.put('/savepoints/secret', new Uint8Array(3))
    files.put('/savepoints/x/_metadata', metadataOf([{ kind: 'relative', name: '../secret', size: 3 }]))
    expect((await files.node('/savepoints/x')).snapshot).toMatchObject({ isRestorable: false, problem: 'the file ../secret is missing' })
    expect((await files.node('/savepoints/secret')).references).toEqual([])
  })

  test('the kind of a snapshot: by its properties, by its handles where it has none', async () => {
    const files = stored()
    putForeign(files, '/a')
    expect((await files.node('/a')).snapshot?.kind).toBe('unaligned checkpoint')
    files.put('/b/_metadata', metadataOf([]))
    expect((await files.node('/b')).snapshot?.kind).toBe('unknown')
    files.put('/c/_metadata', Uint8Array.of(1, 2, 3, 4))
    expect((await files.node('/c')).snapshot).toMatchObject({ kind: 'unknown', isRestorable: false })
    expect((await files.node('/c')).snapshot?.problem).toMatch(/^_metadata cannot be read: Unexpected magic number/)
  })
})

describe('who needs what', () => {
  test('a job keeps the checkpoints of its store; a running one owns its directory and its own records', async () => {
    const files = stored()
    const [kept, old] = [`/checkpoints/${JOB}/chk-7`, `/checkpoints/${JOB}/chk-6`]
    putCheckpoint(files, kept)
    putCheckpoint(files, old)
    files.put(`/checkpoints/${JOB}/chk-8/part`, new Uint8Array(1))
    putRunningJob(files, JOB, [kept])
    const job = { by: 'job', who: JOB }
    expect((await files.node(kept)).references).toEqual([job])
    expect((await files.node(`${kept}/_metadata`)).references).toEqual([job])
    expect((await files.node(old)).references).toEqual([])
    expect((await files.node(`/checkpoints/${JOB}/chk-8`)).references, 'a checkpoint that is being taken').toEqual([job])
    expect((await files.node(`/ha/${JOB}`)).references).toEqual([job])
    expect((await files.node(`${kept}/keyed-0`)).references).toEqual([{ by: 'snapshot', who: kept }])
  })

  test('files that several snapshots share are counted, and a directory names only who is outside of it', async () => {
    const files = stored()
    const shared = `/checkpoints/${JOB}/shared/f`
    files.put(shared, new Uint8Array(4))
    for (const n of [1, 2]) files.put(`/checkpoints/${JOB}/chk-${n}/_metadata`, metadataOf([{ kind: 'file', path: shared, size: 4 }]))
    const both = [1, 2].map((n) => ({ by: 'snapshot', who: `/checkpoints/${JOB}/chk-${n}` }))
    expect((await files.node(shared)).references).toEqual(both)
    expect((await files.node(`/checkpoints/${JOB}/shared`)).references).toEqual(both)
    expect((await files.node(`/checkpoints/${JOB}`)).references).toEqual([])
    expect(await files.desk.needing([`/checkpoints/${JOB}/shared`])).toEqual(both)
    expect(await files.desk.needing([`/checkpoints/${JOB}/shared`, `/checkpoints/${JOB}/chk-1`])).toEqual([both[1]])
    expect(await files.desk.needing([`/checkpoints/${JOB}`])).toEqual([])
  })
})

test('listing some thousand files again reads only the metadata that is new', async () => {
  const files = stored()
  for (let n = 1; n <= 300; n++) {
    putCheckpoint(files, `/checkpoints/${JOB}/chk-${n}`)
    for (let i = 0; i < 10; i++) files.put(`/checkpoints/${JOB}/chk-${n}/more-${i}`, new Uint8Array(1))
  }
  expect((await files.desk.tree()).nodes).toHaveLength(2 + 300 * 14)
  expect(files.reads).toHaveLength(300)
  putCheckpoint(files, `/checkpoints/${JOB}/chk-301`)
  await files.desk.tree()
  expect(files.reads.slice(300)).toEqual([`/checkpoints/${JOB}/chk-301/_metadata`])
})
