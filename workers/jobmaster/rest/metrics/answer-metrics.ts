/**
 * Routes of metrics: of a job, of a vertex ("0.numRecordsIn"), of a subtask, over the subtasks of a vertex, over all jobs. Flink: JobMetricsHandler,
 * JobVertexMetricsHandler, SubtaskMetricsHandler, AggregatingSubtasksMetricsHandler, AggregatingJobsMetricsHandler. A job or vertex that is not there
 * has no metrics, which is no error.
 */
import { isTerminalExecution } from '../../../model/execution.ts'
import type { EngineTime } from '../../../model/time.ts'
import type { ExecutionJobVertex } from '../../execution-graph.ts'
import type { JobMaster } from '../../job-master.ts'
import { listParameter, unreadable } from '../parameters.ts'
import { answer } from '../rest-answers.ts'
import type { RestAnswer } from '../rest-types.ts'
import { AGGREGATIONS, aggregatedMetricsAnswer } from './aggregated-metrics-answer.ts'
import type { Aggregation } from './aggregated-metrics-answer.ts'
import { jobMetricValues } from './job-metric-values.ts'
import { metricCollectionAnswer } from './metric-collection-answer.ts'
import { subtasksIn } from './subtask-ranges.ts'
import { taskMetricValues } from './task-metric-values.ts'
import type { MetricValues } from './task-metric-values.ts'

const ID = /^[0-9a-f]{32}$/i

export interface MetricsRequest {
  /** The path behind `/jobs/`, resolved and cut at its slashes. */
  readonly parts: readonly string[]
  readonly query: string
}

/** Null: no route of metrics. */
export function answerMetrics(masters: readonly JobMaster[], { parts, query }: MetricsRequest, now: EngineTime): RestAnswer | null {
  if (parts.at(-1) !== 'metrics') return null
  const names = listParameter(query, 'get')
  if (parts.length === 1) return overJobs(masters, query, now)
  const [job = '', vertices, vertex = '', subtasks, subtask = ''] = parts
  const master = masters.find((candidate) => candidate.job === job) ?? null
  if (parts.length === 2) return answer(metricCollectionAnswer(master === null ? new Map() : jobMetricValues(master, now), names))
  if (vertices !== 'vertices') return null
  const known = master?.executionGraph.vertices.find((candidate) => candidate.vertex.id === vertex)
  const bySubtask = master === null || known === undefined ? new Map<number, MetricValues>() : valuesBySubtask(master, known)
  if (parts.length === 4) return answer(metricCollectionAnswer(ofVertex(bySubtask), names))
  if (subtasks !== 'subtasks') return null
  if (parts.length === 5) return overSubtasks(bySubtask, query)
  return parts.length === 6 ? answer(metricCollectionAnswer(bySubtask.get(Number(subtask)) ?? new Map(), names)) : null
}

function overJobs(masters: readonly JobMaster[], query: string, now: EngineTime): RestAnswer {
  const jobs = listParameter(query, 'jobs')
  if (!jobs.every((job) => ID.test(job))) return unreadable('query', 'jobs', jobs.join(','))
  return aggregated(masters.filter(({ job }) => jobs.length === 0 || jobs.some((wanted) => wanted.toLowerCase() === job)).map((master) => jobMetricValues(master, now)), query)
}

function overSubtasks(bySubtask: ReadonlyMap<number, MetricValues>, query: string): RestAnswer {
  const ranges = listParameter(query, 'subtasks')
  const wanted = ranges.length === 0 ? [...bySubtask.keys()] : subtasksIn(ranges, bySubtask.keys())
  return aggregated(wanted.flatMap((subtask) => bySubtask.get(subtask) ?? []), query)
}

function aggregated(components: readonly MetricValues[], query: string): RestAnswer {
  const wanted = listParameter(query, 'agg')
  const aggregations = wanted.map((name) => name.toLowerCase()).filter((name): name is Aggregation => (AGGREGATIONS as readonly string[]).includes(name))
  if (aggregations.length < wanted.length) return unreadable('query', 'agg', wanted.join(','))
  return answer(aggregatedMetricsAnswer(components, listParameter(query, 'get'), aggregations))
}

/** Of the subtasks that have reported. */
function valuesBySubtask(master: JobMaster, { vertex, executions }: ExecutionJobVertex): Map<number, MetricValues> {
  return new Map(
    executions.flatMap(({ subtask, state }): [number, MetricValues][] => {
      const report = master.meters.latest(vertex.id, subtask)
      return report === null ? [] : [[subtask, taskMetricValues(report, isTerminalExecution(state))]]
    }),
  )
}

const ofVertex = (bySubtask: ReadonlyMap<number, MetricValues>): MetricValues =>
  new Map([...bySubtask].flatMap(([subtask, values]) => [...values].map(([name, value]): [string, string] => [`${subtask}.${name}`, value])))
