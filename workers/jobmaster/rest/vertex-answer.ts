/** `/jobs/:jobid/vertices/:vertexid`. Flink: JobVertexDetailsHandler, SubtaskExecutionAttemptDetailsInfo, AggregatedTaskDetailsInfo. */
import { must } from '../../base/assert.ts'
import { isTerminalExecution } from '../../model/execution.ts'
import type { ExecutionState } from '../../model/execution.ts'
import type { VertexId } from '../../model/ids.ts'
import { toMillis } from '../../model/time.ts'
import type { EngineTime } from '../../model/time.ts'
import type { Execution } from '../execution-graph.ts'
import type { JobMaster } from '../job-master.ts'
import { ioMetrics } from './io-metrics.ts'
import type { IoMetrics } from './io-metrics.ts'
import { millisOr } from './rest-answers.ts'

const TIMED_STATES: readonly ExecutionState[] = ['CREATED', 'SCHEDULED', 'DEPLOYING', 'INITIALIZING', 'RUNNING']
const AGGREGATED_METRICS = [
  'read-bytes', 'write-bytes', 'read-records', 'write-records', 'accumulated-backpressured-time', 'accumulated-busy-time', 'accumulated-idle-time',
] as const satisfies readonly (keyof IoMetrics)[]

export function vertexDetailsAnswer(master: JobMaster, id: VertexId, now: EngineTime): unknown {
  const { vertex, executions, maxParallelism } = master.executionGraph.vertex(id)
  const subtasks = executions.map((execution) => subtaskOf(master, execution, now))
  return {
    id,
    name: vertex.name,
    parallelism: vertex.parallelism,
    maxParallelism,
    now: toMillis(now),
    subtasks,
    aggregated: {
      metrics: Object.fromEntries(AGGREGATED_METRICS.map((name) => [name, spread(subtasks.map(({ metrics }) => numberOf(metrics[name])))])),
      'status-duration': Object.fromEntries(
        TIMED_STATES.map((state) => [state, spread(subtasks.map((subtask) => must(subtask['status-duration'][state], state)))]),
      ),
    },
  }
}

function subtaskOf(master: JobMaster, execution: Execution, now: EngineTime) {
  const { state, since, subtask, vertex } = execution
  const start = since.get('DEPLOYING') ?? null
  const end = isTerminalExecution(state) ? (since.get(state) ?? null) : null
  const place = execution.taskManager ?? '(unassigned)'
  return {
    subtask,
    status: state,
    attempt: execution.attemptNumber,
    endpoint: place,
    'start-time': millisOr(start),
    start_time: millisOr(start),
    'end-time': millisOr(end),
    duration: start === null ? -1 : toMillis((end ?? now) - start),
    metrics: ioMetrics([master.meters.latest(vertex, subtask)]),
    'taskmanager-id': place,
    'status-duration': Object.fromEntries(TIMED_STATES.map((timed) => [timed, timeIn(execution, timed, now)])),
  }
}

/** How long it was in that state; -1: never. A state ends with the one that follows. */
function timeIn({ since, state }: Execution, timed: ExecutionState, now: EngineTime): number {
  const start = since.get(timed)
  if (start === undefined) return -1
  const later = [...since].slice([...since.keys()].indexOf(timed) + 1)
  return toMillis((state === timed ? now : (later[0]?.[1] ?? now)) - start)
}

const numberOf = (value: number | boolean | 'NaN'): number => (typeof value === 'number' ? value : -1)

/** Flink: MetricsStatistics; whole numbers, percentiles by nearest rank. */
function spread(values: readonly number[]): Record<string, number> {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (p: number): number => sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? 0
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0, avg: Math.trunc(sum / Math.max(1, values.length)), sum,
    median: at(0.5), p25: at(0.25), p75: at(0.75), p95: at(0.95),
  }
}
