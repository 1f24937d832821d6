/** Runs inside a page: file systems on that browser's IndexedDB, for tests in node to call. Bytes cross as base64. */
import { deleteDB, openDB } from 'idb'
import type { StorageOp, StorageResult } from '../../../workers/model/storage.ts'
import { IdbFileSystem, type FilesSchema } from '../../../workers/storage/idb-file-system.ts'
import type { Fence } from '../../../workers/storage/storage-results.ts'
import { packed, unpacked } from './packed-bytes.ts'

export interface IdbInPage {
  connect(name: string): number
  /** Both packed. */
  execute(connection: number, op: unknown, fence: Fence | null): Promise<unknown>
  entries(connection: number): Promise<unknown>
  close(connection: number): Promise<void>
  damage(name: string, path: string, how: 'flip' | 'truncate'): Promise<void>
  dispose(name: string): Promise<void>
  /** A file of so many bytes, made there: the first byte of every 4 KiB is its number. */
  writeLarge(connection: number, path: string, size: number): Promise<StorageResult>
}

declare global {
  interface Window {
    idbInPage: IdbInPage
  }
}

const connections: IdbFileSystem[] = []
const at = (connection: number): IdbFileSystem => connections[connection] as IdbFileSystem

async function damage(name: string, path: string, how: 'flip' | 'truncate'): Promise<void> {
  const db = await openDB<FilesSchema>(name)
  const stored = await db.get('contents', path)
  if (stored === undefined) throw new Error(`no contents of ${path}`)
  const bytes = stored instanceof Blob ? new Uint8Array(await stored.arrayBuffer()) : new Uint8Array(stored)
  if (how === 'flip') bytes[0] = (bytes[0] as number) ^ 1
  const damaged = how === 'flip' ? bytes : bytes.slice(0, -1)
  await db.put('contents', stored instanceof Blob ? new Blob([damaged]) : damaged, path)
  db.close()
}

async function writeLarge(connection: number, path: string, size: number): Promise<StorageResult> {
  const bytes = new Uint8Array(size)
  for (let i = 0; i < size; i += 4096) bytes[i] = i >> 12
  return at(connection).execute({ type: 'transact', writes: [{ path, bytes, createNew: true }], deletes: [], durability: 'relaxed' }, null)
}

window.idbInPage = {
  connect: (name) => connections.push(new IdbFileSystem(name)) - 1,
  execute: async (connection, op, fence) => packed(await at(connection).execute(unpacked(op) as StorageOp, fence)),
  entries: (connection) => at(connection).entries() as Promise<unknown>,
  close: (connection) => at(connection).close(),
  damage,
  dispose: (name) => deleteDB(name),
  writeLarge,
}
