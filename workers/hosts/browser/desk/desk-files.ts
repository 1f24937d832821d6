/** The file system as the desk uses it: failures are errors in words, and what is written goes in pieces that hold up nobody for long. */
import type { FileEntry, FileWrite, StorageResult } from '../../../model/storage.ts'
import type { FileSystem } from '../../../storage/file-system.ts'
import { belowPrefix, directoryError } from '../../../storage/path.ts'

/** So much is written in one transaction, unless one file alone is larger: a checkpoint that wants to write waits for it. */
const BATCH_BYTES = 8 * 1024 * 1024
const BATCH_FILES = 200

/** A file to be written, with the way to its bytes. */
export interface FileToWrite {
  readonly path: string
  readonly size: number
  bytes(): Promise<Uint8Array>
}

export class DeskFiles {
  private readonly files: FileSystem

  constructor(files: FileSystem) {
    this.files = files
  }

  /** Every file, by path. */
  all(): Promise<readonly FileEntry[]> {
    return this.list('/')
  }

  /** The file of that path, or every file below the directory of that path. Rejects where there is neither. */
  async at(path: string): Promise<readonly FileEntry[]> {
    const found = await this.ifAny(path)
    if (found.length > 0) return found
    throw new Error(`there is nothing at ${path}`)
  }

  async ifAny(path: string): Promise<readonly FileEntry[]> {
    const wrong = directoryError(path)
    if (wrong !== null) throw new Error(wrong)
    if (path === '/') return this.list('/')
    const entries = await this.list(path)
    return entries.filter((entry) => entry.path === path || entry.path.startsWith(belowPrefix(path)))
  }

  async read(path: string): Promise<Uint8Array> {
    return must(await this.files.execute({ type: 'read', path }, null)).bytes ?? new Uint8Array()
  }

  /** Null: there is no such file. */
  async readPart(path: string, offset: number, length: number): Promise<Uint8Array | null> {
    const result = await this.files.execute({ type: 'read', path, offset, length }, null)
    if (!result.ok && result.reason === 'NOT_FOUND') return null
    return must(result).bytes ?? new Uint8Array()
  }

  /** All of them or none. */
  async remove(paths: readonly string[]): Promise<void> {
    must(await this.files.execute({ type: 'transact', writes: [], deletes: paths, durability: 'strict' }, null))
  }

  /**
   * Writes new files; `_metadata` files come last, so that a snapshot is there only when all of it is. Should it fail, what it has written is
   * removed again.
   */
  async writeNew(files: readonly FileToWrite[], onWritten: (bytes: number) => void = () => undefined): Promise<void> {
    const ordered = [...files.filter((file) => !isMetadata(file.path)), ...files.filter((file) => isMetadata(file.path))]
    const written: string[] = []
    try {
      for (const batch of batches(ordered)) {
        const writes: FileWrite[] = []
        for (const file of batch) writes.push({ path: file.path, bytes: await file.bytes(), createNew: true })
        must(await this.files.execute({ type: 'transact', writes, deletes: [], durability: 'strict' }, null))
        written.push(...batch.map((file) => file.path))
        onWritten(batch.reduce((sum, file) => sum + file.size, 0))
      }
    } catch (error) {
      if (written.length > 0) await this.files.execute({ type: 'transact', writes: [], deletes: written, durability: 'strict' }, null)
      throw error
    }
  }

  private async list(prefix: string): Promise<readonly FileEntry[]> {
    return must(await this.files.execute({ type: 'list', prefix }, null)).entries ?? []
  }
}

export const isMetadata = (path: string): boolean => path === '_metadata' || path.endsWith('/_metadata')

/** `_metadata` files stay apart from others: theirs are the last batches. */
function* batches(files: readonly FileToWrite[]): Generator<readonly FileToWrite[]> {
  let batch: FileToWrite[] = []
  let bytes = 0
  for (const file of files) {
    const isOver = batch.length >= BATCH_FILES || bytes + file.size > BATCH_BYTES || isMetadata(file.path) !== isMetadata(batch[0]?.path ?? file.path)
    if (batch.length > 0 && isOver) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.size
  }
  if (batch.length > 0) yield batch
}

function must(result: StorageResult): StorageResult & { readonly ok: true } {
  if (result.ok) return result
  throw new Error(result.message)
}
