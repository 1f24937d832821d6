/** Order of operators along the edges, or the cycle that forbids one. */
import type { Problem } from '../job-graph.ts'
import type { KnownOperator, OperatorEdge } from './compile-edges.ts'
import { mistake } from './shape.ts'

/** Every operator after all that feed it, otherwise in document order. Null with a problem for each cycle found. */
export function topologicalOrder(
  operators: readonly KnownOperator[],
  edges: readonly OperatorEdge[],
  problems: Problem[],
): readonly KnownOperator[] | null {
  const open = new Set(operators)
  const order: KnownOperator[] = []
  for (;;) {
    const next = operators.find((operator) => open.has(operator) && !edges.some((edge) => edge.to === operator && open.has(edge.from)))
    if (next === undefined) break
    open.delete(next)
    order.push(next)
  }
  if (open.size === 0) return order
  problems.push(cycleProblem(open, edges))
  return null
}

/** Walks backwards from any operator left over: each has a predecessor left over, so the walk must meet itself. */
function cycleProblem(open: ReadonlySet<KnownOperator>, edges: readonly OperatorEdge[]): Problem {
  const walk: KnownOperator[] = []
  const taken: OperatorEdge[] = []
  let at = [...open][0]
  while (at !== undefined && !walk.includes(at)) {
    walk.push(at)
    const target: KnownOperator = at
    const edge = edges.find((candidate) => candidate.to === target && open.has(candidate.from))
    if (edge !== undefined) taken.push(edge)
    at = edge?.from
  }
  const start = at === undefined ? 0 : walk.indexOf(at)
  const loop = walk.slice(start).reverse()
  // Told from the operator that stands first in the document.
  const first = loop.reduce((best, operator, i) => (operator.index < (loop[best]?.index ?? 0) ? i : best), 0)
  const cycle = [...loop.slice(first), ...loop.slice(0, first)]
  const names = [...cycle, cycle[0]].map((operator) => operator?.document.uid ?? '?').join(' → ')
  const closing = taken.slice(start).reduce((last, edge) => Math.max(last, edge.index), 0)
  return mistake(
    ['edges', closing],
    `The edges form a cycle: ${names}. A barrier can never have come by every channel of a loop, so no checkpoint could complete; Flink removed iterations from its API in 2.0, and did not checkpoint the records inside a loop before.`,
    'Remove one of these edges.',
  )
}
