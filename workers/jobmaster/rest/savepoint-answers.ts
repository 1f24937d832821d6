/**
 * Savepoints, stop with savepoint and disposal over REST. Flink: SavepointHandlers, SavepointDisposalHandlers (behaviour 19.2). Asked for with a POST,
 * asked after with a GET; the same `triggerId` again asks for nothing new.
 */
import { Prng, deriveSeed } from '../../base/prng.ts'
import type { OperationResult } from '../../coordinator/operations.ts'
import type { SavepointFormat } from '../../model/checkpoint.ts'
import { isGloballyTerminal } from '../../model/execution.ts'
import type { EngineTime } from '../../model/time.ts'
import type { JobMaster } from '../job-master.ts'
import type { JobManagerInput } from '../jobmaster-io.ts'
import type { SavepointDisposal } from '../savepoint-disposal.ts'
import { answer, failure } from './rest-answers.ts'
import type { RestAnswer } from './rest-types.ts'

type Body = Readonly<Record<string, unknown>>

/** Different at every moment and for every number of checkpoints so far. */
export const freshTriggerId = (master: JobMaster, now: EngineTime): string =>
  new Prng(deriveSeed(master.seed, `trigger ${now} ${master.coordinator.statistics.total}`)).hex(32)

/** Null, or what is wrong with it. */
export const triggerIdProblem = (triggerId: unknown): RestAnswer | null =>
  triggerId !== undefined && triggerId !== null && (typeof triggerId !== 'string' || !/^[0-9a-f]{32}$/.test(triggerId))
    ? failure(400, `triggerId: ${JSON.stringify(triggerId)} is not 32 hexadecimal digits.`)
    : null

/** POST `/jobs/:jobid/savepoints` `{target-directory, cancel-job, formatType, triggerId}` → `{request-id}`. */
export function savepointTriggerAnswer(master: JobMaster, isLive: boolean, body: unknown, now: EngineTime): RestAnswer {
  const { 'cancel-job': cancelJob = false, ...rest } = (body ?? {}) as Body
  if (typeof cancelJob !== 'boolean') return failure(400, `cancel-job: ${JSON.stringify(cancelJob)} is not true or false.`)
  return triggerAnswer(master, isLive, 'target-directory', rest, now, (wish) => ({ type: 'trigger-savepoint', ...wish, cancelJob }))
}

/** POST `/jobs/:jobid/stop` `{targetDirectory, drain, formatType, triggerId}` → `{request-id}`; asked after like a savepoint. */
export function stopAnswer(master: JobMaster, isLive: boolean, body: unknown, now: EngineTime): RestAnswer {
  const { drain = false, ...rest } = (body ?? {}) as Body
  if (typeof drain !== 'boolean') return failure(400, `drain: ${JSON.stringify(drain)} is not true or false.`)
  return triggerAnswer(master, isLive, 'targetDirectory', rest, now, (wish) => ({ type: 'stop-with-savepoint', ...wish, drain }))
}

interface Wish {
  readonly triggerId: string
  readonly directory: string | null
  readonly format: SavepointFormat
}

function triggerAnswer(
  master: JobMaster, isLive: boolean, field: 'target-directory' | 'targetDirectory', body: Body, now: EngineTime, inputOf: (wish: Wish) => JobManagerInput,
): RestAnswer {
  const { [field]: directory = null, formatType = 'CANONICAL', triggerId } = body
  const problem = triggerIdProblem(triggerId)
  if (problem !== null) return problem
  if (formatType !== 'CANONICAL' && formatType !== 'NATIVE') return failure(400, `formatType: ${JSON.stringify(formatType)} is none of CANONICAL, NATIVE.`)
  if (directory !== null && typeof directory !== 'string') return failure(400, `${field}: ${JSON.stringify(directory)} is not a text.`)
  if (!isLive || isGloballyTerminal(master.status.status)) return failure(404, `Job ${master.job} has ended.`)
  if (directory === null && master.graph.settings.checkpointing.savepointDir === null) {
    return failure(400, `Config key [execution.checkpointing.savepoint-dir] is not set. Property [${field}] must be provided.`)
  }
  const id = typeof triggerId === 'string' ? triggerId : freshTriggerId(master, now)
  const accepted = { status: 202, body: { 'request-id': id } }
  if (master.coordinator.operations.get(id) !== null) return accepted
  return { ...accepted, input: inputOf({ triggerId: id, directory, format: formatType }) }
}

/** GET `/jobs/:jobid/savepoints/:triggerid`. */
export function savepointStatusAnswer(master: JobMaster, triggerId: string): RestAnswer {
  const result = master.coordinator.operations.get(triggerId)
  if (result === null) return failure(404, `There is no savepoint operation with triggerId=${triggerId} for job ${master.job}.`)
  return operationAnswer(result, (location) => ({ location }))
}

/** POST `/savepoint-disposal` `{savepoint-path}` → `{request-id}`. */
export function disposalTriggerAnswer(disposal: SavepointDisposal, body: unknown, now: EngineTime): RestAnswer {
  const { 'savepoint-path': path } = (body ?? {}) as Body
  if (typeof path !== 'string' || path === '') return failure(400, 'savepoint-path: the path of the savepoint is missing.')
  const triggerId = new Prng(deriveSeed(1, `disposal ${now} ${path} ${disposal.operations.size}`)).hex(32)
  return { status: 202, body: { 'request-id': triggerId }, input: { type: 'dispose-savepoint', triggerId, path } }
}

/** GET `/savepoint-disposal/:triggerid`. */
export function disposalStatusAnswer(disposal: SavepointDisposal, triggerId: string): RestAnswer {
  const result = disposal.operations.get(triggerId)
  return result === null ? failure(404, `Operation not found under key: ${triggerId}`) : operationAnswer(result, () => ({}))
}

function operationAnswer(result: OperationResult, completed: (location: string) => object): RestAnswer {
  if (result.status === 'IN_PROGRESS') return answer({ status: { id: 'IN_PROGRESS' }, operation: null })
  const operation =
    result.status === 'COMPLETED'
      ? completed(result.location)
      : { 'failure-cause': { class: 'java.util.concurrent.CompletionException', 'stack-trace': result.message } }
  return answer({ status: { id: 'COMPLETED' }, operation })
}
