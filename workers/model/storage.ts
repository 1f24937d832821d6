/**
 * What a machine asks of the file system. The host answers each request once with the same number, or with an error after its deadline.
 * Paths are absolute, `/`-separated, without `.` and `..`.
 */
export type StorageOp =
  /**
   * All files and deletions of one transaction, or none. `strict` returns when the bytes are on disk. A path occurs once; deleting a file
   * that is not there succeeds.
   */
  | {
      readonly type: 'transact'
      readonly writes: readonly FileWrite[]
      readonly deletes: readonly string[]
      readonly durability: 'relaxed' | 'strict'
    }
  /**
   * The whole file, or the part of it that begins at `offset` and has at most `length` bytes (fewer where the file ends). A part is checked
   * for the length of its file alone; only reading the whole compares the checksum. `localCopy`: from the TaskManager's copy, if there is one.
   */
  | { readonly type: 'read'; readonly path: string; readonly offset?: number; readonly length?: number; readonly localCopy?: true }
  /** By path. The prefix is text: end it with `/` to mean a directory (`/a/chk-1` also lists `/a/chk-10/x`). */
  | { readonly type: 'list'; readonly prefix: string }
  /**
   * Deletes every file below the directory, apart from those in `keep`; one that ends with `/` keeps all that is below it. `only`: of the files
   * below it, those that lie directly in a directory of its own whose name with `/` begins with one of these (`chk-`, `shared/`). Absent: all.
   */
  | { readonly type: 'delete-below'; readonly directory: string; readonly keep: readonly string[]; readonly only?: readonly string[] }

/** Whether `delete-below` means the file, whose path is given from its directory on, when it is told of `only` these. */
export const isAmong = (only: readonly string[], below: string): boolean =>
  below.split('/').length === 2 && only.some((name) => below.startsWith(name))

export interface FileWrite {
  readonly path: string
  readonly bytes: Uint8Array
  /** A file of this path must not exist yet. */
  readonly createNew: boolean
  /** The TaskManager of whoever writes keeps a copy, for this checkpoint (task-local recovery). Absent: none. */
  readonly localCopy?: number
}

export interface FileEntry {
  readonly path: string
  readonly size: number
  /** Wall milliseconds; 0 in the simulator. */
  readonly modifiedAt: number
}

export interface StorageReply {
  readonly requestId: number
  readonly result: StorageResult
}

export type StorageResult =
  /** `size`: of the whole file, when a part of it was read. `local`: the TaskManager's copy was read. */
  | { readonly ok: true; readonly bytes?: Uint8Array; readonly size?: number; readonly local?: true; readonly entries?: readonly FileEntry[] }
  | { readonly ok: false; readonly reason: StorageFailure; readonly message: string }

export type StorageFailure =
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'QUOTA_EXCEEDED'
  | 'FENCED'
  | 'UNAVAILABLE'
  | 'ABORTED'
  | 'CORRUPT'
  | 'DEADLINE_EXCEEDED'
  | 'NEWER_VERSION'
  /** A path breaks the rules, or occurs twice in one transaction: a bug of whoever asked. */
  | 'INVALID_REQUEST'
