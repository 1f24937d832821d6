/** What every implementation of the file system port must do. Plain assertions: the same suite runs in node and in a real browser. */
import { describe, expect, it } from 'vitest'
import { fencingToken, jobId } from '../../workers/model/ids.ts'
import type { FileWrite, StorageOp, StorageResult } from '../../workers/model/storage.ts'
import type { FileSystem } from '../../workers/storage/file-system.ts'
import type { Fence } from '../../workers/storage/storage-results.ts'

/** One storage and connections to it. Each test gets a fresh one. */
export interface FileSystemUnderTest {
  /** A further connection to the same files, as after a reload. */
  connect(): FileSystem
  /** Damages the stored contents of a file behind the file system's back. */
  damage(path: string, how: 'flip' | 'truncate'): Promise<void>
  dispose(): Promise<void>
}

const JOB = jobId('0123456789abcdef0123456789abcdef')
const OTHER_JOB = jobId('fedcba9876543210fedcba9876543210')
const fence = (token: number, job = JOB): Fence => ({ job, token: fencingToken(token) })
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values)
const write = (path: string, content: Uint8Array = bytes(1, 2, 3), createNew = false): FileWrite => ({ path, bytes: content, createNew })
const transact = (writes: FileWrite[], deletes: string[] = [], durability: 'relaxed' | 'strict' = 'relaxed'): StorageOp => ({
  type: 'transact',
  writes,
  deletes,
  durability,
})
const read = (path: string): StorageOp => ({ type: 'read', path })
const list = (prefix: string): StorageOp => ({ type: 'list', prefix })
const reasonOf = (result: StorageResult): string => (result.ok ? 'ok' : result.reason)

