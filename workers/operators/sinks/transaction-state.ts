/**
 * What a two-phase-commit sink keeps in its operator state, in the shape of Flink's TwoPhaseCommitSinkFunction.StateSerializer: the current
 * transaction, those waiting for their commit, a context. A transaction is its id, the rows in it and its start (`UTF`, `i8`, `i8`).
 */
import { DataInput } from '../../state/serializers/data-input.ts'
import { DataOutput } from '../../state/serializers/data-output.ts'

/** Name of the list state in Flink. */
export const TRANSACTION_STATE = 'state'

export interface Transaction {
  readonly id: string
  readonly rows: number
  readonly startedAtMillis: number
}

export interface TransactionState {
  /** Null: the sink had finished. */
  readonly current: Transaction | null
  readonly pending: readonly Transaction[]
}

export function encodeTransactionState(state: TransactionState): Uint8Array {
  const out = new DataOutput()
  out.writeBoolean(state.current !== null)
  if (state.current !== null) writeTransaction(out, state.current)
  out.writeInt(state.pending.length)
  for (const transaction of state.pending) writeTransaction(out, transaction)
  out.writeBoolean(false)
  return out.toBytes()
}

export function decodeTransactionState(bytes: Uint8Array): TransactionState {
  const input = new DataInput(bytes)
  const current = input.readBoolean('whether there is a current transaction') ? readTransaction(input) : null
  const pending: Transaction[] = []
  for (let left = input.readCount('the number of pending transactions'); left > 0; left--) pending.push(readTransaction(input))
  input.readBoolean('whether there is a context')
  input.expectEnd('a transaction state')
  return { current, pending }
}

function writeTransaction(out: DataOutput, transaction: Transaction): void {
  out.writeUTF(transaction.id)
  out.writeLong(transaction.rows)
  out.writeLong(transaction.startedAtMillis)
}

const readTransaction = (input: DataInput): Transaction => ({
  id: input.readUTF('a transaction'),
  rows: input.readLong('a number of rows'),
  startedAtMillis: input.readLong('a start'),
})
