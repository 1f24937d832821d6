import 'fake-indexeddb/auto'
import { IDBFactory, IDBObjectStore, forceCloseDatabase } from 'fake-indexeddb'
import { deleteDB, openDB, unwrap, type IDBPDatabase } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FILES_DATABASE_VERSION, IdbFileSystem, type FilesSchema } from '../../../workers/storage/idb-file-system.ts'
import type { StorageOp } from '../../../workers/model/storage.ts'
import { fileSystemContract } from '../file-system.contract.ts'

const NAME = 'weir-files-test'
const write = (path: string, size = 3): StorageOp => ({
  type: 'transact',
  writes: [{ path, bytes: new Uint8Array(size).fill(1), createNew: false }],
  deletes: [],
  durability: 'strict',
})
const read = (path: string): StorageOp => ({ type: 'read', path })

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

fileSystemContract('IndexedDB', async () => ({
  connect: () => new IdbFileSystem(NAME),
  damage,
  dispose: () => deleteDB(NAME),
}))

async function damage(path: string, how: 'flip' | 'truncate'): Promise<void> {
  const db = await openDB<FilesSchema>(NAME)
  const stored = await db.get('contents', path)
  if (stored === undefined) throw new Error(`no contents of ${path}`)
  const bytes = stored instanceof Blob ? new Uint8Array(await stored.arrayBuffer()) : new Uint8Array(stored)
  if (how === 'flip') bytes[0] = (bytes[0] as number) ^ 1
  const damaged = how === 'flip' ? bytes : bytes.slice(0, -1)
  await db.put('contents', stored instanceof Blob ? new Blob([damaged]) : damaged, path)
  db.close()
}

