import type { OperatorId } from './ids.ts'

/** Handles: where the bytes of a snapshot are (formats 3 to 5). The same shapes go over the wire, into `_metadata` and back. */
export type StreamHandle =
  | { readonly kind: 'bytes'; readonly name: string; readonly bytes: Uint8Array }
  /** Absolute path. */
  | { readonly kind: 'file'; readonly path: string; readonly size: number }
  /** Relative to the directory of `_metadata`. */
  | { readonly kind: 'relative'; readonly name: string; readonly size: number }

/** Both ends inclusive. */
export interface KeyGroupRange {
  readonly start: number
  readonly end: number
}

/** Heap native keyed state (type 12). `offsets[i]` is where key group `range.start + i` begins. */
export interface KeyGroupsHandle {
  readonly kind: 'key-groups'
  readonly range: KeyGroupRange
  readonly offsets: readonly number[]
  readonly stream: StreamHandle
  readonly id: string
}

/** Keyed state of a canonical savepoint (type 7). An offset of 0: the key group has no entries. Flink: KeyGroupsSavepointStateHandle. */
export interface SavepointKeyGroupsHandle {
  readonly kind: 'savepoint-key-groups'
  readonly range: KeyGroupRange
  readonly offsets: readonly number[]
  readonly stream: StreamHandle
}

export type KeyedStateHandle = KeyGroupsHandle | SavepointKeyGroupsHandle

export type OperatorStateMode = 'SPLIT_DISTRIBUTE' | 'UNION' | 'BROADCAST'

export interface OperatorStateHandle {
  readonly states: readonly { readonly name: string; readonly mode: OperatorStateMode; readonly offsets: readonly number[] }[]
  readonly stream: StreamHandle
}

/**
 * In-flight data of one channel or subpartition (formats 5). `major`, `minor`: gate and channel in it, or partition and subpartition in it,
 * of subtask `subtask`. `offsets` is where each buffer starts in the file: four bytes of length, then the bytes.
 */
export interface ChannelStateHandle {
  readonly subtask: number
  readonly major: number
  readonly minor: number
  readonly offsets: readonly number[]
  readonly size: number
  readonly stream: StreamHandle
  /** At restore, of an output: the old input on the other side. A record that was cut at its end goes on here. Absent: none. */
  readonly continues?: Pick<ChannelStateHandle, 'offsets' | 'size' | 'stream'>
  /** At restore, of an input: the rest of a record that is cut at its end is in the output on the other side. */
  readonly isContinued?: boolean
}

/** A file that several checkpoints may use; always an absolute path. `placeholder`: an earlier checkpoint brought it, it was not written again. */
export interface SharedStateHandle {
  readonly kind: 'file' | 'placeholder'
  readonly path: string
  readonly size: number
}

/** Under the name that the state backend knows it by. Flink: HandleAndLocalPath. */
export interface SharedStateFile {
  readonly name: string
  readonly handle: SharedStateHandle
}

/** One operator's part of one subtask's snapshot. In-flight data of inputs is at the head of the chain, that of outputs at its tail. */
export interface OperatorSubtaskState {
  readonly managedOperator: OperatorStateHandle | null
  readonly managedKeyed: KeyedStateHandle | null
  readonly inputChannel?: readonly ChannelStateHandle[]
  readonly resultSubpartition?: readonly ChannelStateHandle[]
  /** Files that other checkpoints use too (an incremental backend). Absent: none. */
  readonly shared?: readonly SharedStateFile[]
}

export interface TaskStateSnapshot {
  readonly operators: readonly { readonly operatorId: OperatorId; readonly state: OperatorSubtaskState }[]
}

/** One operator in a completed checkpoint: the unit of `_metadata` (formats 3.2). */
export interface OperatorState {
  readonly name: string
  readonly uid: string
  readonly operatorId: OperatorId
  readonly parallelism: number
  readonly maxParallelism: number
  readonly coordinatorState: Uint8Array | null
  /** By subtask index; absent = stateless. */
  readonly subtasks: readonly { readonly index: number; readonly state: OperatorSubtaskState }[]
  /** Every subtask had finished: there is no state, and it is restored as finished (behaviour 14). Absent: no. */
  readonly fullyFinished?: boolean
  /** Indices of the subtasks that had finished, of a partly finished operator. Absent: none. */
  readonly finishedSubtasks?: readonly number[]
}

/**
 * What a subtask gets back at restore. With changed parallelism one subtask gets several keyed handles (it reads only the key
 * groups of its own range) and several parts of operator state.
 */
export interface OperatorRestoreState {
  readonly operatorId: OperatorId
  readonly keyed: readonly KeyedStateHandle[]
  readonly operator: readonly OperatorStateHandle[]
  /** In-flight data, with the gates, channels and subpartitions of now. */
  readonly inputChannel?: readonly ChannelStateHandle[]
  readonly resultSubpartition?: readonly ChannelStateHandle[]
  /** The parallelism of one side or the other has changed: watermarks among the in-flight data are void. */
  readonly isInFlightRescaled?: boolean
}

export const handleSize = (handle: StreamHandle): number => (handle.kind === 'bytes' ? handle.bytes.length : handle.size)
