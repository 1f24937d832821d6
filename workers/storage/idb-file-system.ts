/**
 * The file system on IndexedDB. One operation is one transaction, so a crash at any moment leaves all of it or nothing. Contents lie in
 * a store of their own: listing reads the small records only.
 */
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb'
import { unreachable } from '../base/assert.ts'
import type { FencingToken, JobId } from '../model/ids.ts'
import type { FileEntry, StorageOp, StorageResult } from '../model/storage.ts'
import { crc32c } from './crc32c.ts'
import type { FileSystem } from './file-system.ts'
import { IdbConnection, inTransaction, requests, type PropertiesSchema } from './idb-connection.ts'
import { belowPrefix } from './path.ts'
import { alreadyExists, checkRequest, corrupt, fenced, keeper, notFound, partOf, type DeleteBelowOp, type Fence, type ReadOp } from './storage-results.ts'

interface FileRecord {
  readonly path: string
  readonly size: number
  /** CRC-32C of the contents. */
  readonly checksum: number
  readonly modifiedAt: number
}

export interface FilesSchema extends DBSchema, PropertiesSchema {
  files: { key: string; value: FileRecord }
  /** By path. From `BLOB_FROM_BYTES` on a Blob, which `put` only refers to instead of copying it (20 ms for 8 MiB). */
  contents: { key: string; value: Uint8Array | Blob }
  /** The newest token seen, by job. */
  fences: { key: string; value: number }
}

type Tx = IDBPTransaction<FilesSchema, StoreNames<FilesSchema>[], 'readwrite'>

export const FILES_DATABASE_VERSION = 1
const BLOB_FROM_BYTES = 64 * 1024
const STORES: StoreNames<FilesSchema>[] = ['files', 'contents', 'fences']

export interface IdbFileSystemOptions {
  readonly openTimeoutMs?: number
  /** Wall milliseconds. */
  readonly now?: () => number
  /** Only tests ask for another. */
  readonly version?: number
}

export class IdbFileSystem implements FileSystem {
  private readonly connection: IdbConnection<FilesSchema>
  private readonly now: () => number
  /** Tokens that this connection knows to be stored: only a newer one needs a transaction that writes. */
  private readonly storedTokens = new Map<JobId, FencingToken>()

  /** Opens the database `name` at the first operation. */
  constructor(name: string, options: IdbFileSystemOptions = {}) {
    this.now = options.now ?? (() => Date.now())
    this.connection = new IdbConnection<FilesSchema>({
      name,
      version: options.version ?? FILES_DATABASE_VERSION,
      openTimeoutMs: options.openTimeoutMs ?? 10_000,
      createStores: (db) => {
        db.createObjectStore('files', { keyPath: 'path' })
        db.createObjectStore('contents')
        db.createObjectStore('fences')
      },
    })
  }

  /** The bytes of writes belong to the file system from now on. */
  async execute(op: StorageOp, fence: Fence | null): Promise<StorageResult> {
    const invalid = checkRequest(op)
    if (invalid !== null) return invalid
    const answer = await this.connection.use((db) => this.perform(db, op, fence))
    return answer.ok ? answer.value : { ok: false, ...answer.error }
  }

  async entries(): Promise<readonly FileEntry[]> {
    const result = await this.execute({ type: 'list', prefix: '/' }, null)
    if (!result.ok) throw new Error(result.message)
    return result.entries ?? []
  }

  async close(): Promise<void> {
    await this.connection.close()
  }

  private async perform(db: IDBPDatabase<FilesSchema>, op: StorageOp, fence: Fence | null): Promise<StorageResult> {
    switch (op.type) {
      case 'transact':
        return this.transact(db, op, fence)
      case 'read':
        return this.read(db, op, fence)
      case 'list':
        return this.inFencedTransaction(db, fence, { writes: false }, (tx) => list(tx, op.prefix))
      case 'delete-below':
        return this.inFencedTransaction(db, fence, { writes: true }, (tx) => deleteBelow(tx, op))
      default:
        return unreachable(op)
    }
  }

  private async transact(
    db: IDBPDatabase<FilesSchema>,
    op: Extract<StorageOp, { readonly type: 'transact' }>,
    fence: Fence | null,
  ): Promise<StorageResult> {
    const modifiedAt = this.now()
    const files = op.writes.map(({ path, bytes, createNew }) => ({
      record: { path, size: bytes.length, checksum: crc32c(bytes), modifiedAt },
      contents: storable(bytes),
      createNew,
    }))
    return this.inFencedTransaction(db, fence, { writes: true, durability: op.durability }, async (tx) => {
      for (const { record, createNew } of files) {
        if (createNew && (await tx.objectStore('files').getKey(record.path)) !== undefined) return alreadyExists(record.path)
      }
      await requests((ask) => {
        for (const { record, contents } of files) {
          ask(tx.objectStore('files').put(record))
          ask(tx.objectStore('contents').put(contents, record.path))
        }
        for (const path of op.deletes) deleteFile(tx, path, ask)
      })
      return { ok: true }
    })
  }

