/**
 * The file system as a plain synchronous object: the simulator uses it directly, and the memory implementation of the port wraps it.
 * Flink: FileSystem, reduced to what checkpoints need. Copied with base/clone.ts; the copies share the bytes of files, which never change.
 */
import { unreachable } from '../base/assert.ts'
import { cloneShared, type SharesStructure } from '../base/clone.ts'
import type { FencingToken, JobId } from '../model/ids.ts'
import type { FileEntry, FileWrite, StorageOp, StorageResult } from '../model/storage.ts'
import { crc32c } from './crc32c.ts'
import { belowPrefix, comparePaths } from './path.ts'
import { alreadyExists, checkRequest, corrupt, fenced, keeper, notFound, partOf, storageFailure, type DeleteBelowOp, type Fence, type ReadOp } from './storage-results.ts'

/** One version of one file. Immutable, so that copies of a machine may share it. */
class StoredFile implements SharesStructure {
  readonly bytes: Uint8Array
  /** As written. */
  readonly size: number
  readonly checksum: number
  readonly modifiedAt: number

  constructor(bytes: Uint8Array, size: number, checksum: number, modifiedAt: number) {
    this.bytes = bytes
    this.size = size
    this.checksum = checksum
    this.modifiedAt = modifiedAt
  }

  [cloneShared](): StoredFile {
    return this
  }
}

export class MemoryFiles {
  private readonly files = new Map<string, StoredFile>()
  private readonly tokens = new Map<JobId, FencingToken>()
  private usedBytes = 0
  private quotaBytes: number

  /** `quotaBytes`: how much fits; a transaction that would exceed it fails with QUOTA_EXCEEDED and changes nothing. */
  constructor(quotaBytes = Infinity) {
    this.quotaBytes = quotaBytes
  }

  /** Carries out one operation at wall time `modifiedAt` (milliseconds; 0 in the simulator). The answer is a copy of the file's bytes. */
  execute(op: StorageOp, fence: Fence | null, modifiedAt = 0): StorageResult {
    const invalid = checkRequest(op)
    if (invalid !== null) return invalid
    const refused = this.passFence(fence)
    if (refused !== null) return refused
    switch (op.type) {
      case 'transact':
        return this.transact(op.writes, op.deletes, modifiedAt)
      case 'read':
        return this.read(op)
      case 'list':
        return { ok: true, entries: this.list(op.prefix) }
      case 'delete-below':
        return this.deleteBelow(op)
      default:
        return unreachable(op)
    }
  }

  /** Every file, by path. */
  entries(): FileEntry[] {
    return this.list('/')
  }

  /** A fault: one byte of the file changes, or its last byte is lost. False if there is no such file. */
  damage(path: string, how: 'flip' | 'truncate'): boolean {
    const file = this.files.get(path)
    if (file === undefined || file.bytes.length === 0) return false
    const bytes = how === 'flip' ? file.bytes.slice() : file.bytes.slice(0, -1)
    if (how === 'flip') bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 0x10
    this.usedBytes += bytes.length - file.bytes.length
    this.files.set(path, new StoredFile(bytes, file.size, file.checksum, file.modifiedAt))
    return true
  }

  /** A fault: how much fits from now on. What is there stays. */
  setQuota(quotaBytes: number): void {
    this.quotaBytes = quotaBytes
  }

  private passFence(fence: Fence | null): StorageResult | null {
    if (fence === null) return null
    const newest = this.tokens.get(fence.job)
    if (newest !== undefined && fence.token < newest) return fenced(fence, newest)
    this.tokens.set(fence.job, fence.token)
    return null
  }

  private transact(writes: readonly FileWrite[], deletes: readonly string[], modifiedAt: number): StorageResult {
    let growth = 0
    for (const { path, bytes, createNew } of writes) {
      const old = this.files.get(path)
      if (createNew && old !== undefined) return alreadyExists(path)
      growth += bytes.length - (old?.bytes.length ?? 0)
    }
    for (const path of deletes) growth -= this.files.get(path)?.bytes.length ?? 0
    if (growth > 0 && this.usedBytes + growth > this.quotaBytes) {
      return storageFailure('QUOTA_EXCEEDED', `${growth} bytes more do not fit: ${this.usedBytes} of ${this.quotaBytes} are used`)
    }
    for (const { path, bytes } of writes) this.files.set(path, new StoredFile(bytes.slice(), bytes.length, crc32c(bytes), modifiedAt))
    for (const path of deletes) this.files.delete(path)
    this.usedBytes += growth
    return { ok: true }
  }

  private read(op: ReadOp): StorageResult {
    const { path } = op
    const file = this.files.get(path)
    if (file === undefined) return notFound(path)
    const part = partOf(op, file.bytes.length)
    if (part !== null) {
      if (file.bytes.length !== file.size) return corrupt(path, `${file.bytes.length} bytes instead of ${file.size}`)
      return { ok: true, bytes: file.bytes.slice(part.start, part.end), size: file.size }
    }
    if (crc32c(file.bytes) !== file.checksum) return corrupt(path, 'its checksum does not match')
    return { ok: true, bytes: file.bytes.slice() }
  }

  private list(prefix: string): FileEntry[] {
    const entries: FileEntry[] = []
    for (const [path, file] of this.files) {
      if (path.startsWith(prefix)) entries.push({ path, size: file.bytes.length, modifiedAt: file.modifiedAt })
    }
    return entries.sort((a, b) => comparePaths(a.path, b.path))
  }

  private deleteBelow(op: DeleteBelowOp): StorageResult {
    const prefix = belowPrefix(op.directory)
    const isKept = keeper(prefix, op)
    for (const [path, file] of this.files) {
      if (!path.startsWith(prefix) || isKept(path)) continue
      this.files.delete(path)
      this.usedBytes -= file.bytes.length
    }
    return { ok: true }
  }
}
