/** What the storage worker tells of files and snapshots (hosts/browser/snapshot-desk.ts): plain data for the page. */
import type { EntryView } from './snapshot-view.ts'

/** Everything that lies in storage, as Flink lays it out. */
export interface StorageTree {
  readonly nodes: readonly StorageNode[]
  /** Of the whole origin, as the browser tells it; null where it does not. */
  readonly quota: { readonly usedBytes: number; readonly limitBytes: number } | null
}

export type StorageNodeKind = 'folder' | 'job' | 'checkpoint' | 'savepoint' | 'shared' | 'taskowned' | 'ha' | 'metadata' | 'state' | 'other'

export interface StorageNode {
  readonly path: string
  readonly isDirectory: boolean
  readonly kind: StorageNodeKind
  /** Of a directory: of all below it. */
  readonly size: number
  readonly files: number
  /** Wall milliseconds since 1970; of a directory the latest below it. */
  readonly modifiedAt: number
  /** Who needs this file or this snapshot. Empty: nobody. */
  readonly references: readonly StorageReference[]
  /** Of a checkpoint or savepoint directory. */
  readonly snapshot: SnapshotSummary | null
}

export interface StorageReference {
  /** `snapshot`: a `_metadata` names the file. `job`: a job that runs, or that a leader would recover, keeps the snapshot. */
  readonly by: 'snapshot' | 'job'
  /** Path of the snapshot, or id of the job. */
  readonly who: string
}

export interface SnapshotSummary {
  readonly checkpointId: number
  readonly kind: 'checkpoint' | 'canonical savepoint' | 'native savepoint' | 'unaligned checkpoint' | 'unknown'
  readonly operators: number
  /** Every file that it names is there in its length: it would still restore. */
  readonly isRestorable: boolean
  /** Why not. */
  readonly problem: string | null
  readonly relativeHandles: number
  readonly absoluteHandles: number
  readonly inlineHandles: number
}

export interface SnapshotComparison {
  readonly rows: readonly {
    readonly operatorId: string
    readonly uid: string
    readonly name: string
    /** In words: `parallelism`, `state "counts"`, `key 7` … */
    readonly what: string
    readonly a: string | null
    readonly b: string | null
  }[]
  readonly isComplete: boolean
}

export interface KeySearch {
  readonly found: readonly { readonly operatorId: string; readonly uid: string; readonly state: string; readonly entry: EntryView }[]
  /** Where such a key would lie, by operator: computed from its hash, also where nothing was found. */
  readonly places: readonly { readonly operatorId: string; readonly keyGroup: number; readonly subtask: number }[]
}

/** Flink versions that a savepoint can be exported for (`_metadata` 3, 4, 5, 6). */
export type ExportTarget = '1.11 to 1.15' | '1.16 to 1.20' | '2.0' | '2.1 and later'