describe('IndexedDB: failures', () => {
  it('stores small files as bytes and large ones as Blobs', async () => {
    const fs = new IdbFileSystem(NAME)
    await fs.execute(write('/small', 1000), null)
    await fs.execute(write('/large', 100_000), null)
    const db = await openDB<FilesSchema>(NAME)
    expect(await db.get('contents', '/small')).toBeInstanceOf(Uint8Array)
    expect(await db.get('contents', '/large')).toBeInstanceOf(Blob)
    db.close()
    await fs.close()
  })

  it('asks for the durability of the operation', async () => {
    const fs = new IdbFileSystem(NAME)
    await fs.execute(write('/warm-up'), null)
    const transaction = vi.spyOn(IDBDatabaseOf(await openDB(NAME)), 'transaction')
    await fs.execute(write('/a'), null)
    await fs.execute({ ...(write('/b') as Extract<StorageOp, { type: 'transact' }>), durability: 'relaxed' }, null)
    expect(transaction.mock.calls.map((call) => [call[1], call[2]?.durability])).toEqual([['readwrite', 'strict'], ['readwrite', 'relaxed']])
    await fs.close()
  })

  it('answers UNAVAILABLE where IndexedDB does not exist, each time', async () => {
    vi.stubGlobal('indexedDB', undefined)
    const fs = new IdbFileSystem(NAME)
    for (const op of [write('/a'), read('/a')]) expect(await fs.execute(op, null)).toMatchObject({ ok: false, reason: 'UNAVAILABLE' })
    await expect(fs.entries()).rejects.toThrow(/IndexedDB/)
    await fs.close()
  })

  it('answers UNAVAILABLE where the browser forbids it, and works once it is allowed', async () => {
    const factory = new IDBFactory()
    const open = vi.spyOn(factory, 'open').mockImplementation(() => {
      throw new DOMException('denied by the settings', 'SecurityError')
    })
    vi.stubGlobal('indexedDB', factory)
    const fs = new IdbFileSystem(NAME)
    expect(await fs.execute(write('/a'), null)).toMatchObject({ ok: false, reason: 'UNAVAILABLE', message: expect.stringContaining('denied by the settings') })
    open.mockRestore()
    expect(await fs.execute(write('/a'), null)).toEqual({ ok: true })
    await fs.close()
  })

  it('answers NEWER_VERSION for a database of a newer version, and leaves it as it was', async () => {
    const newer = await openDB(NAME, FILES_DATABASE_VERSION + 1, { upgrade: (db) => void db.createObjectStore('theirs') })
    newer.close()
    const fs = new IdbFileSystem(NAME)
    expect(await fs.execute(write('/a'), null)).toMatchObject({ ok: false, reason: 'NEWER_VERSION' })
    await fs.close()
    const again = await openDB(NAME)
    expect([again.version, [...again.objectStoreNames]]).toEqual([FILES_DATABASE_VERSION + 1, ['theirs']])
    again.close()
  })

  it('makes way for an upgrade by another tab, then answers NEWER_VERSION', async () => {
    const fs = new IdbFileSystem(NAME)
    await fs.execute(write('/a'), null)
    const blocked = vi.fn()
    const upgraded = await openDB(NAME, FILES_DATABASE_VERSION + 1, { blocked })
    expect(blocked).not.toHaveBeenCalled()
    expect(await fs.execute(read('/a'), null)).toMatchObject({ ok: false, reason: 'NEWER_VERSION' })
    upgraded.close()
    await fs.close()
  })

  it('answers UNAVAILABLE when another tab holds an older version and does not let go', async () => {
    const older = await openDB(NAME, FILES_DATABASE_VERSION)
    older.addEventListener('versionchange', () => undefined)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const opened = vi.spyOn(indexedDB, 'open')
    const fs = new IdbFileSystem(NAME, { openTimeoutMs: 5000, version: FILES_DATABASE_VERSION + 1 })
    const answer = fs.execute(write('/a'), null)
    const request = opened.mock.results[0]?.value as IDBOpenDBRequest
    await new Promise((resolve) => request.addEventListener('blocked', resolve))
    vi.advanceTimersByTime(5000)
    expect(await answer).toMatchObject({ ok: false, reason: 'UNAVAILABLE', message: expect.stringContaining('another tab') })
    older.close()
    await fs.close()
  })

  it('answers UNAVAILABLE for good when the database was deleted underneath', async () => {
    const fs = new IdbFileSystem(NAME)
    await fs.execute(write('/a'), null)
    await deleteDB(NAME)
    for (const op of [read('/a'), write('/b')]) {
      expect(await fs.execute(op, null)).toMatchObject({ ok: false, reason: 'UNAVAILABLE', message: expect.stringContaining('deleted') })
    }
    await fs.close()
    const fresh = new IdbFileSystem(NAME)
    expect(await fresh.entries()).toEqual([])
    await fresh.close()
  })

  it('opens again after the browser has terminated the connection', async () => {
    const opened = vi.spyOn(indexedDB, 'open')
    const fs = new IdbFileSystem(NAME)
    await fs.execute(write('/a'), null)
    const connection = opened.mock.results.map((call) => (call.value as IDBOpenDBRequest).result)[0]
    forceCloseDatabase(connection as unknown as Parameters<typeof forceCloseDatabase>[0])
    expect(await fs.execute(read('/a'), null)).toMatchObject({ ok: true })
    expect(opened).toHaveBeenCalledTimes(2)
    await fs.close()
  })

  it('answers QUOTA_EXCEEDED when a put is refused, and has changed nothing', async () => {
    const fs = new IdbFileSystem(NAME)
    await fs.execute(write('/a'), null)
    const put = IDBObjectStore.prototype.put
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
      if (key === '/c') throw new DOMException('the disk is full', 'QuotaExceededError')
      return put.call(this, value, key as never)
    } as never)
    const op: StorageOp = {
      type: 'transact',
      writes: ['/b', '/c'].map((path) => ({ path, bytes: new Uint8Array(3), createNew: true })),
      deletes: ['/a'],
      durability: 'relaxed',
    }
    expect(await fs.execute(op, null)).toMatchObject({ ok: false, reason: 'QUOTA_EXCEEDED' })
    expect((await fs.entries()).map((entry) => entry.path)).toEqual(['/a'])
    await fs.close()
  })

  it('answers ABORTED when the transaction is aborted from outside, and has changed nothing', async () => {
    const fs = new IdbFileSystem(NAME)
    await fs.execute(write('/a'), null)
    const put = IDBObjectStore.prototype.put
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
      const request = put.call(this, value, key as never)
      if (key === '/b') this.transaction.abort()
      return request
    } as never)
    expect(await fs.execute(write('/b'), null)).toMatchObject({ ok: false, reason: 'ABORTED' })
    vi.restoreAllMocks()
    expect((await fs.entries()).map((entry) => entry.path)).toEqual(['/a'])
    await fs.close()
  })

  it('answers CORRUPT when the contents of a listed file are gone', async () => {
    const fs = new IdbFileSystem(NAME)
    await fs.execute(write('/a'), null)
    const db = await openDB<FilesSchema>(NAME)
    await db.delete('contents', '/a')
    db.close()
    expect(await fs.execute(read('/a'), null)).toMatchObject({ ok: false, reason: 'CORRUPT' })
    await fs.close()
  })

  it('keeps databases of different names apart', async () => {
    const one = new IdbFileSystem('one')
    const two = new IdbFileSystem('two')
    await one.execute(write('/a'), null)
    expect(await two.entries()).toEqual([])
    await one.close()
    await two.close()
  })
})

/** The class of all databases, to watch calls on any. */
function IDBDatabaseOf(db: IDBPDatabase): { transaction: (stores: string[], mode: string, options?: { durability?: string }) => unknown } {
  const prototype = Object.getPrototypeOf(unwrap(db)) as ReturnType<typeof IDBDatabaseOf>
  db.close()
  return prototype
}
