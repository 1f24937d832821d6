import { ok } from '../../base/result.ts'
import type { OperatorType } from './operator-type.ts'

const sink = { group: 'Sinks', inputs: 1, keyed: false, hasCoordinator: false, isSink: true, infer: () => ok(null) } as const

/** Flink: PrintSink, and any sink without transactions (behaviour 16.3). */
export const PRINT_SINK: OperatorType = {
  ...sink,
  type: 'print',
  title: 'Plain sink',
  summary: 'Writes each row at once; after a failure rows are written again, so readers may see them twice.',
  state: null,
  parameters: [{ name: 'discard', title: 'Discard', kind: 'boolean', default: false, help: 'Counts the rows and writes none: for benchmarks.' }],
}

/** Flink: an idempotent sink such as JDBC's upsert (behaviour 16.3). */
export const UPSERT_SINK: OperatorType = {
  ...sink,
  type: 'upsert',
  title: 'Upsert sink',
  summary: 'Writes each row over the earlier one with the same key; a repeated row changes nothing in the end.',
  state: null,
  parameters: [{ name: 'by', title: 'By', kind: 'field', required: true, help: 'Name the field that identifies a row.' }],
}

/** Flink: TwoPhaseCommitSinkFunction (behaviour 16.1). */
export const TWO_PHASE_COMMIT_SINK: OperatorType = {
  ...sink,
  type: 'two-phase-commit',
  title: 'Two-phase-commit sink',
  summary: 'Writes into a transaction that is committed when its checkpoint has completed: readers of committed rows see each once.',
  state: 'the open transaction and those waiting for their commit',
  parameters: [
    {
      name: 'transactionTimeout',
      title: 'Transaction timeout',
      kind: 'duration',
      default: '15 min',
      help: 'The outside system aborts a transaction that is neither committed nor aborted by then.',
    },
  ],
}
