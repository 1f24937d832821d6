/**
 * Finds and reads the snapshot that a job is to be started from. Flink: AbstractFsCheckpointStorageAccess.resolveCheckpointPointer, Checkpoints
 * .loadCheckpointMetadata (behaviour 10.5). The pointer is the snapshot's directory or its metadata file, with any scheme.
 *
 *   list what begins with the pointer ─► read `_metadata` ─► outcome
 */
import { metadataPath } from '../coordinator/completed-checkpoint.ts'
import type { JobId } from '../model/ids.ts'
import type { StorageResult } from '../model/storage.ts'
import { storagePathOf } from '../model/storage-path.ts'
import { readMetadata } from '../savepoint/metadata-reader.ts'
import type { SnapshotMetadata } from '../savepoint/snapshot-metadata.ts'
import type { MachineContext } from './machine-context.ts'

export interface LoadedSnapshot {
  /** Directory of `_metadata`. */
  readonly location: string
  readonly metadata: SnapshotMetadata
}

export type LoadOutcome =
  | { readonly type: 'under-way' }
  | { readonly type: 'loaded'; readonly snapshot: LoadedSnapshot }
  | { readonly type: 'failed'; readonly message: string }

const UNDER_WAY: LoadOutcome = { type: 'under-way' }

export class RestoreLoading {
  private readonly context: MachineContext
  private readonly job: JobId
  /** As the user wrote it: messages say it so. */
  private readonly pointer: string
  private path = ''
  private location = ''
  private phase: 'listing' | 'reading' = 'listing'

  constructor(context: MachineContext, job: JobId, pointer: string) {
    this.context = context
    this.job = job
    this.pointer = pointer
  }

  begin(): LoadOutcome {
    const path = storagePathOf(this.pointer)
    if (!path.ok) return fail(`Cannot find checkpoint or savepoint file/directory '${this.pointer}': ${path.error}`)
    this.path = path.value
    this.context.storage({ type: 'list', prefix: this.path }, { owner: 'restore', job: this.job })
    return UNDER_WAY
  }

  onStorage(result: StorageResult): LoadOutcome {
    if (!result.ok) return fail(`Could not read the checkpoint or savepoint '${this.pointer}': ${result.reason}: ${result.message}`)
    return this.phase === 'listing' ? this.onListed(result.entries?.map((entry) => entry.path) ?? []) : this.onRead(result.bytes ?? new Uint8Array(0))
  }

  private onListed(paths: readonly string[]): LoadOutcome {
    const isFile = paths.includes(this.path)
    const isDirectory = paths.some((path) => path.startsWith(`${this.path}/`))
    if (!isFile && !isDirectory) return fail(`Cannot find checkpoint or savepoint file/directory '${this.pointer}' on file system '${schemeOf(this.pointer)}'.`)
    const file = isFile ? this.path : metadataPath(this.path)
    if (!isFile && !paths.includes(file)) {
      return fail(
        `Cannot find meta data file '_metadata' in directory '${this.pointer}'. Please try to load the checkpoint/savepoint directly from the metadata file ` +
          'instead of the directory.',
      )
    }
    this.location = file.slice(0, file.lastIndexOf('/'))
    this.phase = 'reading'
    this.context.storage({ type: 'read', path: file }, { owner: 'restore', job: this.job })
    return UNDER_WAY
  }

  private onRead(bytes: Uint8Array): LoadOutcome {
    try {
      return { type: 'loaded', snapshot: { location: this.location, metadata: readMetadata(bytes) } }
    } catch (error) {
      return fail(`The metadata of the checkpoint or savepoint '${this.pointer}' cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

const schemeOf = (pointer: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(pointer)?.[1] ?? 'file'
const fail = (message: string): LoadOutcome => ({ type: 'failed', message })
