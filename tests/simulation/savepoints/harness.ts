/** source ×2 → count ×2 (keyed) → out: 50 rows a second from two partitions, counted, into a transactional sink. */
import { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import type { OperationResult } from '../../../workers/coordinator/operations.ts'
import type { EventOf, EventType } from '../../../workers/model/events.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import type { Savepoint } from '../../../workers/savepoint/model.ts'

export const SECOND = 1_000_000
export const C = 'execution.checkpointing.'
export const ROWS = 400

export function jobDocument(config: JobDocument['config'] = {}): JobDocument {
  const rows = Array.from({ length: ROWS }, (_, index) => ['abcdefgh'[index % 8]!, index] as const)
  return {
    weir: 'job@1',
    name: 'savepoints',
    config: {
      [`${C}interval`]: '1 s', [`${C}dir`]: '/checkpoints', 'restart-strategy.type': 'fixed-delay', 'restart-strategy.fixed-delay.attempts': 10,
      'restart-strategy.fixed-delay.delay': '100 ms', ...config,
    },
    topics: [{ name: 'in', partitions: 2, schema: { fields: { key: 'String', value: 'Int' } }, rows }],
    operators: [
      { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'in', rate: 25 } },
      { uid: 'count', type: 'process-count', parallelism: 2 },
      { uid: 'out', type: 'two-phase-commit' },
    ],
    edges: [
      { from: 'source', to: 'count', ship: 'hash', by: ['key'] },
      { from: 'count', to: 'out' },
    ],
  }
}

export function runner(config: JobDocument['config'] = {}, seed = 1, change: (document: JobDocument) => JobDocument = (document) => document): Simulator {
  const document = change(jobDocument(config))
  const rows = document.topics?.[0]?.rows as readonly (readonly [string, number])[]
  const partitions = [0, 1].map((partition) => rows.filter((_, index) => index % 2 === partition).map((row) => [...row]))
  return new Simulator({ document, seed, topics: [{ name: 'in', partitions }] })
}

export const all = <T extends EventType>(simulator: Simulator, type: T): EventOf<T>[] =>
  simulator.events.flatMap(({ body }) => (body.type === type ? [body as EventOf<T>] : []))

export const indexOf = (simulator: Simulator, type: EventType): number => simulator.events.findIndex(({ body }) => body.type === type)

/** Runs until the request is over. */
export function ended(simulator: Simulator, triggerId: string): Exclude<OperationResult, { status: 'IN_PROGRESS' }> {
  simulator.runUntil(() => (simulator.operation(triggerId)?.status ?? 'IN_PROGRESS') !== 'IN_PROGRESS', simulator.now + 300 * SECOND)
  const result = simulator.operation(triggerId)
  if (result === null || result.status === 'IN_PROGRESS') throw new Error(`the request is not over; the job is ${simulator.status ?? 'gone'}`)
  return result
}

export function located(result: OperationResult): string {
  if (result.status !== 'COMPLETED') throw new Error(JSON.stringify(result))
  return result.location
}

export const waitFor = (simulator: Simulator, type: EventType): void => {
  if (simulator.runUntilEvent(({ body }) => body.type === type, simulator.now + 300 * SECOND) === null) throw new Error(`no ${type}`)
}

export function metadataOf(simulator: Simulator, location: string): Savepoint {
  const result = simulator.cluster.storage.files.execute({ type: 'read', path: `${location}/_metadata` }, null)
  if (!result.ok || result.bytes === undefined) throw new Error(`${location}/_metadata is not there`)
  return readSavepoint(result.bytes)
}

/** Records that the sources have read. */
export const read = (simulator: Simulator): number =>
  simulator.tasks().filter((task) => task.deployment.gates.length === 0).reduce((sum, task) => sum + task.machine.report(simulator.now).recordsOut, 0)