export function fileSystemContract(name: string, factory: () => Promise<FileSystemUnderTest>): void {
  const run = (test: (fs: FileSystem, under: FileSystemUnderTest) => Promise<void>) => async (): Promise<void> => {
    const under = await factory()
    const fs = under.connect()
    try {
      await test(fs, under)
    } finally {
      await fs.close()
      await under.dispose()
    }
  }
  const paths = async (fs: FileSystem, prefix = '/'): Promise<string[]> => {
    const result = await fs.execute(list(prefix), null)
    return result.ok ? (result.entries ?? []).map((entry) => entry.path) : [`failed: ${result.reason}`]
  }
  const contents = async (fs: FileSystem, path: string): Promise<number[] | string> => {
    const result = await fs.execute(read(path), null)
    return result.ok ? [...(result.bytes ?? [])] : result.reason
  }

  describe(`${name}: files`, () => {
    it('reads back what was written, relaxed and strict', run(async (fs) => {
      expect(await fs.execute(transact([write('/a/b', bytes(1, 2))], [], 'relaxed'), null)).toEqual({ ok: true })
      expect(await fs.execute(transact([write('/a/c', bytes(3))], [], 'strict'), null)).toEqual({ ok: true })
      expect(await contents(fs, '/a/b')).toEqual([1, 2])
      expect(await contents(fs, '/a/c')).toEqual([3])
    }))
    it('keeps an empty file, and one of several hundred kilobytes', run(async (fs) => {
      const large = new Uint8Array(300_000).map((_, i) => i * 7)
      await fs.execute(transact([write('/empty', bytes()), write('/large', large)]), null)
      expect(await contents(fs, '/empty')).toEqual([])
      const result = await fs.execute(read('/large'), null)
      expect(result.ok && result.bytes !== undefined && result.bytes.every((value, i) => value === ((i * 7) & 255))).toBe(true)
    }))
    it('reads a part of a file, small or large, and says how long the file is', run(async (fs) => {
      const large = new Uint8Array(300_000).map((_, i) => i * 7)
      await fs.execute(transact([write('/small', bytes(1, 2, 3, 4)), write('/large', large)]), null)
      const part = (path: string, offset?: number, length?: number) =>
        fs.execute({ type: 'read', path, ...(offset === undefined ? {} : { offset }), ...(length === undefined ? {} : { length }) }, null)
      expect(await part('/small', 1, 2)).toEqual({ ok: true, bytes: bytes(2, 3), size: 4 })
      expect(await part('/small', 2)).toEqual({ ok: true, bytes: bytes(3, 4), size: 4 })
      expect(await part('/small', undefined, 1)).toEqual({ ok: true, bytes: bytes(1), size: 4 })
      expect(await part('/small', 3, 10)).toEqual({ ok: true, bytes: bytes(4), size: 4 })
      expect(await part('/small', 10, 10)).toEqual({ ok: true, bytes: bytes(), size: 4 })
      expect(await part('/large', 200_000, 3)).toEqual({ ok: true, bytes: large.slice(200_000, 200_003), size: 300_000 })
      expect(reasonOf(await part('/nothing', 0, 1))).toBe('NOT_FOUND')
      for (const wrong of [-1, 0.5, NaN]) {
        expect(reasonOf(await part('/small', wrong))).toBe('INVALID_REQUEST')
        expect(reasonOf(await part('/small', 0, wrong))).toBe('INVALID_REQUEST')
      }
    }))
    it('refuses a part of a file that was cut short', run(async (fs, under) => {
      await fs.execute(transact([write('/a', bytes(1, 2, 3, 4))]), null)
      await under.damage('/a', 'truncate')
      expect(reasonOf(await fs.execute({ type: 'read', path: '/a', offset: 0, length: 1 }, null))).toBe('CORRUPT')
    }))
    it('stores only the viewed part of a larger buffer', run(async (fs) => {
      const buffer = new Uint8Array(1000).fill(9)
      buffer.set([1, 2, 3], 500)
      await fs.execute(transact([write('/view', buffer.subarray(500, 503))]), null)
      expect(await contents(fs, '/view')).toEqual([1, 2, 3])
    }))
    it('is not changed through the bytes that it gave or was given', run(async (fs) => {
      await fs.execute(transact([write('/a', bytes(1, 2, 3))]), null)
      const first = await fs.execute(read('/a'), null)
      if (first.ok) first.bytes?.fill(0)
      expect(await contents(fs, '/a')).toEqual([1, 2, 3])
    }))
    it('overwrites unless createNew is asked', run(async (fs) => {
      await fs.execute(transact([write('/a', bytes(1))]), null)
      expect(reasonOf(await fs.execute(transact([write('/a', bytes(2))]), null))).toBe('ok')
      expect(reasonOf(await fs.execute(transact([write('/a', bytes(3), true)]), null))).toBe('ALREADY_EXISTS')
      expect(await contents(fs, '/a')).toEqual([2])
    }))
    it('answers NOT_FOUND for a file that is not there', run(async (fs) => {
      expect(await contents(fs, '/nowhere')).toBe('NOT_FOUND')
    }))
    it('survives a new connection', run(async (fs, under) => {
      await fs.execute(transact([write('/a', bytes(7))]), null)
      await fs.close()
      const again = under.connect()
      expect(await contents(again, '/a')).toEqual([7])
      await again.close()
    }))
    it('answers UNAVAILABLE after close', run(async (fs) => {
      await fs.execute(transact([write('/a')]), null)
      await fs.close()
      expect(await contents(fs, '/a')).toBe('UNAVAILABLE')
    }))
  })

  describe(`${name}: transactions`, () => {
    it('does all writes and deletions of a transaction', run(async (fs) => {
      await fs.execute(transact([write('/old')]), null)
      await fs.execute(transact([write('/x'), write('/y')], ['/old', '/never-was']), null)
      expect(await paths(fs)).toEqual(['/x', '/y'])
    }))
    it('does nothing of a transaction of which one part is refused', run(async (fs) => {
      await fs.execute(transact([write('/b', bytes(1)), write('/c', bytes(1))]), null)
      const result = await fs.execute(transact([write('/a'), write('/b', bytes(2), true), write('/d')], ['/c']), null)
      expect(reasonOf(result)).toBe('ALREADY_EXISTS')
      expect(await paths(fs)).toEqual(['/b', '/c'])
      expect(await contents(fs, '/b')).toEqual([1])
    }))
    it('carries out operations in the order in which they were asked', run(async (fs) => {
      const answers = await Promise.all([
        fs.execute(transact([write('/a', bytes(1))]), null),
        fs.execute(transact([write('/a', bytes(2))]), null),
        fs.execute(read('/a'), null),
        fs.execute(transact([], ['/a']), null),
        fs.execute(read('/a'), null),
      ])
      expect(answers.map(reasonOf)).toEqual(['ok', 'ok', 'ok', 'ok', 'NOT_FOUND'])
      expect(answers[2]).toMatchObject({ bytes: bytes(2) })
    }))
    it('lets one of two createNew writers win', run(async (fs, under) => {
      const other = under.connect()
      const results = await Promise.all([
        fs.execute(transact([write('/one', bytes(1), true)]), null),
        other.execute(transact([write('/one', bytes(2), true)]), null),
      ])
      expect(results.map(reasonOf).sort()).toEqual(['ALREADY_EXISTS', 'ok'])
      await other.close()
    }))
  })

  describe(`${name}: listing and deleting`, () => {
    it('lists by prefix in the order of paths, with sizes', run(async (fs) => {
      await fs.execute(transact([write('/j/chk-10/x'), write('/j/chk-1/b', bytes(1)), write('/j/chk-1/a', bytes(1, 2)), write('/k')]), null)
      const result = await fs.execute(list('/j/chk-1/'), null)
      expect(result.ok && result.entries?.map(({ path, size }) => [path, size])).toEqual([['/j/chk-1/a', 2], ['/j/chk-1/b', 1]])
    }))
    it('takes a prefix without a slash as text', run(async (fs) => {
      await fs.execute(transact([write('/j/chk-10/x'), write('/j/chk-1/a'), write('/j/chk-2/a')]), null)
      expect(await paths(fs, '/j/chk-1')).toEqual(['/j/chk-1/a', '/j/chk-10/x'])
    }))
    it('lists nothing where there is nothing', run(async (fs) => {
      expect(await paths(fs, '/none/')).toEqual([])
    }))
    it('lists every file by entries', run(async (fs) => {
      await fs.execute(transact([write('/b'), write('/a')]), null)
      expect((await fs.entries()).map((entry) => entry.path)).toEqual(['/a', '/b'])
    }))
    it('deletes below a directory, not its namesakes', run(async (fs) => {
      await fs.execute(transact([write('/j/chk-1/a'), write('/j/chk-1/d/e'), write('/j/chk-10/a'), write('/j/chk-1.tmp')]), null)
      await fs.execute({ type: 'delete-below', directory: '/j/chk-1', keep: [] }, null)
      expect(await paths(fs)).toEqual(['/j/chk-1.tmp', '/j/chk-10/a'])
    }))
    it('keeps all below a directory that delete-below was told to keep', run(async (fs) => {
      await fs.execute(transact([write('/a/keep/x'), write('/a/keep/y/z'), write('/a/keeper'), write('/a/b')]), null)
      expect(await fs.execute({ type: 'delete-below', directory: '/a', keep: ['/a/keep/'] }, null)).toEqual({ ok: true })
      expect(await paths(fs)).toEqual(['/a/keep/x', '/a/keep/y/z'])
    }))
    it('keeps what delete-below was told to keep', run(async (fs) => {
      await fs.execute(transact([write('/j/a'), write('/j/b'), write('/j/c')]), null)
      await fs.execute({ type: 'delete-below', directory: '/j', keep: ['/j/b', '/j/not-there'] }, null)
      expect(await paths(fs)).toEqual(['/j/b'])
    }))
    it('deletes only what lies directly in the directories that delete-below was told of', run(async (fs) => {
      await fs.execute(transact([write('/j/chk-1/a'), write('/j/chk-1/d/e'), write('/j/chk-2'), write('/j/shared/x'), write('/j/shared-not/x'), write('/j/shared/kept'), write('/j/savepoint/a')]), null)
      await fs.execute({ type: 'delete-below', directory: '/j', keep: ['/j/shared/kept'], only: ['chk-', 'shared/'] }, null)
      expect(await paths(fs)).toEqual(['/j/chk-1/d/e', '/j/chk-2', '/j/savepoint/a', '/j/shared-not/x', '/j/shared/kept'])
    }))
    it('deletes everything below the root', run(async (fs) => {
      await fs.execute(transact([write('/a'), write('/b/c')]), null)
      await fs.execute({ type: 'delete-below', directory: '/', keep: [] }, null)
      expect(await paths(fs)).toEqual([])
    }))
  })

  describe(`${name}: paths`, () => {
    for (const path of ['', 'a', 'a/b', '/', '//', '/a//b', '/a/', '/.', '/..', '/a/../b', '/a/./b', './a']) {
      it(`refuses the path "${path}" and touches nothing`, run(async (fs) => {
        expect(reasonOf(await fs.execute(transact([write('/fine'), write(path)]), null))).toBe('INVALID_REQUEST')
        expect(reasonOf(await fs.execute(transact([], [path]), null))).toBe('INVALID_REQUEST')
        expect(reasonOf(await fs.execute(read(path), null))).toBe('INVALID_REQUEST')
        expect(await paths(fs)).toEqual([])
      }))
    }
    it('takes dots within a segment for what they are', run(async (fs) => {
      await fs.execute(transact([write('/a/.hidden'), write('/a/...')]), null)
      expect(await paths(fs)).toEqual(['/a/...', '/a/.hidden'])
    }))
    it('refuses a relative directory and prefix', run(async (fs) => {
      expect(reasonOf(await fs.execute({ type: 'delete-below', directory: 'a', keep: [] }, null))).toBe('INVALID_REQUEST')
      expect(reasonOf(await fs.execute({ type: 'delete-below', directory: '/a/..', keep: [] }, null))).toBe('INVALID_REQUEST')
      expect(reasonOf(await fs.execute(list(''), null))).toBe('INVALID_REQUEST')
      expect(reasonOf(await fs.execute(list('/a/../'), null))).toBe('INVALID_REQUEST')
    }))
    it('refuses a path that occurs twice in one transaction', run(async (fs) => {
      expect(reasonOf(await fs.execute(transact([write('/a'), write('/a')]), null))).toBe('INVALID_REQUEST')
      expect(reasonOf(await fs.execute(transact([write('/a')], ['/a']), null))).toBe('INVALID_REQUEST')
    }))
  })

  describe(`${name}: fencing`, () => {
    it('refuses every operation with a token older than the newest seen', run(async (fs) => {
      await fs.execute(transact([write('/a', bytes(1))]), fence(2))
      for (const op of [transact([write('/a', bytes(9))]), read('/a'), list('/'), { type: 'delete-below', directory: '/', keep: [] } as const]) {
        expect(reasonOf(await fs.execute(op, fence(1)))).toBe('FENCED')
      }
      expect(await contents(fs, '/a')).toEqual([1])
      expect(reasonOf(await fs.execute(read('/a'), fence(2)))).toBe('ok')
    }))
    it('counts a token that came with a read', run(async (fs) => {
      await fs.execute(list('/'), fence(5))
      expect(reasonOf(await fs.execute(transact([write('/a')]), fence(4)))).toBe('FENCED')
    }))
    it('counts a token whose operation was refused', run(async (fs) => {
      expect(reasonOf(await fs.execute(read('/none'), fence(5)))).toBe('NOT_FOUND')
      expect(reasonOf(await fs.execute(transact([write('/a')]), fence(4)))).toBe('FENCED')
    }))
    it('keeps the tokens of jobs apart, and lets what has no fence pass', run(async (fs) => {
      await fs.execute(list('/'), fence(5))
      expect(reasonOf(await fs.execute(transact([write('/a')]), fence(1, OTHER_JOB)))).toBe('ok')
      expect(reasonOf(await fs.execute(read('/a'), null))).toBe('ok')
    }))
    it('holds across connections, in both directions', run(async (fs, under) => {
      const other = under.connect()
      await fs.execute(list('/'), fence(1))
      await other.execute(list('/'), fence(2))
      expect(reasonOf(await fs.execute(transact([write('/a')]), fence(1)))).toBe('FENCED')
      expect(reasonOf(await fs.execute(read('/a'), fence(1)))).toBe('FENCED')
      await other.close()
      const later = under.connect()
      expect(reasonOf(await later.execute(list('/'), fence(1)))).toBe('FENCED')
      await later.close()
    }))
  })

  describe(`${name}: damage`, () => {
    for (const how of ['flip', 'truncate'] as const) {
      it(`answers CORRUPT for a file damaged by ${how}`, run(async (fs, under) => {
        const large = new Uint8Array(100_000).fill(5)
        await fs.execute(transact([write('/small', bytes(1, 2, 3)), write('/large', large), write('/sound', bytes(4))]), null)
        await under.damage('/small', how)
        await under.damage('/large', how)
        expect(await contents(fs, '/small')).toBe('CORRUPT')
        expect(await contents(fs, '/large')).toBe('CORRUPT')
        expect(await contents(fs, '/sound')).toEqual([4])
      }))
    }
  })
}