  private async read(db: IDBPDatabase<FilesSchema>, op: ReadOp, fence: Fence | null): Promise<StorageResult> {
    const { path } = op
    let found: { readonly record: FileRecord; readonly contents: Uint8Array | Blob | undefined } | null = null
    const refused = await this.inFencedTransaction(db, fence, { writes: false }, async (tx) => {
      const [record, contents] = await Promise.all([tx.objectStore('files').get(path), tx.objectStore('contents').get(path)])
      found = record === undefined ? null : { record, contents }
      return record === undefined ? notFound(path) : { ok: true }
    })
    return refused.ok && found !== null ? verified(found, op) : refused
  }

  /** Checks and stores the token in the same transaction as the operation. */
  private async inFencedTransaction(
    db: IDBPDatabase<FilesSchema>,
    fence: Fence | null,
    needs: { readonly writes: boolean; readonly durability?: 'relaxed' | 'strict' },
    body: (tx: Tx) => Promise<StorageResult>,
  ): Promise<StorageResult> {
    const newToken = fence !== null && fence.token > (this.storedTokens.get(fence.job) ?? -Infinity)
    const mode = needs.writes || newToken ? 'readwrite' : 'readonly'
    const result = await inTransaction(db, STORES, { mode, durability: needs.durability ?? 'relaxed' }, async (tx) => {
      if (fence !== null) {
        const newest = await tx.objectStore('fences').get(fence.job)
        if (newest !== undefined && fence.token < newest) return fenced(fence, newest)
        if (newest === undefined || fence.token > newest) await (tx as Tx).objectStore('fences').put(fence.token, fence.job)
      }
      return body(tx as Tx)
    })
    if (newToken && (result.ok || result.reason !== 'FENCED')) this.storedTokens.set(fence.job, fence.token)
    return result
  }
}

async function list(tx: Tx, prefix: string): Promise<StorageResult> {
  const records = await tx.objectStore('files').getAll(rangeOf(prefix))
  return { ok: true, entries: records.map(({ path, size, modifiedAt }) => ({ path, size, modifiedAt })) }
}

async function deleteBelow(tx: Tx, op: DeleteBelowOp): Promise<StorageResult> {
  const prefix = belowPrefix(op.directory)
  const isKept = keeper(prefix, op)
  const paths = await tx.objectStore('files').getAllKeys(rangeOf(prefix))
  await requests((ask) => {
    for (const path of paths) if (!isKept(path)) deleteFile(tx, path, ask)
  })
  return { ok: true }
}

function deleteFile(tx: Tx, path: string, ask: (request: Promise<unknown>) => void): void {
  ask(tx.objectStore('files').delete(path))
  ask(tx.objectStore('contents').delete(path))
}

/** Every path that begins with `prefix`: no path has U+FFFF after it. */
const rangeOf = (prefix: string): IDBKeyRange => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

/** A view is stored with the whole buffer behind it, so a part of one is copied out first. */
function storable(bytes: Uint8Array): Uint8Array | Blob {
  if (bytes.length >= BLOB_FROM_BYTES) return new Blob([bytes as Uint8Array<ArrayBuffer>])
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
}

/** Length and checksum are compared at each read; the transaction has ended by then, so that a Blob may be awaited. */
async function verified(
  { record, contents }: { readonly record: FileRecord; readonly contents: Uint8Array | Blob | undefined },
  op: ReadOp,
): Promise<StorageResult> {
  if (contents === undefined) return corrupt(record.path, 'its contents are missing')
  const size = contents instanceof Blob ? contents.size : contents.length
  if (size !== record.size) return corrupt(record.path, `${size} bytes instead of ${record.size}`)
  const part = partOf(op, size)
  let bytes: Uint8Array
  try {
    const wanted = part === null ? contents : contents.slice(part.start, part.end)
    bytes = wanted instanceof Blob ? new Uint8Array(await wanted.arrayBuffer()) : wanted
  } catch (error) {
    return corrupt(record.path, `its contents cannot be read (${String(error)})`)
  }
  if (part !== null) return { ok: true, bytes, size }
  if (crc32c(bytes) !== record.checksum) return corrupt(record.path, 'its checksum does not match')
  return { ok: true, bytes }
}
