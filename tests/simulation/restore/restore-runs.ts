/** Jobs that are stopped and started again from a snapshot, on one simulated cluster. */
import { must } from '../../../workers/base/assert.ts'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import type { SavepointFormat } from '../../../workers/model/checkpoint.ts'
import type { JobDocument, OperatorDocument } from '../../../workers/model/job-document.ts'
import type { ClaimMode, SavepointRestoreSettings } from '../../../workers/model/restore.ts'
import { simulatorFor } from '../simulator-for.ts'

export const SECOND = 1_000_000
export const DIR = '/checkpoints'

export interface Shape {
  readonly parallelism?: number
  readonly maxParallelism?: number
  readonly config?: JobDocument['config']
  readonly rows?: number
  readonly rate?: number
}

/** source ×p → count by key ×p → transactional sink. */
export function wordJob({ parallelism = 2, maxParallelism, config = {}, rows = 400, rate = 100 }: Shape = {}): JobDocument {
  const words = Array.from({ length: rows }, (_, index) => [`word-${index % 17}`, index] as const)
  return {
    weir: 'job@1',
    name: 'words',
    config: {
      'execution.checkpointing.interval': '1 h',
      'execution.checkpointing.min-pause': '1 h',
      'execution.checkpointing.dir': `file://${DIR}`,
      'execution.checkpointing.externalized-checkpoint-retention': 'RETAIN_ON_CANCELLATION',
      'restart-strategy.type': 'fixed-delay',
      'restart-strategy.fixed-delay.attempts': 3,
      'restart-strategy.fixed-delay.delay': '10 ms',
      ...config,
    },
    topics: [{ name: 'in', partitions: 4, schema: { fields: { word: 'String', value: 'Int' } }, rows: words.map((row) => [...row]) }],
    operators: [
      { uid: 'source', type: 'log', parallelism, params: { topic: 'in', rate } },
      { uid: 'count', type: 'process-count', parallelism, ...(maxParallelism === undefined ? {} : { maxParallelism }) },
      { uid: 'out', type: 'two-phase-commit', parallelism },
    ],
    edges: [
      { from: 'source', to: 'count', ship: 'hash', by: ['word'] },
      { from: 'count', to: 'out', ship: 'rebalance' },
    ],
  }
}

export const withOperators = (document: JobDocument, change: (operator: OperatorDocument) => OperatorDocument): JobDocument => ({
  ...document,
  operators: document.operators.map(change),
})

export function start(document: JobDocument, seed = 1): Simulator {
  return simulatorFor(document, { seed })
}

export const restoreFrom = (path: string, claimMode: ClaimMode = 'NO_CLAIM', allowNonRestoredState = false): SavepointRestoreSettings => ({ path, claimMode, allowNonRestoredState })

/** Runs until the job has that status; the cause that the last status with one was told with. */
export function until(simulator: Simulator, status: string, seconds = 120): string {
  const { job } = simulator
  const changes = (): readonly { readonly to: string; readonly cause?: string }[] => simulator.events.flatMap(({ body }) => (body.type === 'JobStatusChanged' && body.job === job ? [body] : []))
  if (!simulator.runUntil(() => changes().at(-1)?.to === status, simulator.now + seconds * SECOND)) {
    throw new Error(`never ${status}: ${changes().map(({ to, cause }) => `${to} ${cause ?? ''}`).join(' → ')}`)
  }
  return changes().reduce((last, { cause }) => cause ?? last, '')
}

/** Runs until every task of the job runs. */
export function untilRunning(simulator: Simulator): void {
  const isRunning = (): boolean => {
    const executions = simulator.cluster.leader?.machine.executions ?? []
    return simulator.status === 'RUNNING' && executions.every(({ state }) => state === 'RUNNING' || state === 'FINISHED')
  }
  if (!simulator.runUntil(isRunning, simulator.now + 120 * SECOND)) throw new Error(`the job does not run: ${simulator.status ?? 'no job'}`)
}

function completion(simulator: Simulator): string {
  const event = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted' || body.type === 'CheckpointAborted' || body.type === 'CheckpointRequestRejected', simulator.now + 120 * SECOND)
  if (event?.body.type !== 'CheckpointCompleted') throw new Error(`no completion: ${JSON.stringify(event?.body)}`)
  simulator.runTo(simulator.now + SECOND / 10)
  return event.body.externalPath
}

export function savepoint(simulator: Simulator, format: SavepointFormat = 'CANONICAL'): string {
  simulator.triggerSavepoint('/savepoints', format)
  return completion(simulator)
}

export function checkpoint(simulator: Simulator): string {
  simulator.triggerCheckpoint()
  return completion(simulator)
}

/** Cancels the job and waits for its end. */
export function cancel(simulator: Simulator): void {
  simulator.cancel()
  until(simulator, 'CANCELED')
  simulator.runTo(simulator.now + SECOND / 10)
}

/** Everything has been read, a checkpoint has committed it. */
export function readAll(simulator: Simulator): void {
  simulator.runTo(simulator.now + 20 * SECOND)
  checkpoint(simulator)
  simulator.runTo(simulator.now + SECOND)
}

export const stateOf = (simulator: Simulator, uid = 'count'): Readonly<Record<string, string>> => Object.fromEntries([...must(simulator.keyedState(uid), uid)].sort())
export const committed = (simulator: Simulator): readonly string[] => simulator.sink('out').committed.map((row) => JSON.stringify(row)).sort()
