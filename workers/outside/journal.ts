/**
 * The durable form of the outside world: a snapshot and the changes since. The state changes by `OutsideState.apply(record)` alone, so
 * that replaying what was persisted gives what was there. All of it is plain data.
 */
import type { FencingToken, JobId } from '../model/ids.ts'
import type { TransactionState } from '../model/outside.ts'
import type { Value } from '../model/schema.ts'
import type { EngineTime } from '../model/time.ts'

export type JournalRecord =
  | { readonly type: 'fence'; readonly job: JobId; readonly token: FencingToken }
  | { readonly type: 'topic-append'; readonly topic: string; readonly partition: number; readonly rows: readonly Value[] }
  | { readonly type: 'append'; readonly sink: string; readonly rows: readonly Value[] }
  | { readonly type: 'upsert'; readonly sink: string; readonly by: number; readonly rows: readonly Value[] }
  | { readonly type: 'begin'; readonly sink: string; readonly transaction: string; readonly deadline: EngineTime }
  | { readonly type: 'write'; readonly sink: string; readonly transaction: string; readonly rows: readonly Value[] }
  | { readonly type: 'pre-commit' | 'commit' | 'abort'; readonly sink: string; readonly transaction: string }
  | { readonly type: 'reset' }

/** Kept only if every transaction that the record ends or seals is on disk before anybody hears of it. */
export const needsStrictDurability = (record: JournalRecord): boolean => record.type === 'pre-commit' || record.type === 'commit'

export const SNAPSHOT_VERSION = 1

export interface OutsideSnapshot {
  readonly version: typeof SNAPSHOT_VERSION
  readonly fences: readonly (readonly [JobId, FencingToken])[]
  readonly appended: readonly { readonly topic: string; readonly partition: number; readonly rows: readonly Value[] }[]
  readonly sinks: readonly SinkSnapshot[]
}

export interface SinkSnapshot {
  readonly name: string
  readonly committed: ListSnapshot<Value>
  readonly written: ListSnapshot<Value>
  readonly upserted: readonly (readonly [string | number | boolean, Value])[]
  readonly transactions: readonly TransactionSnapshot[]
}

export interface ListSnapshot<T> {
  /** Items dropped before the first. */
  readonly dropped: number
  readonly items: readonly T[]
}

export interface TransactionSnapshot {
  readonly id: string
  readonly state: TransactionState
  readonly deadline: EngineTime
  readonly count: number
  /** Null once it has ended. */
  readonly rows: readonly Value[] | null
}

/** Rows that a record carries: the measure of a journal's weight. */
export const rowsOf = (record: JournalRecord): number => ('rows' in record ? record.rows.length : 0)

/**
 * Whether to replace journal and snapshot by a new snapshot: when the journal weighs as much as the snapshot, so that the cost of all
 * snapshots together stays in proportion to what was written.
 */
export class JournalWeight {
  private since = 0
  private snapshot = 0

  add(record: JournalRecord): void {
    this.since += RECORD_WEIGHT + rowsOf(record)
  }

  compacted(snapshot: OutsideSnapshot): void {
    this.since = 0
    this.snapshot = snapshotWeight(snapshot)
  }

  get isDue(): boolean {
    return this.since >= Math.max(COMPACT_FROM, this.snapshot)
  }
}

/** A record without rows costs about as much to write and replay as so many rows. */
const RECORD_WEIGHT = 4
const COMPACT_FROM = 20_000

function snapshotWeight(snapshot: OutsideSnapshot): number {
  let weight = 0
  for (const { rows } of snapshot.appended) weight += rows.length
  for (const sink of snapshot.sinks) weight += sink.committed.items.length + sink.written.items.length + sink.upserted.length
  return weight
}
