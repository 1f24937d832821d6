import type { FileEntry, StorageOp, StorageResult } from '../model/storage.ts'
import type { FileSystem } from './file-system.ts'
import { MemoryFiles } from './memory-files.ts'
import { storageFailure, type Fence } from './storage-results.ts'

/** The port over `MemoryFiles`. `files` outlives it, as a database outlives its connections; `now` gives wall milliseconds. */
export class MemoryFileSystem implements FileSystem {
  private readonly files: MemoryFiles
  private readonly now: () => number
  private closed = false

  constructor(files: MemoryFiles = new MemoryFiles(), now: () => number = () => 0) {
    this.files = files
    this.now = now
  }

  async execute(op: StorageOp, fence: Fence | null): Promise<StorageResult> {
    if (this.closed) return storageFailure('UNAVAILABLE', 'the file system is closed')
    return this.files.execute(op, fence, this.now())
  }

  async entries(): Promise<readonly FileEntry[]> {
    return this.files.entries()
  }

  async close(): Promise<void> {
    this.closed = true
  }
}
