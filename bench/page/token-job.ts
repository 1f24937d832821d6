/** A job of 54 operators, drawn and never run: nine pipelines of a source, four maps and a sink. */
import { compileJob } from '../../workers/model/compile-job.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { JobGraph } from '../../workers/model/job-graph.ts'

const PIPELINES = 9
const MAPS = 4

export function tokenJob(): JobGraph {
  const operators: JobDocument['operators'][number][] = []
  const edges: JobDocument['edges'][number][] = []
  for (let pipeline = 0; pipeline < PIPELINES; pipeline++) {
    const uid = (step: number): string => `p${pipeline}-${step}`
    operators.push({ uid: uid(0), type: 'generator', name: `Source ${pipeline}`, params: { rows: 'word' } })
    for (let step = 1; step <= MAPS; step++) operators.push({ uid: uid(step), type: 'map', name: `Map ${pipeline}.${step}`, params: { function: 'identity' } })
    operators.push({ uid: uid(MAPS + 1), type: 'print', name: `Sink ${pipeline}`, params: { discard: true } })
    for (let step = 0; step <= MAPS; step++) edges.push({ from: uid(step), to: uid(step + 1), ship: 'forward' })
  }
  const { graph, problems } = compileJob({ weir: 'job@1', name: 'Tokens', operators, edges } satisfies JobDocument)
  if (graph === null) throw new Error(JSON.stringify(problems))
  return graph
}
