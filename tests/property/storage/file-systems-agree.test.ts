import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { fencingToken, jobId } from '../../../workers/model/ids.ts'
import type { StorageOp } from '../../../workers/model/storage.ts'
import { IdbFileSystem } from '../../../workers/storage/idb-file-system.ts'
import { MemoryFileSystem } from '../../../workers/storage/memory-file-system.ts'
import type { Fence } from '../../../workers/storage/storage-results.ts'

afterEach(() => vi.unstubAllGlobals())

const JOB = jobId('0123456789abcdef0123456789abcdef')

/** Few names, so that operations meet the same files. */
const path = fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/bb', '/b', '/chk-1/x', '/chk-10/x', '/chk-1/_metadata')
const write = fc.record({ path, bytes: fc.uint8Array({ maxLength: 8 }), createNew: fc.boolean() })
const durability = fc.constantFrom('relaxed' as const, 'strict' as const)
const operation: fc.Arbitrary<StorageOp> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('transact' as const), writes: fc.array(write, { maxLength: 3 }), deletes: fc.array(path, { maxLength: 2 }), durability }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('read' as const), path }) },
  fc.record({ type: fc.constant('list' as const), prefix: fc.constantFrom('/', '/a', '/a/', '/chk-1', '/chk-1/') }),
  fc.record({ type: fc.constant('delete-below' as const), directory: fc.constantFrom('/', '/a', '/chk-1'), keep: fc.array(path, { maxLength: 2 }) }),
  fc.record({ type: fc.constant('delete-below' as const), directory: fc.constantFrom('/', '/a'), keep: fc.array(path, { maxLength: 2 }), only: fc.constant(['chk-', 'b/']) }),
)
const fence = fc.option(fc.integer({ min: 1, max: 3 }).map((token): Fence => ({ job: JOB, token: fencingToken(token) })))

it('memory and IndexedDB give the same answers to any sequence of operations, over reloads too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(operation, fence, fc.boolean()), { maxLength: 25 }), async (steps) => {
      vi.stubGlobal('indexedDB', new IDBFactory())
      const memory = new MemoryFileSystem()
      let idb = new IdbFileSystem('agree', { now: () => 0 })
      for (const [op, by, reload] of steps) {
        if (reload) {
          await idb.close()
          idb = new IdbFileSystem('agree', { now: () => 0 })
        }
        expect(await idb.execute(op, by)).toEqual(await memory.execute(op, by))
      }
      expect(await idb.entries()).toEqual(await memory.entries())
      await idb.close()
    }),
    { numRuns: 100, seed: 20010101 },
  )
})
