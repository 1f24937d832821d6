/** The flow-level report of a task (DESIGN 8, 21): made a few times a second, off the hot path. */
import type { OperatorReport } from '../model/report.ts'
import { REPORTED_ROWS_MAX } from '../model/report.ts'
import type { KeyedStateReport } from '../model/report.ts'
import type { ChainNode } from './chain-node.ts'

export function operatorReport(node: ChainNode): OperatorReport {
  const { splits, transactions } = node.operator.report()
  return {
    operator: node.operatorId,
    uid: node.description.uid,
    keyed: node.keyed === null ? null : node.keyed.report(REPORTED_ROWS_MAX),
    splits,
    transactions,
  }
}

/** Every entry of an operator's keyed state. */
export function keyedEntries(node: ChainNode): KeyedStateReport['rows'] | null {
  if (node.keyed === null) return null
  return node.keyed.report(Math.max(1, node.keyed.keys)).rows
}
