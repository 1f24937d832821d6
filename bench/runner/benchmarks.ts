/** All benchmarks in the order in which they are run, and which goals each answers. */
import { barrierTime } from './barrier.ts'
import { snapshotStop } from './checkpoint.ts'
import { counterStop } from './counter-stop.ts'
import type { Measuring } from './interleaved.ts'
import { largeCheckpoint } from './large-checkpoint.ts'
import { againstOthers } from './others.ts'
import type { Row } from './row.ts'
import { manySubtasks } from './subtasks.ts'
import { movingTokens } from './tokens.ts'
import { againstByHand, bigState, checkpointModes, inFront, withCheckpoints } from './word-count.ts'

export interface Benchmark {
  readonly name: string
  readonly about: string
  /** A row for each of them, else the benchmark has failed. */
  readonly goals: readonly number[]
  measure(this: void, measuring: Measuring): Promise<readonly Row[]>
}

export const BENCHMARKS: readonly Benchmark[] = [
  { name: 'word-count', about: 'the engine against the same pipeline by hand', goals: [1], measure: againstByHand },
  { name: 'word-count-checkpoints', about: 'the engine against itself without checkpoints, 10,000 keys', goals: [2, 3], measure: withCheckpoints },
  { name: 'others', about: 'the engine, also with a checkpoint each second, against RxJS and others', goals: [11, 12, 13, 14], measure: againstOthers },
  { name: 'modes', about: 'what alignment costs', goals: [], measure: checkpointModes },
  { name: 'snapshot-stop', about: 'how long a snapshot stops a lone backend', goals: [6, 7, 8], measure: snapshotStop },
  { name: 'counter-stop', about: 'how long a checkpoint stops a counter of the running job', goals: [], measure: counterStop },
  { name: 'big-state', about: '1,000,000 keys on the heap, checkpoints into IndexedDB', goals: [4, 5], measure: bigState },
  { name: 'large-checkpoint', about: '100 MiB into IndexedDB, against hand-written code', goals: [9], measure: largeCheckpoint },
  { name: 'barrier', about: 'a barrier from source to sink under full load', goals: [10], measure: barrierTime },
  { name: 'subtasks', about: '64 subtasks: their start and their memory', goals: [19, 20], measure: manySubtasks },
  { name: 'tokens', about: 'a picture with 1,000 moving tokens', goals: [21], measure: movingTokens },
  { name: 'in-front', about: 'the engine under its own picture', goals: [22], measure: inFront },
]

export const NAMES: readonly string[] = BENCHMARKS.map(({ name }) => name)

/** Throws when a goal that the benchmark says it answers has no row. */
export function checkGoals({ name, goals }: Pick<Benchmark, 'name' | 'goals'>, rows: readonly Row[]): void {
  const missing = goals.find((goal) => !rows.some((row) => row.goal?.number === goal))
  if (missing !== undefined) throw new Error(`${name} has no row for goal ${missing}`)
}

export function listed(): string {
  const width = Math.max(...NAMES.map((name) => name.length))
  return BENCHMARKS.map(({ name, about, goals }) => `${name.padEnd(width)}  ${about}${goals.length === 0 ? '' : `; goal${goals.length > 1 ? 's' : ''} ${goals.join(', ')}`}`).join('\n')
}
