/** The file system port. Implementations: memory, IndexedDB. One contract suite (tests/contract) holds for all. */
import type { FencingToken, JobId } from '../model/ids.ts'
import type { FileEntry, StorageOp, StorageResult } from '../model/storage.ts'

export interface FileSystem {
  /** Carries out one operation. Never rejects: a failure is a result with its reason. */
  execute(op: StorageOp, fence: { readonly job: JobId; readonly token: FencingToken } | null): Promise<StorageResult>
  /** Every file, for inspection. Rejects where `execute` would answer with a failure. */
  entries(): Promise<readonly FileEntry[]>
  close(): Promise<void>
}
