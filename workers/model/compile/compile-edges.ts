/** Edges of the document → edges between operators, with Flink's defaults and Flink's refusals. */
import type { OperatorType } from '../catalogue/operator-type.ts'
import type { EdgeDocument, OperatorDocument, Ship } from '../job-document.ts'
import type { EdgeLink, Problem } from '../job-graph.ts'
import { linkOf } from './edge-link.ts'
import { mistake } from './shape.ts'

/** An operator of the document that has a known type and a uid of its own. */
export interface KnownOperator {
  readonly index: number
  readonly document: OperatorDocument
  readonly type: OperatorType
  readonly parallelism: number
}

export interface OperatorEdge {
  /** Position in the document. */
  readonly index: number
  readonly from: KnownOperator
  readonly to: KnownOperator
  /** From 0. */
  readonly input: number
  readonly ship: Ship
  readonly by: readonly string[]
  /** Absent: the hash is the same everywhere. */
  readonly unstableHash?: true
  readonly link: EdgeLink
}

/** What can be said without schemas. An edge with a mistake is left out. `allUids` also holds operators that are wrong themselves. */
export function compileEdges(
  edges: readonly EdgeDocument[],
  operators: ReadonlyMap<string, KnownOperator>,
  allUids: ReadonlySet<string>,
  problems: Problem[],
): readonly OperatorEdge[] {
  const compiled: OperatorEdge[] = []
  edges.forEach((edge, index) => {
    const before = problems.length
    const from = end(edge, 'from', index, operators, allUids, problems)
    const to = end(edge, 'to', index, operators, allUids, problems)
    if (from === null || to === null) return
    checkEnds(edge, index, from, to, problems)
    const ship = edge.ship ?? (from.parallelism === to.parallelism ? 'forward' : 'rebalance')
    checkShip(edge, index, ship, from, to, problems)
    const link = linkOf(edge, index, problems)
    if (problems.length > before) return
    compiled.push({
      ...{ index, from, to, input: (edge.input ?? 1) - 1, ship, by: ship === 'hash' ? (edge.by ?? []) : [], link },
      ...(edge.unstableHash === true ? { unstableHash: true } : {}),
    })
  })
  return compiled
}

function end(
  edge: EdgeDocument,
  side: 'from' | 'to',
  index: number,
  operators: ReadonlyMap<string, KnownOperator>,
  allUids: ReadonlySet<string>,
  problems: Problem[],
): KnownOperator | null {
  const uid = edge[side]
  const operator = operators.get(uid)
  if (operator !== undefined) return operator
  if (!allUids.has(uid)) {
    problems.push(mistake(['edges', index, side], `The edge ${side === 'from' ? 'begins' : 'ends'} at "${uid}", and there is no such operator.`, 'Give the uid of an operator, or remove the edge.'))
  }
  return null
}

function checkEnds(edge: EdgeDocument, index: number, from: KnownOperator, to: KnownOperator, problems: Problem[]): void {
  if (from.type.isSink) problems.push(mistake(['edges', index, 'from'], `"${edge.from}" is a sink: nothing comes out of it.`, 'Begin the edge at the operator before the sink.'))
  if (to.type.inputs === 0) {
    problems.push(mistake(['edges', index, 'to'], `"${edge.to}" is a source: nothing goes into it.`, 'End the edge at another operator.'))
  } else if ((edge.input ?? 1) > to.type.inputs) {
    problems.push(
      mistake(['edges', index, 'input'], `"${edge.to}" has no input ${edge.input}.`, to.type.inputs === 1 ? 'It has one input: leave "input" out.' : 'Give 1 or 2.'),
    )
  }
}

function checkShip(edge: EdgeDocument, index: number, ship: Ship, from: KnownOperator, to: KnownOperator, problems: Problem[]): void {
  if (ship === 'forward' && from.parallelism !== to.parallelism) {
    problems.push(
      mistake(
        ['edges', index, 'ship'],
        `Forward partitioning does not allow a change of parallelism: "${edge.from}" has ${from.parallelism}, "${edge.to}" has ${to.parallelism}.`,
        'Choose rebalance or rescale, or make the two equal.',
      ),
    )
  }
  if (ship === 'hash' && (edge.by ?? []).length === 0) {
    problems.push(mistake(['edges', index, 'by'], 'A hash edge needs the fields of the key.', 'Add "by", as in ["origin"].'))
  }
  if (ship !== 'hash' && edge.by !== undefined) {
    problems.push(mistake(['edges', index, 'by'], `"by" means nothing on a ${ship} edge.`, 'Remove it, or choose hash.'))
  }
  if (ship !== 'hash' && edge.unstableHash === true) {
    problems.push(mistake(['edges', index, 'unstableHash'], `There is no hash on a ${ship} edge.`, 'Remove it, or choose hash.'))
  }
  if (ship !== 'broadcast' && to.type.broadcastInput === (edge.input ?? 1) - 1) {
    problems.push(
      mistake(['edges', index, 'ship'], `Every subtask of "${edge.to}" must see all records of input ${to.type.broadcastInput + 1}, and a ${ship} edge deals them out.`, 'Ship by broadcast.'),
    )
  }
  if (ship !== 'hash' && to.type.keyed) {
    problems.push(
      mistake(['edges', index, 'ship'], `"${edge.to}" keeps state for each key, and its input is not keyed.`, 'Ship by hash, and give the key fields in "by".'),
    )
  }
}
