import { describe, expect, test } from 'vitest'
import type { SnapshotSource } from '../../../workers/hosts/browser/snapshot-desk.ts'
import { BUILTIN_JOBS } from '../../../workers/model/builtin-jobs/builtin-jobs.ts'
import { DIRECTORY, writeDirectory } from '../savepoint/snapshot-directory.ts'
import { putCheckpoint, stored } from './stored-files.ts'

const job = BUILTIN_JOBS['flights-delay']!
const settings = { allowNonRestoredState: false, claimMode: 'NO_CLAIM' } as const

describe('the engine verdict on a restore', () => {
  test('state that the job has no operator for is refused, and with allowNonRestoredState left behind', async () => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    const source: SnapshotSource = { kind: 'stored', path: '/savepoints/a' }
    const refused = await files.desk.verdict(source, job, settings)
    expect(refused).toMatchObject({ accepted: false, refusedAt: 'start' })
    expect(refused.refusal).toMatch(/allowNonRestoredState/)
    const allowed = await files.desk.verdict(source, job, { ...settings, allowNonRestoredState: true })
    expect(allowed.operators.filter(({ outcome }) => outcome === 'dropped').map(({ old }) => old?.uid)).toContain('counter')
  })

  test('dropped files are judged as stored ones are', async () => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    const { metadata, files: state } = writeDirectory()
    const dropped: SnapshotSource = {
      kind: 'dropped',
      name: 'a',
      files: [['_metadata', metadata] as const, ...[...state].map(([path, bytes]) => [path.slice(DIRECTORY.length + 1), bytes] as const)].map(([path, bytes]) => ({ path, file: new Blob([bytes as Uint8Array<ArrayBuffer>]) })),
    }
    const allowed = { ...settings, allowNonRestoredState: true }
    expect(await files.desk.verdict(dropped, job, allowed)).toEqual(await files.desk.verdict({ kind: 'stored', path: '/savepoints/a' }, job, allowed))
  })

  test('a job with mistakes is refused with their places', async () => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    const wrong = { ...job, operators: job.operators.map((operator, i) => (i === 1 ? { ...operator, type: 'agregate' } : operator)) } as typeof job
    await expect(files.desk.verdict({ kind: 'stored', path: '/savepoints/a' }, wrong, settings)).rejects.toThrow('/operators/1/type')
  })
})
