import type { FencingToken, JobId } from './ids.ts'
import type { Value } from './schema.ts'
import type { EngineTime } from './time.ts'

/**
 * The outside world: topics, sink systems, transactions, outside readers. It survives every kill of the cluster. Each request is
 * answered once with the same `requestId`.
 */
export interface OutsideRequest {
  readonly requestId: number
  readonly job: JobId
  readonly token: FencingToken
  readonly op: OutsideOp
}

export type OutsideOp =
  | { readonly type: 'fetch'; readonly topic: string; readonly partition: number; readonly offset: number; readonly limit: number }
  /** Rows outside any transaction: visible at once. With `upsertBy` each replaces the row that is equal in that field. */
  | { readonly type: 'append'; readonly sink: string; readonly rows: readonly Value[]; readonly upsertBy: number | null }
  | { readonly type: 'begin'; readonly sink: string; readonly transaction: string; readonly timeoutMicros: EngineTime }
  | { readonly type: 'write'; readonly sink: string; readonly transaction: string; readonly rows: readonly Value[] }
  | { readonly type: 'pre-commit'; readonly sink: string; readonly transaction: string }
  /** Idempotent by id: committing a committed transaction succeeds. */
  | { readonly type: 'commit'; readonly sink: string; readonly transaction: string }
  | { readonly type: 'abort'; readonly sink: string; readonly transaction: string }

export interface OutsideReply {
  readonly requestId: number
  readonly result: OutsideResult
}

export type OutsideResult =
  | { readonly ok: true; readonly fetched?: FetchedRows }
  | { readonly ok: false; readonly reason: OutsideFailure; readonly message: string }

export interface FetchedRows {
  readonly rows: readonly Value[]
  /** Offset after the last row of the partition now: reading there is the idle end of an unbounded topic. */
  readonly endOffset: number
}

export type OutsideFailure =
  | 'UNKNOWN_TOPIC'
  | 'OFFSET_OUT_OF_RANGE'
  | 'UNKNOWN_TRANSACTION'
  | 'TRANSACTION_ABORTED'
  /** Kafka's name: the operation does not fit the state (a write after pre-commit, a commit without one). */
  | 'INVALID_TXN_STATE'
  | 'FENCED'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'

export type TransactionState = 'OPEN' | 'PRE_COMMITTED' | 'COMMITTED' | 'ABORTED'

/** What an outside reader sees of one sink. */
export interface SinkView {
  readonly sink: string
  /** Read committed: rows of committed transactions in commit order, rows outside transactions at once, upserted rows as they are now. */
  readonly committed: readonly Value[]
  /** Of all rows ever, where `committed` holds only the newest ones. */
  readonly committedTotal: number
  /** Read uncommitted: every row in the order of writing, those of aborted transactions included, as in Kafka. */
  readonly uncommitted: readonly Value[]
  readonly uncommittedTotal: number
  readonly transactions: readonly { readonly id: string; readonly state: TransactionState; readonly rows: number }[]
}

/** A topic's content, loaded by the host before the job starts. */
export interface TopicContent {
  readonly name: string
  readonly partitions: readonly (readonly Value[])[]
}

/** What a reader of a partition that a topic does not have is told: by the outside world, and by the verdict that tells it beforehand. */
export const noSuchPartition = (topic: string, partition: number): OutsideResult => ({
  ok: false,
  reason: 'UNKNOWN_TOPIC',
  message: `there is no partition ${partition} of a topic "${topic}"`,
})
