/** A small word count under pressure, its counts, and what a restore from one of its snapshots brings back. */
import type { TaskRestore, TaskSettings } from '../../../workers/model/deployment.ts'
import { assignChannelState } from '../../../workers/state/channel-state-redistribution.ts'
import type { StreamTaskEnvironment } from '../../../workers/task/task-environment.ts'
import type { Exchange } from '../../../workers/state/channel-state-redistribution.ts'
import type { OperatorState } from '../../../workers/model/state-handles.ts'
import { assignState } from '../../../workers/state/redistribution.ts'
import { deployments, operator } from './test-job.ts'
import { ENVIRONMENT, TestHost } from './test-host.ts'

export const WORDS = Array.from({ length: 300 }, (_, i) => `w${(i * 7) % 23}`)

export interface WordCountOptions {
  readonly settings?: Partial<TaskSettings>
  readonly counters?: number
  readonly attemptNumber?: number
  /** Engine time that a counter takes for a record. */
  readonly costMicros?: number
  readonly restore?: (name: string, subtask: number) => TaskRestore | null
}

export const wordCount = ({ settings = {}, counters = 2, costMicros = 0, attemptNumber = 0, restore }: WordCountOptions = {}) =>
  deployments(
    [
      { name: 'source', parallelism: 2, chain: [operator('list', 'list', { params: { items: WORDS } })] },
      { name: 'count', parallelism: counters, chain: [operator('count', 'count', { costMicros })] },
      { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
    ],
    [
      { from: 'source', to: 'count', ship: 'hash' },
      { from: 'count', to: 'sink', ship: 'rebalance' },
    ],
    { segmentBytes: 96, unalignedEnabled: true, ...settings },
    { attemptNumber, ...(restore === undefined ? {} : { restore }) },
  )

export function hostOf(options: WordCountOptions, seed: number, environment: StreamTaskEnvironment = ENVIRONMENT): TestHost {
  return new TestHost(wordCount(options), seed, environment)
}

export function counts(host: TestHost): Record<string, number> {
  const result: [string, number][] = []
  for (const task of host.tasks) {
    for (const row of task.machine.keyedEntries('count') ?? []) result.push([row.key as string, row.value as number])
  }
  return Object.fromEntries(result.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Every record of both sources counted once: what a run without a failure ends with. */
export const exact = (): Record<string, number> => counts(hostOf({}, 1).start().settle())

const PARALLELISM: Readonly<Record<string, number>> = { source: 2, count: 2, sink: 1 }

/** As the JobManager assigns it: by operator, with a changed number of counters too. */
export function restoreOf(host: TestHost, id: number, counters = 2): (name: string, subtask: number) => TaskRestore {
  const exchange = (ship: Exchange['ship'], parallelism: number, oldParallelism: number): Exchange => ({ ship, parallelism, oldParallelism })
  const exchanges = {
    source: { inputs: [], outputs: [exchange('hash', counters, 2)] },
    count: { inputs: [exchange('hash', 2, 2)], outputs: [exchange('rebalance', 1, 1)] },
    sink: { inputs: [exchange('rebalance', counters, 2)], outputs: [] },
  }
  return (name, subtask) => {
    const parallelism = PARALLELISM[name] ?? 1
    const subtasks = host.acknowledgements(id).flatMap((message) => {
      const [vertex, index] = message.attempt.split('_')
      const own = message.snapshot.operators[0]
      return vertex === name && own !== undefined ? [{ index: Number(index), state: own.state, operatorId: own.operatorId }] : []
    })
    const operatorId = subtasks[0]?.operatorId
    const location = `/cp/chk-${id}`
    if (operatorId === undefined) return { checkpointId: id, location, operators: [] }
    const old: OperatorState = { name, uid: name, operatorId, parallelism, maxParallelism: 128, coordinatorState: null, subtasks }
    const now = name === 'count' ? counters : parallelism
    const assigned = assignChannelState(old, now, 128, exchanges[name as keyof typeof exchanges])
    if (!assigned.ok) throw new Error(assigned.error)
    const part = { ...assignState(old, now, 128)[subtask], ...assigned.value[subtask], isInFlightRescaled: counters !== 2 }
    return { checkpointId: id, location, operators: [part as TaskRestore['operators'][number]] }
  }
}

export function restored(host: TestHost, id: number, seed: number, options: WordCountOptions = {}): TestHost {
  const again = hostOf({ ...options, attemptNumber: 1, restore: restoreOf(host, id, options.counters) }, seed)
  for (const [path, bytes] of host.files) again.files.set(path, bytes)
  return again.start()
}

export const persistedBytes = (host: TestHost, id: number): number =>
  host.acknowledgements(id).reduce((sum, { metrics }) => sum + metrics.persistedBytes, 0)
