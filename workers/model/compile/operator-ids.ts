/**
 * The operator ids of a job. With a uid: a hash of it. Without: a hash of the operator's place in the traversal of the graph, of how many operators are
 * chained to it, and of the ids of its inputs, so that another operator upstream, or another chaining, changes it (behaviour 12.1). Flink:
 * StreamGraphHasherV2.
 */
import { must } from '../../base/assert.ts'
import { murmur3Hex128 } from '../../base/murmur3.ts'
import { operatorId, type OperatorId } from '../ids.ts'
import { operatorIdOfUid } from '../operator-id-of-uid.ts'
import type { DescribedOperator } from './chain-operators.ts'
import type { OperatorEdge } from './compile-edges.ts'

interface Graph {
  readonly operators: readonly DescribedOperator[]
  readonly edges: readonly OperatorEdge[]
  readonly chainingEnabled: boolean
}

const BYTES = 16

/** By uid of the document. Breadth first from the sources; an operator without a uid waits until all of its inputs have their ids. */
export function operatorIds(graph: Graph): ReadonlyMap<string, OperatorId> {
  const { operators, edges } = graph
  const ids = new Map<string, OperatorId>()
  const queue = operators.filter(({ operator }) => operator.type.inputs === 0).sort((a, b) => a.operator.index - b.operator.index)
  const visited = new Set(queue)
  for (let at = 0; at < queue.length; at++) {
    const current = must(queue[at], 'operator in the queue')
    const { document } = current.operator
    const inputs = edges.filter(({ to }) => to === current.operator)
    if (document.generatedUid === true && inputs.some(({ from }) => !ids.has(from.document.uid))) {
      // Comes again behind the input that is missing.
      visited.delete(current)
      continue
    }
    ids.set(document.uid, document.generatedUid === true ? generatedId(current, inputs, ids, graph) : operatorIdOfUid(document.uid))
    for (const { to } of edges.filter(({ from }) => from === current.operator)) {
      const child = operators.find(({ operator }) => operator === to)
      if (child === undefined || visited.has(child)) continue
      visited.add(child)
      queue.push(child)
    }
  }
  return ids
}

function generatedId(
  { operator, maxParallelism }: DescribedOperator,
  inputs: readonly OperatorEdge[],
  ids: ReadonlyMap<string, OperatorId>,
  { operators, edges, chainingEnabled }: Graph,
): OperatorId {
  const chained = edges.filter((edge) => {
    const to = operators.find((candidate) => candidate.operator === edge.to)
    return (
      chainingEnabled && edge.from === operator && edge.ship === 'forward' && edges.filter((other) => other.to === edge.to).length === 1 &&
      edge.to.parallelism === operator.parallelism && to?.maxParallelism === maxParallelism
    )
  })
  // Its own place, and once more for each operator that is chained to it.
  const places = new Uint8Array(4 * (1 + chained.length))
  const view = new DataView(places.buffer)
  for (let i = 0; i <= chained.length; i++) view.setInt32(4 * i, ids.size, true)
  const hash = bytesOf(murmur3Hex128(places))
  for (const { from } of inputs) {
    const other = bytesOf(must(ids.get(from.document.uid), 'id of an input'))
    for (let i = 0; i < BYTES; i++) hash[i] = Math.imul(hash[i] as number, 37) ^ (other[i] as number)
  }
  return operatorId([...hash].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from({ length: BYTES }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
