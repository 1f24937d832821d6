/**
 * What operators see of keyed state, and what the task sees of a backend. Flink: KeyedStateBackend, ValueState. The heap backend is
 * `heap/`; another one stands beside it behind the same interfaces.
 */
import type { KeyGroupRange, KeyedStateHandle, OperatorStateHandle } from '../model/state-handles.ts'
import type { KeyedStateReport } from '../model/report.ts'
import type { Schema, Value } from '../model/schema.ts'
import type { EngineTime } from '../model/time.ts'

export interface ValueStateDescriptor {
  readonly name: string
  readonly schema: Schema
}

/** State of the current key. Values are never mutated: `update` takes a new one. */
export interface ValueState {
  value(): Value | null
  update(value: Value): void
  clear(): void
  /**
   * Optional, for the short way of a record: where the values of the keys with the first `count` numbers lie, without setting a current key, up
   * to the first for which the other methods are needed; how many.
   */
  findCells?(numbers: Int32Array, count: number, cells: ValueCell[]): number
  /** As `update`, of what `findCells` has just found. */
  updateCell?(cell: ValueCell, value: Value): void
}

/** A key's value where it lies. */
export interface ValueCell {
  readonly value: Value
}

export interface KeyedStateBackend {
  readonly keyGroupRange: KeyGroupRange
  /** `number`, not negative: the key is a String that always comes with that same small number, so that its entry can be found by it. */
  setCurrentKey(key: Value, number?: number): void
  readonly currentKey: Value | null
  readonly currentKeyGroup: number
  /** The state of that name; registered at first use. Asking again with another schema is an error at restore (behaviour 9.5). */
  valueState(descriptor: ValueStateDescriptor): ValueState
  /** Reads a stored key group of a heap keyed file that overlaps this backend's range. Throws `StateMigrationError` where types differ. */
  restore(handle: KeyedStateHandle, bytes: Uint8Array): void
  /** The synchronous part of a snapshot: a consistent view, in time that does not depend on the number of entries. */
  snapshot(): KeyedSnapshot | null
  readonly keys: number
  /** Optional: no checkpoint up to this one is needed any more. The heap keeps nothing for them. Flink: InternalCheckpointListener. */
  notifyCheckpointSubsumed?(checkpointId: number): void
  /** Engine time of the input being handled: entries remember when they changed. */
  setNow(now: EngineTime): void
  /** Up to `limit` rows for the page, the most recently changed ones among them; costs `limit` steps whatever the number of keys. */
  report(limit: number): KeyedStateReport
  /** Every entry, in key-group order, for inspection. */
  entries(): Iterable<{ readonly state: string; readonly key: Value; readonly keyGroup: number; readonly value: Value }>
}

/** The asynchronous part: a walker over the view, fed in slices (DESIGN 8, 6). Entries go on being written meanwhile. */
export interface KeyedSnapshot {
  readonly totalEntries: number
  readonly writtenEntries: number
  /** Length of the keyed file; 0 until it is laid out by the first slice. */
  readonly totalBytes: number
  /** Writes up to `budget` entries, fewer if they are long; true while there is more. */
  advance(budget: number): boolean
  /** After the last slice: the bytes of the keyed file and the offset of each key group of the range. */
  result(): { readonly bytes: Uint8Array; readonly offsets: readonly number[] }
  /** Releases the version, finished or not: copying on write stops. Must be called exactly once. */
  release(): void
}

export interface BroadcastStateDescriptor {
  readonly name: string
  readonly key: Schema
  readonly value: Schema
}

/** A map that every subtask keeps whole: changed by broadcast records alone, so that all copies are alike. */
export interface BroadcastState {
  get(key: Value): Value | null
  put(key: Value, value: Value): void
  remove(key: Value): void
  entries(): readonly (readonly [key: Value, value: Value])[]
}

/** Operator (non-keyed) state: named lists and broadcast maps. Flink: OperatorStateStore. Elements of lists are bytes, in Flink's encoding of a byte[]. */
export interface OperatorStateBackend {
  listState(name: string, mode: 'SPLIT_DISTRIBUTE' | 'UNION'): OperatorListState
  broadcastState(descriptor: BroadcastStateDescriptor): BroadcastState
  restore(handle: OperatorStateHandle, bytes: Uint8Array): void
  /** A deep copy, taken in the synchronous part; `write` belongs to the asynchronous part. Null without any state. */
  snapshot(): OperatorStateSnapshot | null
}

export interface OperatorListState {
  get(): readonly Uint8Array[]
  update(elements: readonly Uint8Array[]): void
}

export interface OperatorStateSnapshot {
  readonly totalEntries: number
  write(): { readonly bytes: Uint8Array; readonly states: OperatorStateHandle['states'] }
}
