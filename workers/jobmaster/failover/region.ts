/**
 * Failover regions: sets of tasks joined by channels. Flink: RestartPipelinedRegionFailoverStrategy, RestartAllFailoverStrategy (behaviour 15.2). Every exchange here is
 * pipelined, so the tasks to restart are exactly the region of the failed one.
 */
import { must } from '../../base/assert.ts'
import type { VertexId } from '../../model/ids.ts'
import type { JobGraph } from '../../model/job-graph.ts'
import { receiversOf } from '../channel-wiring.ts'

export interface TaskPosition {
  readonly vertex: VertexId
  readonly subtask: number
}

export const positionKey = (position: TaskPosition): string => `${position.vertex}_${position.subtask}`

export class FailoverRegions {
  private readonly regions: readonly (readonly TaskPosition[])[]
  private readonly regionOf = new Map<string, number>()

  constructor(graph: JobGraph) {
    const regions = regionsOf(graph)
    this.regions = graph.settings.failoverStrategy === 'full' ? [regions.flat()] : regions
    this.regions.forEach((region, index) => region.forEach((task) => this.regionOf.set(positionKey(task), index)))
  }

  get all(): readonly (readonly TaskPosition[])[] {
    return this.regions
  }

  tasksToRestart(failed: TaskPosition): readonly TaskPosition[] {
    const index = must(this.regionOf.get(positionKey(failed)), `region of ${positionKey(failed)}`)
    return must(this.regions[index], `region ${index}`)
  }
}

function regionsOf(graph: JobGraph): readonly (readonly TaskPosition[])[] {
  const tasks = graph.vertices.flatMap((vertex) => Array.from({ length: vertex.parallelism }, (_, subtask) => ({ vertex: vertex.id, subtask })))
  const parent = new Map(tasks.map((task) => [positionKey(task), positionKey(task)]))
  const root = (key: string): string => {
    let at = key
    while (must(parent.get(at), at) !== at) at = must(parent.get(at), at)
    return at
  }
  const parallelism = new Map(graph.vertices.map((vertex) => [vertex.id, vertex.parallelism]))
  for (const edge of graph.edges) {
    const senders = must(parallelism.get(edge.from), edge.from)
    const receivers = must(parallelism.get(edge.to), edge.to)
    for (let sender = 0; sender < senders; sender++) {
      for (const receiver of receiversOf(edge, sender, senders, receivers)) {
        parent.set(root(positionKey({ vertex: edge.to, subtask: receiver })), root(positionKey({ vertex: edge.from, subtask: sender })))
      }
    }
  }
  const regions = new Map<string, TaskPosition[]>()
  for (const task of tasks) {
    const key = root(positionKey(task))
    const region = regions.get(key)
    if (region === undefined) regions.set(key, [task])
    else region.push(task)
  }
  return [...regions.values()]
}
