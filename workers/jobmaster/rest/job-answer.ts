/** `/jobs/:jobid` and the job's line in `/jobs/overview`. Flink: JobDetailsHandler, JobDetails. */
import { Prng, deriveSeed } from '../../base/prng.ts'
import { isGloballyTerminal, isTerminalExecution } from '../../model/execution.ts'
import type { JobStatus } from '../../model/execution.ts'
import { toMillis } from '../../model/time.ts'
import type { EngineTime } from '../../model/time.ts'
import type { ExecutionJobVertex } from '../execution-graph.ts'
import type { JobMaster } from '../job-master.ts'
import { ioMetrics } from './io-metrics.ts'
import { planAnswer } from './plan-answer.ts'
import { aggregateState, countStates } from './task-counts.ts'

const STATUSES: readonly JobStatus[] = [
  'INITIALIZING', 'CREATED', 'RUNNING', 'FAILING', 'FAILED', 'CANCELLING', 'CANCELED', 'FINISHED', 'RESTARTING', 'SUSPENDED', 'RECONCILING',
]

export function jobOverviewAnswer(master: JobMaster, now: EngineTime): unknown {
  const counts = countStates(master.executionGraph.executions.map((execution) => execution.state))
  const lower = Object.fromEntries(Object.entries(counts).map(([state, count]) => [state.toLowerCase(), count]))
  const times = timesOf(master, now)
  return {
    jid: master.job,
    name: master.graph.name,
    state: master.status.status,
    'start-time': times.start,
    'end-time': times.end,
    duration: times.duration,
    'last-modification': toMillis(lastModification(master)),
    tasks: { total: master.executionGraph.executions.length, ...lower },
    'pending-operators': 0,
  }
}

export function jobAnswer(master: JobMaster, now: EngineTime): unknown {
  const times = timesOf(master, now)
  const vertexStates = master.executionGraph.vertices.map((vertex) => aggregateState(vertex.executions.map(({ state }) => state)))
  const slotSharingGroupId = new Prng(deriveSeed(master.seed, 'slot sharing group')).hex(32)
  return {
    jid: master.job,
    name: master.graph.name,
    isStoppable: false,
    state: master.status.status,
    'job-type': 'STREAMING',
    'start-time': times.start,
    'end-time': times.end,
    duration: times.duration,
    maxParallelism: -1,
    now: toMillis(now),
    timestamps: Object.fromEntries(STATUSES.map((status) => [status, toMillis(master.status.timestamps.get(status) ?? 0)])),
    vertices: master.executionGraph.vertices.map((vertex) => vertexAnswer(master, vertex, slotSharingGroupId, now)),
    'status-counts': countStates(vertexStates),
    plan: planAnswer(master.job, master.graph),
    'pending-operators': 0,
  }
}

function vertexAnswer(master: JobMaster, job: ExecutionJobVertex, slotSharingGroupId: string, now: EngineTime): unknown {
  const { vertex, executions, maxParallelism } = job
  const states = executions.map((execution) => execution.state)
  const starts = executions.flatMap((execution) => execution.since.get('DEPLOYING') ?? [])
  const start = starts.length === 0 ? null : Math.min(...starts)
  const end = states.every(isTerminalExecution) ? Math.max(...executions.map((execution) => execution.since.get(execution.state) ?? 0)) : null
  return {
    id: vertex.id,
    slotSharingGroupId,
    name: vertex.name,
    maxParallelism,
    parallelism: vertex.parallelism,
    status: aggregateState(states),
    'start-time': start === null ? -1 : toMillis(start),
    'end-time': end === null ? -1 : toMillis(end),
    duration: start === null ? -1 : toMillis((end ?? now) - start),
    tasks: countStates(states),
    metrics: ioMetrics(executions.map(({ subtask }) => master.meters.latest(vertex.id, subtask))),
  }
}

function timesOf(master: JobMaster, now: EngineTime): { readonly start: number; readonly end: number; readonly duration: number } {
  const { status, startedAt, timestamps } = master.status
  const end = isGloballyTerminal(status) ? (timestamps.get(status) ?? now) : null
  return { start: toMillis(startedAt), end: end === null ? -1 : toMillis(end), duration: toMillis((end ?? now) - startedAt) }
}

function lastModification(master: JobMaster): EngineTime {
  const executions = master.executionGraph.executions.map((execution) => execution.since.get(execution.state) ?? 0)
  return Math.max(master.status.timestamps.get(master.status.status) ?? 0, ...executions)
}
