/**
 * Everything that a `_metadata` file can say, of every version and every kind of state backend: a superset of model/state-handles.ts,
 * which holds what this engine itself writes and restores. Flink: CheckpointMetadata and the StateHandle classes.
 */
import type { OperatorId } from '../model/ids.ts'
import type { KeyGroupRange, OperatorStateMode, StreamHandle } from '../model/state-handles.ts'
import type { CheckpointProperties } from './checkpoint-properties.ts'

/** Where bytes are. `segment`: a part of a file that several subtasks share (file merging, Flink 1.20). */
export type StreamRef =
  | StreamHandle
  | { readonly kind: 'segment'; readonly start: number; readonly size: number; readonly scope: SegmentScope; readonly path: string; readonly logicalFile: string }
  | { readonly kind: 'empty-segment' }
export type SegmentScope = 'EXCLUSIVE' | 'SHARED'

/** Types 3 (to Flink 1.14), 7 (canonical savepoint), 12 (with an id). A null stream occurs in damaged files only. */
export interface KeyGroupsRef {
  readonly kind: 'key-groups'
  readonly type: 3 | 7 | 12
  readonly range: KeyGroupRange
  readonly offsets: readonly number[]
  readonly stream: StreamRef | null
  readonly id: string | null
}

export interface SharedFile {
  readonly name: string
  readonly stream: StreamRef | null
}

/** Types 5 and 11: RocksDB's files, shared between checkpoints and private. `meta` is a keyed header without data. */
export interface IncrementalRef {
  readonly kind: 'incremental'
  readonly type: 5 | 11
  readonly checkpointId: number
  readonly backendId: string
  readonly range: KeyGroupRange
  readonly checkpointedSize: number | null
  readonly meta: StreamRef | null
  readonly shared: readonly SharedFile[]
  readonly private: readonly SharedFile[]
  readonly id: string | null
}

/** Types 8 and 14: a materialised part and the changes since. */
export interface ChangelogRef {
  readonly kind: 'changelog'
  readonly type: 8 | 14
  readonly range: KeyGroupRange
  readonly checkpointedSize: number
  readonly materialized: readonly (KeyedRef | null)[]
  readonly increments: readonly (KeyedRef | null)[]
  readonly materializationId: number
  readonly checkpointId: number | null
  readonly id: string | null
}

/** Type 9. */
export interface ChangesRef {
  readonly kind: 'changes'
  readonly type: 9
  readonly range: KeyGroupRange
  readonly from: number
  readonly to: number
  readonly changes: readonly { readonly keyGroup: number; readonly bytes: Uint8Array }[]
  readonly id: string
}

/** Types 10 and 13. */
export interface ChangeFilesRef {
  readonly kind: 'change-files'
  readonly type: 10 | 13
  readonly range: KeyGroupRange
  readonly files: readonly { readonly offset: number; readonly stream: StreamRef | null }[]
  readonly size: number
  readonly checkpointedSize: number
  readonly id: string
  readonly storage: string | null
}

export type KeyedRef = KeyGroupsRef | IncrementalRef | ChangelogRef | ChangesRef | ChangeFilesRef

/** Types 4 and 17. `merged` is of type 17 alone. */
export interface OperatorRef {
  readonly states: readonly { readonly name: string; readonly mode: OperatorStateMode; readonly offsets: readonly number[] }[]
  readonly merged: { readonly taskOwnedDirectory: string; readonly sharedDirectory: string; readonly isEmpty: boolean } | null
  readonly stream: StreamRef | null
}

/** In-flight data. `major` is the gate or the partition, `minor` the channel or subpartition. */
export interface ChannelRef {
  readonly merged: boolean
  readonly subtask: number
  readonly size: number
  readonly stream: StreamRef | null
  readonly channels: readonly { readonly major: number; readonly minor: number; readonly size: number; readonly offsets: readonly number[] }[]
}

export interface SubtaskRef {
  readonly index: number
  /** Finished before the snapshot: it has no state. */
  readonly finished: boolean
  readonly managedOperator: OperatorRef | null
  readonly rawOperator: OperatorRef | null
  readonly managedKeyed: KeyedRef | null
  readonly rawKeyed: KeyedRef | null
  readonly input: readonly ChannelRef[]
  readonly output: readonly ChannelRef[]
  /** Version 7: the state is that of an earlier checkpoint. */
  readonly reusedFrom: number | null
}

export interface OperatorRecord {
  /** Empty before version 5, and when the job set none. */
  readonly name: string
  readonly uid: string
  readonly operatorId: OperatorId
  readonly parallelism: number
  readonly maxParallelism: number
  readonly coordinator: Extract<StreamRef, { kind: 'bytes' }> | null
  /** Every subtask has finished: none is listed. */
  readonly fullyFinished: boolean
  readonly subtasks: readonly SubtaskRef[]
}

export interface MasterState {
  readonly name: string
  readonly version: number
  readonly bytes: Uint8Array
}

export interface Savepoint {
  readonly version: number
  readonly checkpointId: number
  readonly masterStates: readonly MasterState[]
  readonly operators: readonly OperatorRecord[]
  /** Null before version 4, and in files of the State Processor API. */
  readonly properties: CheckpointProperties | null
}

export const EMPTY_SUBTASK: Omit<SubtaskRef, 'index'> = {
  finished: false,
  managedOperator: null,
  rawOperator: null,
  managedKeyed: null,
  rawKeyed: null,
  input: [],
  output: [],
  reusedFrom: null,
}

export const streamSize = (stream: StreamRef | null): number =>
  stream === null || stream.kind === 'empty-segment' ? 0 : stream.kind === 'bytes' ? stream.bytes.length : stream.size
