/**
 * One sink system: a log of rows with transactions, as a Kafka topic is, and a table of upserted rows, as a database is. Only data and
 * what changes it; which change is allowed is decided in outside-world.ts.
 *
 * Readers: read-committed sees the rows of committed transactions in commit order (Kafka: in log order up to the last stable offset) and
 * rows outside transactions at once. Read-uncommitted sees the log in the order of writing, rows of aborted transactions included, as in Kafka.
 */
import { must } from '../base/assert.ts'
import type { SinkView, TransactionState } from '../model/outside.ts'
import type { Scalar, Value } from '../model/schema.ts'
import type { EngineTime } from '../model/time.ts'
import { AppendList } from './append-list.ts'
import type { ListSnapshot, SinkSnapshot, TransactionSnapshot } from './journal.ts'

/** Bounds: older rows can no longer be read, older ended transactions are forgotten (totals stay right). */
export const RETAINED_ROWS_MAX = 200_000
export const ENDED_TRANSACTIONS_MAX = 10_000

export interface Transaction {
  readonly id: string
  state: TransactionState
  /** When the external system gives it up; Infinity: never. */
  readonly deadline: EngineTime
  count: number
  /** Null once it has ended. */
  rows: AppendList<Value> | null
}

export class SinkStore {
  readonly name: string
  private committed = new AppendList<Value>()
  private written = new AppendList<Value>()
  private readonly upserted = new Map<Scalar, Value>()
  private readonly transactions = new Map<string, Transaction>()
  /** Those of them that have not ended. */
  private readonly open = new Map<string, Transaction>()

  constructor(name: string) {
    this.name = name
  }

  transaction(id: string): Transaction | undefined {
    return this.transactions.get(id)
  }

  append(rows: readonly Value[]): void {
    this.log(rows)
    this.committed.pushAll(rows)
    this.committed.trim(RETAINED_ROWS_MAX)
  }

  /** A row replaces the one with the same value in field `by` (of a bare row: the row itself), and keeps its place. */
  upsert(rows: readonly Value[], by: number): void {
    for (const row of rows) this.upserted.set(upsertKey(row, by), row)
  }

  begin(id: string, deadline: EngineTime): void {
    this.add({ id, state: 'OPEN', deadline, count: 0, rows: new AppendList() })
  }

  write(id: string, rows: readonly Value[]): void {
    const transaction = this.get(id)
    this.log(rows)
    openRows(transaction).pushAll(rows)
    transaction.count += rows.length
  }

  preCommit(id: string): void {
    this.get(id).state = 'PRE_COMMITTED'
  }

  commit(id: string): void {
    const transaction = this.get(id)
    this.committed.pushAll(openRows(transaction).slice(0))
    this.committed.trim(RETAINED_ROWS_MAX)
    this.end(transaction, 'COMMITTED')
  }

  abort(id: string): void {
    this.end(this.get(id), 'ABORTED')
  }

  /** Transactions that have not ended, oldest first. */
  pending(): Transaction[] {
    return [...this.open.values()]
  }

  /** At most `limit` of the newest rows of each kind and of the newest ended transactions, with the totals of all rows. */
  view(limit: number): SinkView {
    const upserted = [...this.upserted.values()]
    const last = (list: AppendList<Value>): Value[] => [...list.slice(list.length - limit), ...upserted].slice(-limit)
    return {
      sink: this.name,
      committed: limit === 0 ? [] : last(this.committed),
      committedTotal: this.committed.length + upserted.length,
      uncommitted: limit === 0 ? [] : last(this.written),
      uncommittedTotal: this.written.length + upserted.length,
      transactions: this.newestTransactions(limit).map(({ id, state, count }) => ({ id, state, rows: count })),
    }
  }

  snapshot(): SinkSnapshot {
    return {
      name: this.name,
      committed: listSnapshot(this.committed),
      written: listSnapshot(this.written),
      upserted: [...this.upserted],
      transactions: [...this.transactions.values()].map(transactionSnapshot),
    }
  }

  static restore(snapshot: SinkSnapshot): SinkStore {
    const sink = new SinkStore(snapshot.name)
    sink.committed = AppendList.restore(snapshot.committed.dropped, snapshot.committed.items)
    sink.written = AppendList.restore(snapshot.written.dropped, snapshot.written.items)
    for (const [key, row] of snapshot.upserted) sink.upserted.set(key, row)
    for (const { rows, ...rest } of snapshot.transactions) sink.add({ ...rest, rows: rows === null ? null : AppendList.restore(0, rows) })
    return sink
  }

  private add(transaction: Transaction): void {
    this.transactions.set(transaction.id, transaction)
    if (transaction.rows !== null) this.open.set(transaction.id, transaction)
  }

  /** Every pending one and the newest `limit` ended ones, in the order in which they began. */
  private newestTransactions(limit: number): Transaction[] {
    const all = [...this.transactions.values()]
    let skipped = Math.max(0, all.length - this.open.size - limit)
    return all.filter((transaction) => this.open.has(transaction.id) || skipped-- <= 0)
  }

  private get(id: string): Transaction {
    return must(this.transactions.get(id), `transaction ${id} of sink ${this.name}`)
  }

  private log(rows: readonly Value[]): void {
    this.written.pushAll(rows)
    this.written.trim(RETAINED_ROWS_MAX)
  }

  private end(transaction: Transaction, state: 'COMMITTED' | 'ABORTED'): void {
    transaction.state = state
    transaction.rows = null
    this.open.delete(transaction.id)
    if (this.transactions.size - this.open.size <= ENDED_TRANSACTIONS_MAX) return
    for (const id of this.transactions.keys()) {
      if (this.open.has(id)) continue
      this.transactions.delete(id)
      return
    }
  }
}

const openRows = (transaction: Transaction): AppendList<Value> => must(transaction.rows, `rows of transaction ${transaction.id}`)

const upsertKey = (row: Value, by: number): Scalar => (typeof row === 'object' ? must(row[by], `field ${by} of an upserted row`) : row)

const listSnapshot = <T>(list: AppendList<T>): ListSnapshot<T> => ({ dropped: list.start, items: list.slice(list.start) })

const transactionSnapshot = ({ id, state, deadline, count, rows }: Transaction): TransactionSnapshot => ({
  id,
  state,
  deadline,
  count,
  rows: rows === null ? null : rows.slice(0),
})
