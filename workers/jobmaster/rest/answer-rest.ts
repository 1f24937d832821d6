/** Routes of Flink's REST API that are answered here (behaviour 19.2). Reads only: a call that acts hands back the input to feed. */
import { isGloballyTerminal } from '../../model/execution.ts'
import { vertexId } from '../../model/ids.ts'
import type { EngineTime } from '../../model/time.ts'
import type { JobMaster } from '../job-master.ts'
import type { SavepointDisposal } from '../savepoint-disposal.ts'
import type { SlotPool } from '../slot-pool.ts'
import { checkpointAnswer, checkpointsAnswer, subtasksAnswer } from './checkpoint-answers.ts'
import { checkpointConfigAnswer, jobConfigAnswer } from './config-answers.ts'
import { exceptionsAnswer } from './exceptions-answer.ts'
import { answerMetrics } from './metrics/answer-metrics.ts'
import { jobAnswer, jobOverviewAnswer } from './job-answer.ts'
import { planAnswer } from './plan-answer.ts'
import { backPressureAnswer } from './back-pressure-answer.ts'
import { vertexDetailsAnswer } from './vertex-answer.ts'
import { intParameter, parameter, resolvePath, unreadable } from './parameters.ts'
import { answer, failure } from './rest-answers.ts'
import {
  disposalStatusAnswer, disposalTriggerAnswer, freshTriggerId, savepointStatusAnswer, savepointTriggerAnswer, stopAnswer, triggerIdProblem,
} from './savepoint-answers.ts'
import type { RestAnswer, RestRequest } from './rest-types.ts'

/** What the answers are made from. */
export interface RestSource {
  readonly job: JobMaster | null
  /** Ended jobs, newest first. */
  readonly archive: readonly JobMaster[]
  readonly slots: SlotPool
  readonly disposal: SavepointDisposal
}

const DEFAULT_MAX_EXCEPTIONS = 20
const STOP_REMOVED = 'The termination mode "stop" is gone: use mode=cancel, or jobs/:jobid/stop to stop with a savepoint.'

export function answerRest(source: RestSource, request: RestRequest, now: EngineTime): RestAnswer {
  const [path = '', query = ''] = request.path.split('?')
  const parts = resolvePath(path.split('/').filter((part) => part !== '' && part !== 'v1'))
  if (parts === null) return notFound(path)
  if ('status' in parts) return parts
  const method = request.method ?? 'GET'
  const masters = source.job === null ? source.archive : [source.job, ...source.archive]
  if (parts[0] === 'overview' && parts.length === 1 && method === 'GET') return answer(overviewAnswer(source, masters))
  if (parts[0] === 'savepoint-disposal') return answerDisposal(source, { path, rest: parts.slice(1), query, method, body: request.body }, now)
  if (parts[0] !== 'jobs') return notFound(path)
  if (method === 'GET' && parts.length === 1) {
    return answer({ jobs: masters.map((master) => ({ id: master.job, status: master.status.status })) })
  }
  if (method === 'GET' && parts.length === 2 && parts[1] === 'overview') {
    return answer({ jobs: masters.map((master) => jobOverviewAnswer(master, now)) })
  }
  const metrics = method === 'GET' ? answerMetrics(masters, { parts: parts.slice(1), query }, now) : null
  if (metrics !== null) return metrics
  const id = parts[1] ?? ''
  const master = masters.find((candidate) => candidate.job === id)
  if (master === undefined) return failure(404, `Job ${id} not found`)
  return answerJob(source, master, { path, rest: parts.slice(2), query, method, body: request.body }, now)
}

interface JobRequest {
  readonly path: string
  readonly rest: readonly string[]
  readonly query: string
  readonly method: string
  readonly body: unknown
}

function answerJob(source: RestSource, master: JobMaster, request: JobRequest, now: EngineTime): RestAnswer {
  const { rest, method } = request
  if (rest.length === 0 && method === 'GET') return answer(jobAnswer(master, now))
  if (rest.length === 0 && method === 'PATCH') return cancelAnswer(source, master, request.query)
  if (rest[0] === 'checkpoints') return answerCheckpoints(source, master, request, now)
  if (rest[0] === 'savepoints' && method === 'POST' && rest.length === 1) return savepointTriggerAnswer(master, master === source.job, request.body, now)
  if (rest[0] === 'savepoints' && method === 'GET' && rest[1] !== undefined && rest.length === 2) return savepointStatusAnswer(master, rest[1])
  if (rest[0] === 'stop' && method === 'POST' && rest.length === 1) return stopAnswer(master, master === source.job, request.body, now)
  if (rest[0] === 'vertices' && method === 'GET') return answerVertex(master, request, now)
  if (rest.length !== 1 || method !== 'GET') return notFound(request.path)
  switch (rest[0]) {
    case 'exceptions': {
      const limit = intParameter(request.query, 'maxExceptions') ?? DEFAULT_MAX_EXCEPTIONS
      if (typeof limit !== 'number') return limit
      return answer(exceptionsAnswer(master, limit > 0 ? limit : DEFAULT_MAX_EXCEPTIONS))
    }
    case 'config':
      return answer(jobConfigAnswer(master))
    case 'plan':
      return answer({ plan: planAnswer(master.job, master.graph) })
    default:
      return notFound(request.path)
  }
}

