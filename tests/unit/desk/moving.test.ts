import { describe, expect, test } from 'vitest'
import { JOB, putCheckpoint, putRunningJob, stored } from './stored-files.ts'

describe('deleting', () => {
  test('a directory goes with all below it, and nothing beside it', async () => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    putCheckpoint(files, '/savepoints/ab')
    await files.desk.remove(['/savepoints/a'])
    expect(files.paths()).toEqual(['_metadata', 'keyed-0', 'keyed-1'].map((name) => `/savepoints/ab/${name}`))
  })

  test('one path that is not there, and nothing is deleted', async () => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    const before = files.paths()
    await expect(files.desk.remove(['/savepoints/a', '/savepoints/b'])).rejects.toThrow('there is nothing at /savepoints/b')
    await expect(files.desk.remove(['/savepoints/../ha'])).rejects.toThrow('has a segment ".."')
    expect(files.paths()).toEqual(before)
  })

  test('what a running job needs is told beforehand; the JobManager own records are not deleted', async () => {
    const files = stored()
    const kept = `/checkpoints/${JOB}/chk-7`
    putCheckpoint(files, kept)
    putRunningJob(files, JOB, [kept])
    expect(await files.desk.needing([kept])).toEqual([{ by: 'job', who: JOB }])
    expect(await files.desk.needing([`/checkpoints`])).toEqual([{ by: 'job', who: JOB }])
    expect(await files.desk.needing([`${kept}/keyed-0`])).toEqual([{ by: 'snapshot', who: kept }])
    await expect(files.desk.remove([`/ha/${JOB}`])).rejects.toThrow("the JobManager's own record of a job")
  })
})

describe('copying and renaming', () => {
  test('a copy of a savepoint is restorable by itself, also when the original is gone', async () => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    const original = await files.desk.open({ kind: 'stored', path: '/savepoints/a' })
    await files.desk.copy('/savepoints/a', '/backups/2024/a')
    await files.desk.remove(['/savepoints/a'])
    expect((await files.node('/backups/2024/a')).snapshot).toMatchObject({ isRestorable: true, absoluteHandles: 0 })
    expect(await files.desk.open({ kind: 'stored', path: '/backups/2024/a' })).toEqual(original)
  })

  test('renaming leaves nothing at the old place', async () => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    await files.desk.rename('/savepoints/a', '/savepoints/before-the-upgrade')
    expect(files.paths()).toEqual(['_metadata', 'keyed-0', 'keyed-1'].map((name) => `/savepoints/before-the-upgrade/${name}`))
    await expect(files.desk.rename('/savepoints/before-the-upgrade/keyed-1', '/savepoints/x')).rejects.toThrow('is needed at its place by snapshot /savepoints/before-the-upgrade')
  })

  test('a snapshot that a job keeps is not renamed, but copied', async () => {
    const files = stored()
    const kept = `/checkpoints/${JOB}/chk-7`
    putCheckpoint(files, kept)
    putRunningJob(files, JOB, [kept])
    await expect(files.desk.rename(kept, '/x')).rejects.toThrow(`${kept} is needed at its place by job ${JOB}: copy it instead`)
    await files.desk.copy(kept, '/x')
    expect((await files.node('/x')).references).toEqual([])
  })

  test.each([
    ['/savepoints/a', '/savepoints/b', 'there is something at /savepoints/b already'],
    ['/savepoints/a', '/savepoints/a/in', 'which is in it'],
    ['/savepoints/a', '/savepoints/a', 'which is in it'],
    ['/savepoints/a', '/savepoints/b/_metadata/x', '/savepoints/b/_metadata is a file'],
    ['/savepoints/a', '/savepoints/../b', 'has a segment ".."'],
    ['/savepoints/a', '/ha/x', "the JobManager's own place"],
    ['/nowhere', '/x', 'there is nothing at /nowhere'],
    ['/', '/x', 'the whole storage'],
  ])('from %s to %s is refused, and nothing changes', async (from, to, message) => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    putCheckpoint(files, '/savepoints/b')
    const before = files.paths()
    await expect(files.desk.copy(from, to)).rejects.toThrow(message)
    await expect(files.desk.rename(from, to)).rejects.toThrow(message)
    expect(files.paths()).toEqual(before)
  })

  test('a copy that does not fit leaves nothing behind', async () => {
    const files = stored(6_000_000)
    for (let i = 0; i < 5; i++) files.put(`/big/${i}`, new Uint8Array(1_000_000))
    files.put('/big/_metadata', new Uint8Array(10))
    const before = files.paths()
    await expect(files.desk.copy('/big', '/other')).rejects.toThrow('do not fit')
    expect(files.paths()).toEqual(before)
  })
})
