/** What the channels of an edge are like, by the document: how many bytes a second, and how late. Ours alone; no rule of Flink. */
import type { EdgeDocument } from '../job-document.ts'
import type { EdgeLink, JobVertex, Problem } from '../job-graph.ts'
import { jsonPointer } from '../json-pointer.ts'
import { parseDuration, parseMemory } from '../options/values.ts'
import type { OperatorEdge } from './compile-edges.ts'
import { mistake } from './shape.ts'

/** Bytes per second, and engine microseconds. What cannot be read is a problem, and absent. */
export function linkOf(edge: EdgeDocument, index: number, problems: Problem[]): EdgeLink {
  const bytesPerSecond = rateOf(edge, index, problems)
  const delayMicros = delayOf(edge, index, problems)
  return { ...(bytesPerSecond === null ? {} : { bytesPerSecond }), ...(delayMicros === 0 ? {} : { delayMicros }) }
}

function rateOf({ rate }: EdgeDocument, index: number, problems: Problem[]): number | null {
  if (rate === undefined) return null
  const parsed = parseMemory(rate)
  if (parsed.ok && parsed.value > 0) return parsed.value
  const text = parsed.ok ? 'Nothing gets through a channel with a rate of 0.' : `Could not read the rate: ${parsed.error}.`
  problems.push(mistake(['edges', index, 'rate'], text, 'Write bytes per second, as in "64 kb", or leave it out.'))
  return null
}

function delayOf({ delay }: EdgeDocument, index: number, problems: Problem[]): number {
  if (delay === undefined) return 0
  const parsed = parseDuration(delay)
  if (parsed.ok) return parsed.value
  problems.push(mistake(['edges', index, 'delay'], `Could not read the delay: ${parsed.error}.`, 'Write a whole number and a unit, as in "200 ms", or leave it out.'))
  return 0
}

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
