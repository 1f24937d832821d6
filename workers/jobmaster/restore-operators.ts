/** The operators of a snapshot and of a job, joined by their ids: what becomes of each (behaviour 12.1, 12.2). */
import type { JobGraph, OperatorDescription } from '../model/job-graph.ts'
import type { SavepointRestoreSettings } from '../model/restore.ts'
import type { OperatorOutcome, OperatorSide, OperatorVerdict } from '../model/restore-verdict.ts'
import type { KeyGroupRange, OperatorState } from '../model/state-handles.ts'
import { decodeTransactionState, TRANSACTION_STATE } from '../operators/sinks/transaction-state.ts'
import type { SnapshotMetadata } from '../savepoint/snapshot-metadata.ts'
import { keyGroupRange, MAX_PARALLELISM_UPPER_BOUND } from '../state/key-groups.ts'
import { readElements } from '../state/operator-state.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { UnsafeLongError } from '../state/serializers/unsafe-long.ts'
import type { ExecutionGraph, ExecutionJobVertex } from './execution-graph.ts'
import type { OperatorFindings } from './restore-states.ts'
import { isStateless, sizeOf, stateOf } from './state-assignment.ts'

export interface JoinedOperators {
  readonly executions: ExecutionGraph
  readonly metadata: SnapshotMetadata
  readonly settings: Omit<SavepointRestoreSettings, 'path'>
  readonly findings: ReadonlyMap<string, OperatorFindings>
  /** Why the JobManager refuses; null: it does not. */
  readonly startProblem: string | null
}

/** In the order of the job, then what is in the snapshot alone. */
export function operatorVerdicts(joined: JoinedOperators): readonly OperatorVerdict[] {
  const { executions, metadata } = joined
  const snapshot = { operatorStates: metadata.operators }
  const matched = new Set<OperatorState>()
  const own = executions.vertices.flatMap((owner) =>
    owner.vertex.chain.map((operator) => {
      const state = stateOf(snapshot, operator)
      if (state !== undefined) matched.add(state)
      return state === undefined ? emptyVerdict(operator, owner) : matchedVerdict(operator, owner, state, joined)
    }),
  )
  return [...own, ...metadata.operators.flatMap((state) => (matched.has(state) ? [] : [unmatchedVerdict(state, joined.settings)]))]
}

const newSide = ({ uid, name, type }: OperatorDescription, { vertex, maxParallelism }: ExecutionJobVertex): OperatorSide => ({
  uid, name, type, parallelism: vertex.parallelism, maxParallelism, size: 0,
})
const oldSide = (state: OperatorState): OperatorSide => {
  const { uid, name, parallelism, maxParallelism } = state
  return { uid, name, type: '', parallelism, maxParallelism, size: sizeOf(state) }
}

function emptyVerdict(operator: OperatorDescription, owner: ExecutionJobVertex): OperatorVerdict {
  const { operatorId } = operator
  const reason = 'the snapshot does not know it: it starts empty'
  return { operatorId, outcome: 'empty', old: null, new: newSide(operator, owner), reason, states: [], keyGroups: null }
}

function unmatchedVerdict(state: OperatorState, { allowNonRestoredState }: JoinedOperators['settings']): OperatorVerdict {
  const outcome: OperatorOutcome = isStateless(state) ? 'ignored' : 'dropped'
  const name = state.uid === '' ? 'no operator of the job has this id' : `no operator of the job has the uid "${state.uid}"`
  const reason = outcome === 'ignored' ? `${name}; it has no state` : allowNonRestoredState ? `${name}: its state is left behind` : `${name}, and state may not be left behind`
  return { operatorId: state.operatorId, outcome, old: oldSide(state), new: null, reason, states: [], keyGroups: null }
}

function matchedVerdict(operator: OperatorDescription, owner: ExecutionJobVertex, state: OperatorState, joined: JoinedOperators): OperatorVerdict {
  const found = joined.findings.get(operator.operatorId)
  // The JobManager's sentence names the operator, or the task that it runs in.
  const { startProblem } = joined
  const isNamed = startProblem !== null && (startProblem.includes(state.operatorId) || startProblem.includes(`task ${owner.vertex.name}`) || startProblem.includes(owner.vertex.id))
  const refusal = found?.refusal ?? (isNamed ? startProblem : null)
  return {
    operatorId: operator.operatorId,
    outcome: refusal === null ? 'restored' : 'refused',
    old: oldSide(state),
    new: newSide(operator, owner),
    reason: refusal ?? changes(state, owner),
    states: found?.states ?? [],
    keyGroups: keyGroupsOf(state, owner),
  }
}

