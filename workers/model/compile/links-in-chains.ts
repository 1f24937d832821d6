/** Rates and delays that have no effect, because the edge is within a chain. */
import type { JobVertex, Problem } from '../job-graph.ts'
import { jsonPointer } from '../json-pointer.ts'
import type { OperatorEdge } from './compile-edges.ts'

/** Operators of one chain hand records to each other by a call: there is no channel that could be narrow or late. */
export function linksInChains(edges: readonly OperatorEdge[], vertices: readonly JobVertex[]): readonly Problem[] {
  const vertexOf = (uid: string): JobVertex | undefined => vertices.find(({ chain }) => chain.some((operator) => operator.uid === uid))
  return edges.flatMap(({ index, from, to, link }) => {
    const [sender, receiver] = [from.document.uid, to.document.uid]
    if (vertexOf(sender) !== vertexOf(receiver)) return []
    const without = (field: 'rate' | 'delay'): Problem => ({
      severity: 'warning',
      path: jsonPointer('edges', index, field),
      message: `The ${field} has no effect: "${sender}" and "${receiver}" are chained, and there is no channel between them.`,
      cure: `Ship by rebalance, set pipeline.operator-chaining.enabled to false, or leave the ${field} out.`,
    })
    return [...(link.bytesPerSecond === undefined ? [] : [without('rate')]), ...(link.delayMicros === undefined ? [] : [without('delay')])]
  })
}
