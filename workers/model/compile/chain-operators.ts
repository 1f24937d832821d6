/**
 * Operators → vertices. Off: one vertex for each operator. On: Flink's rules (StreamingJobGraphGenerator.isChainable), for linear chains: an
 * operator joins the one before it if the only edge between them is its only input and the other's only output, ships forward, and
 * parallelism and maximum parallelism are equal.
 */
import { vertexId, type VertexId } from '../ids.ts'
import type { JobVertex, OperatorDescription } from '../job-graph.ts'
import type { KnownOperator, OperatorEdge } from './compile-edges.ts'

export interface DescribedOperator {
  readonly operator: KnownOperator
  readonly description: OperatorDescription
  readonly maxParallelism: number
  readonly maxParallelismExplicit: boolean
}

export interface Chained {
  readonly vertices: readonly JobVertex[]
  readonly vertexOf: ReadonlyMap<string, VertexId>
}

/** `operators` in topological order. */
export function chainOperators(operators: readonly DescribedOperator[], edges: readonly OperatorEdge[], enabled: boolean): Chained {
  const chains: DescribedOperator[][] = []
  const chainOf = new Map<string, DescribedOperator[]>()
  for (const described of operators) {
    const uid = described.description.uid
    const before = enabled ? chainedTo(described, edges, chainOf) : null
    const chain = before ?? []
    if (before === null) chains.push(chain)
    chain.push(described)
    chainOf.set(uid, chain)
  }
  const vertices = chains.map(toVertex)
  const vertexOf = new Map<string, VertexId>()
  chains.forEach((chain, i) => {
    for (const { description } of chain) vertexOf.set(description.uid, vertices[i]?.id ?? vertexId(description.operatorId))
  })
  return { vertices, vertexOf }
}

function chainedTo(described: DescribedOperator, edges: readonly OperatorEdge[], chainOf: ReadonlyMap<string, DescribedOperator[]>): DescribedOperator[] | null {
  const incoming = edges.filter((edge) => edge.to === described.operator)
  const edge = incoming[0]
  if (edge === undefined || incoming.length !== 1 || edge.ship !== 'forward') return null
  if (edges.filter((candidate) => candidate.from === edge.from).length !== 1) return null
  const chain = chainOf.get(edge.from.document.uid)
  const upstream = chain?.at(-1)
  if (chain === undefined || upstream === undefined) return null
  const equal = upstream.operator.parallelism === described.operator.parallelism && upstream.maxParallelism === described.maxParallelism
  return equal ? chain : null
}

function toVertex(chain: readonly DescribedOperator[]): JobVertex {
  const head = chain[0] as DescribedOperator
  return {
    id: vertexId(head.description.operatorId),
    name: chain.map(({ description }) => description.name).join(' -> '),
    parallelism: head.operator.parallelism,
    maxParallelism: head.maxParallelism,
    maxParallelismExplicit: chain.some((member) => member.maxParallelismExplicit),
    chain: chain.map(({ description }) => description),
    isSource: head.operator.type.inputs === 0,
  }
}