function changes(state: OperatorState, { vertex, maxParallelism }: ExecutionJobVertex): string {
  const parts: string[] = []
  if (state.fullyFinished === true) return 'had finished, and is restored as finished'
  if (state.parallelism !== vertex.parallelism) parts.push(`re-cut from ${state.parallelism} to ${vertex.parallelism} subtasks`)
  if (vertex.maxParallelism !== maxParallelism) parts.push(`max parallelism ${maxParallelism} of the snapshot instead of ${vertex.maxParallelism}`)
  const finished = state.finishedSubtasks?.length ?? 0
  if (finished > 0) parts.push(`${finished} of ${state.parallelism} subtasks had finished`)
  return parts.length === 0 ? 'as it was' : parts.join('; ')
}

function keyGroupsOf(state: OperatorState, { vertex, maxParallelism }: ExecutionJobVertex): OperatorVerdict['keyGroups'] {
  if (state.subtasks.every((subtask) => subtask.state.managedKeyed === null) || state.parallelism > state.maxParallelism || state.maxParallelism > MAX_PARALLELISM_UPPER_BOUND) return null
  const ranges = (parallelism: number, max: number): KeyGroupRange[] => Array.from({ length: parallelism }, (_, subtask) => keyGroupRange(subtask, parallelism, max))
  return { old: ranges(state.parallelism, state.maxParallelism), new: vertex.parallelism > maxParallelism ? [] : ranges(vertex.parallelism, maxParallelism) }
}

const OWNERSHIP: Readonly<Record<SavepointRestoreSettings['claimMode'], string>> = {
  NO_CLAIM: 'The snapshot stays the user’s: the first checkpoint is a full one, and once it has completed the snapshot may be deleted by hand.',
  CLAIM: 'The snapshot becomes the job’s: it is deleted like a checkpoint when newer ones have replaced it.',
  LEGACY: 'The snapshot is never deleted by the job, but later checkpoints may refer to its files for ever.',
}

/** What else is worth knowing. */
export function verdictNotes(
  metadata: SnapshotMetadata,
  operators: readonly OperatorVerdict[],
  graph: JobGraph,
  { claimMode }: JoinedOperators['settings'],
  location: string,
): readonly string[] {
  const notes = [OWNERSHIP[claimMode]]
  const states = metadata.operators.flatMap((operator) => operator.subtasks.map(({ state }) => state))
  const streams = states.flatMap((state) => [state.managedKeyed, state.managedOperator, ...(state.inputChannel ?? []), ...(state.resultSubpartition ?? [])])
  const absolute = streams.filter((handle) => handle?.stream.kind === 'file').length
  if (absolute > 0) notes.push(`${absolute} handles name their files by absolute paths: they are looked for there, not below ${location}.`)
  const inFlight = states.reduce((sum, state) => sum + (state.inputChannel?.length ?? 0) + (state.resultSubpartition?.length ?? 0), 0)
  if (inFlight > 0) {
    const isDropped = graph.settings.recovery.withoutChannelStateOf === metadata.checkpointId
    notes.push(isDropped ? `In-flight data of ${inFlight} channels is left behind, as the job’s options say: its records are lost.` : `In-flight data of ${inFlight} channels comes back before anything new.`)
  }
  for (const operator of operators) {
    const state = metadata.operators.find(({ operatorId }) => operatorId === operator.operatorId) ?? metadata.operators.find(({ uid }) => uid !== '' && uid === operator.old?.uid)
    const note = state === undefined ? null : transactionNote(state, operator)
    if (note !== null) notes.push(note)
  }
  return notes
}

/** Transactions whose checkpoint had completed, or is this one: they are committed by the restore, or never (behaviour 16.1). */
function transactionNote(state: OperatorState, operator: OperatorVerdict): string | null {
  const isSink = operator.outcome === 'dropped' || operator.new?.type === 'two-phase-commit'
  const pending = isSink ? pendingTransactions(state) : []
  if (pending.length === 0) return null
  const rows = pending.reduce((sum, count) => sum + count, 0)
  const what = `${pending.length} ${pending.length === 1 ? 'transaction' : 'transactions'} with ${rows} rows`
  const name = operator.old?.uid === '' ? operator.operatorId : (operator.old?.uid ?? operator.operatorId)
  return operator.outcome === 'dropped' ? `"${name}" holds ${what} that may wait for their commit: left behind, they are never committed.` : `"${name}" commits ${what} when it is restored, if the sink still knows ${pending.length === 1 ? 'it' : 'them'}: not in another browser, nor after a start without a snapshot.`
}

/** Rows of each; of state in `_metadata` itself alone, which is where little state is. */
function pendingTransactions(state: OperatorState): readonly number[] {
  return state.subtasks.flatMap(({ state: { managedOperator } }) => {
    const list = managedOperator?.states.find(({ name }) => name === TRANSACTION_STATE)
    if (managedOperator === null || list === undefined || managedOperator.stream.kind !== 'bytes') return []
    try {
      return readElements(new DataInput(managedOperator.stream.bytes), TRANSACTION_STATE, list.offsets).flatMap((element) => decodeTransactionState(element).pending.map(({ rows }) => rows))
    } catch (error) {
      if (!(error instanceof FormatError) && !(error instanceof UnsafeLongError)) throw error
      return []
    }
  })
}
