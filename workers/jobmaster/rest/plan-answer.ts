/** The job's plan as the web interface draws it. Flink: JsonPlanGenerator. Nodes are listed sinks first. */
import type { JobId } from '../../model/ids.ts'
import type { JobGraph, JobVertex } from '../../model/job-graph.ts'

export function planAnswer(job: JobId, graph: JobGraph): unknown {
  const nodes = [...graph.vertices].reverse().map((vertex) => nodeOf(graph, vertex))
  return { jid: job, name: graph.name, type: 'STREAMING', nodes }
}

function nodeOf(graph: JobGraph, vertex: JobVertex): unknown {
  const inputs = graph.edges
    .filter((edge) => edge.to === vertex.id)
    .map((edge, num) => ({ num, id: edge.from, ship_strategy: edge.ship.toUpperCase(), exchange: 'pipelined_bounded' }))
  return {
    id: vertex.id,
    parallelism: vertex.parallelism,
    operator: '',
    operator_strategy: '',
    description: descriptionOf(vertex),
    ...(inputs.length === 0 ? {} : { inputs }),
    optimizer_properties: {},
  }
}

/** One line per operator of the chain, each a step further in. */
function descriptionOf(vertex: JobVertex): string {
  return vertex.chain
    .map((operator, depth) => `${depth === 0 ? '' : `${'   '.repeat(depth - 1)}+- `}${escapeHtml(operator.name)}<br/>`)
    .join('')
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
