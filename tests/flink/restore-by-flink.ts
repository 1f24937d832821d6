/** Real Flink starts a job from a snapshot; what it then holds is compared with what the reader here says that the snapshot holds. */
import { keyGroupRange } from '../../workers/state/key-groups.ts'
import { check, difference } from './checks.ts'
import { entriesOf, isOfOperator, keyedLine, operatorLine } from './entries.ts'
import type { Entry } from './entries.ts'
import { openSnapshotAt } from './open-snapshot-at.ts'
import { operatorSpecs } from './real-flink.ts'
import type { RealFlink, RestoreAnswer, RestoreRequest } from './real-flink.ts'

/** A snapshot on the disk, and who may hold what. `entries` absent: as the reader says. */
export interface ToRestore {
  readonly name: string
  readonly path: string
  readonly entries?: readonly Entry[]
  /** Where names and uids of operators are read from: old versions have none. */
  readonly operatorsOf?: string
  /** Absent: both. A native snapshot is for the backend that wrote it. */
  readonly backend?: 'hashmap' | 'rocksdb'
}

const BACKENDS = ['hashmap', 'rocksdb'] as const
/** Fewer and more subtasks than any snapshot here has. */
const PARALLELISMS = [1, 3] as const

export function checkRestores(flink: RealFlink, snapshots: readonly ToRestore[]): void {
  const requests = snapshots.flatMap(({ name, path, operatorsOf = path, backend: only }) => {
    const operators = operatorSpecs(openSnapshotAt(operatorsOf).view)
    return BACKENDS.filter((backend) => only === undefined || backend === only).flatMap((backend) => PARALLELISMS.map((parallelism): RestoreRequest => ({ name: `${name}, restored by Flink on ${backend} at parallelism ${parallelism}`, snapshot: path, backend, parallelism, operators })))
  })
  const answers = flink.restore(requests)
  requests.forEach((request, i) => {
    const held = snapshots.find((one) => one.path === request.snapshot)?.entries ?? entriesOf(openSnapshotAt(request.snapshot).view)
    const answer = answers[i]
    check(`${request.name}: ${held.length} entries`, answer === undefined ? ['no answer'] : problems(request, answer, held))
  })
}

const FIRED = 'fired'
const EVENT_TIMERS = '_timer_state/event_'

function problems(request: RestoreRequest, answer: RestoreAnswer, held: readonly Entry[]): string[] {
  if (answer.entries === undefined) return [answer.failure ?? 'no entries']
  const fired = answer.entries.filter((entry) => entry.state === FIRED)
  const restored = answer.entries.filter((entry) => entry.state !== FIRED)
  const whose = ['the snapshot', 'Flink'] as const
  return [
    ...difference(held.filter((entry) => !isOfOperator(entry)).map(keyedLine), restored.filter((entry) => !isOfOperator(entry)).map(keyedLine), whose),
    ...difference(distributed(request, held), restored.filter(isOfOperator).map((entry) => operatorLine(entry, isCopied(request, entry) ? entry.subtask : null)), whose),
    // At the end of input every timer of event time fires once, wherever it was restored.
    ...difference(held.filter((entry) => entry.state.startsWith(EVENT_TIMERS)).map((entry) => timerLine(entry)), fired.map(timerLine), whose),
    ...misplaced(request, restored),
  ]
}

const timerLine = (entry: Entry): string => `${entry.uid} timer of ${entry.key} in ${entry.namespace} at ${entry.value}`
const kindOf = (request: RestoreRequest, entry: Entry): string => request.operators.find((operator) => operator.uid === entry.uid)?.states.find((state) => state.name === entry.state)?.kind ?? ''
/** Every new subtask gets all of it. */
const isCopied = (request: RestoreRequest, entry: Entry): boolean => ['union', 'broadcast'].includes(kindOf(request, entry))

/** Operator state as it must stand after redistribution: lists are dealt out, unions and broadcast state are with every subtask. */
function distributed(request: RestoreRequest, held: readonly Entry[]): string[] {
  return held.filter(isOfOperator).flatMap((entry) => {
    if (!isCopied(request, entry)) return [operatorLine(entry, null)]
    const isFirstCopy = kindOf(request, entry) === 'union' || entry.subtask === 0
    return isFirstCopy ? Array.from({ length: request.parallelism }, (_, subtask) => operatorLine(entry, subtask)) : []
  })
}

/** Keys that Flink holds in another subtask than the rule here puts them. */
function misplaced(request: RestoreRequest, restored: readonly Entry[]): string[] {
  return restored
    .filter((entry) => !isOfOperator(entry))
    .filter((entry) => {
      const maxParallelism = request.operators.find((operator) => operator.uid === entry.uid)?.maxParallelism ?? 0
      const range = keyGroupRange(entry.subtask, request.parallelism, maxParallelism)
      return entry.keyGroup < range.start || entry.keyGroup > range.end
    })
    .map((entry) => `Flink has ${keyedLine(entry)} in subtask ${entry.subtask}`)
}