function answerDisposal({ disposal }: RestSource, { rest, method, path, body }: JobRequest, now: EngineTime): RestAnswer {
  if (method === 'POST' && rest.length === 0) return disposalTriggerAnswer(disposal, body, now)
  return method === 'GET' && rest[0] !== undefined && rest.length === 1 ? disposalStatusAnswer(disposal, rest[0]) : notFound(path)
}

function answerVertex(master: JobMaster, { rest, path }: JobRequest, now: EngineTime): RestAnswer {
  const [, id = '', what] = rest
  const vertex = master.graph.vertices.find((candidate) => candidate.id === id)
  if (vertex === undefined) return failure(404, `Vertex ${id} not found`)
  if (what === undefined) return answer(vertexDetailsAnswer(master, vertex.id, now))
  return what === 'backpressure' && rest.length === 3 ? answer(backPressureAnswer(master, vertex.id, now)) : notFound(path)
}

function answerCheckpoints(source: RestSource, master: JobMaster, request: JobRequest, now: EngineTime): RestAnswer {
  const { statistics, operations } = master.coordinator
  const [, second, third, fourth, fifth] = request.rest
  if (request.method === 'POST' && second === undefined) return triggerAnswer(source, master, request.body, now)
  if (request.method !== 'GET') return notFound(request.path)
  if (second === undefined) return answer(checkpointsAnswer(statistics))
  if (second === 'config') return answer(checkpointConfigAnswer(master))
  if (second === 'details') {
    const stats = statistics.inHistory(Number(third))
    if (stats === null) return failure(404, `Could not find checkpointing statistics for checkpoint ${third}.`)
    if (fourth === undefined) return answer(checkpointAnswer(stats, true))
    const tasks = fourth === 'subtasks' && fifth !== undefined ? subtasksAnswer(stats, vertexId(fifth)) : null
    return tasks === null ? failure(404, `There is no checkpoint statistics for task ${fifth}.`) : answer(tasks)
  }
  const result = operations.get(second)
  if (result === null) return failure(404, `There is no savepoint or checkpoint operation with triggerId=${second} for job ${master.job}.`)
  if (result.status === 'IN_PROGRESS') return answer({ status: { id: 'IN_PROGRESS' }, operation: null })
  const operation =
    result.status === 'COMPLETED'
      ? { checkpointId: result.checkpointId }
      : { failureCause: { class: 'org.apache.flink.runtime.checkpoint.CheckpointException', 'stack-trace': result.message } }
  return answer({ status: { id: 'COMPLETED' }, operation })
}

/** POST `/jobs/:jobid/checkpoints` `{checkpointType, triggerId}` → `{request-id}`. */
function triggerAnswer(source: RestSource, master: JobMaster, body: unknown, now: EngineTime): RestAnswer {
  const { checkpointType = 'CONFIGURED', triggerId } = (body ?? {}) as { readonly checkpointType?: unknown; readonly triggerId?: unknown }
  if (checkpointType !== 'CONFIGURED' && checkpointType !== 'FULL' && checkpointType !== 'INCREMENTAL') {
    return failure(400, `checkpointType: ${JSON.stringify(checkpointType)} is none of CONFIGURED, FULL, INCREMENTAL.`)
  }
  const problem = triggerIdProblem(triggerId)
  if (problem !== null) return problem
  if (master !== source.job || isGloballyTerminal(master.status.status)) return failure(404, `Job ${master.job} has ended.`)
  const id = typeof triggerId === 'string' ? triggerId : freshTriggerId(master, now)
  const accepted = { status: 202, body: { 'request-id': id } }
  if (master.coordinator.operations.get(id) !== null) return accepted
  return { ...accepted, input: { type: 'trigger-checkpoint', triggerId: id, checkpointType } }
}

function cancelAnswer(source: RestSource, master: JobMaster, query: string): RestAnswer {
  const mode = parameter(query, 'mode') ?? 'cancel'
  if (mode.toLowerCase() === 'stop') return failure(308, STOP_REMOVED)
  if (mode.toLowerCase() !== 'cancel') return unreadable('query', 'mode', mode)
  if (master !== source.job || isGloballyTerminal(master.status.status)) {
    return failure(409, `Job cancellation failed because the job has already reached another terminal state (${master.status.status}).`)
  }
  return { status: 202, body: {}, input: { type: 'cancel' } }
}

function overviewAnswer(source: RestSource, masters: readonly JobMaster[]): unknown {
  const count = (predicate: (master: JobMaster) => boolean): number => masters.filter(predicate).length
  return {
    taskmanagers: source.slots.registered.length,
    'slots-total': source.slots.totalSlots,
    'slots-available': source.slots.totalSlots - source.slots.usedSlots,
    'jobs-running': count((master) => !isGloballyTerminal(master.status.status)),
    'jobs-finished': count((master) => master.status.status === 'FINISHED'),
    'jobs-cancelled': count((master) => master.status.status === 'CANCELED'),
    'jobs-failed': count((master) => master.status.status === 'FAILED'),
    'flink-version': '2.1',
    'flink-commit': 'weir',
  }
}

const notFound = (path: string): RestAnswer => failure(404, `Not found: ${path}`)
