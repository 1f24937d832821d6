/** Gives the state of a checkpoint to the subtasks. Flink: StateAssignmentOperation, Checkpoints.loadAndValidateCheckpoint (behaviour 11.2, 12.2). */
import { err, ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { CompletedCheckpoint } from '../coordinator/completed-checkpoint.ts'
import type { TaskRestore } from '../model/deployment.ts'
import type { VertexId } from '../model/ids.ts'
import type { JobEdge, OperatorDescription } from '../model/job-graph.ts'
import type { ChannelStateHandle, OperatorRestoreState, OperatorState } from '../model/state-handles.ts'
import { assignChannelState, isRescaled } from '../state/channel-state-redistribution.ts'
import type { Exchange, Exchanges } from '../state/channel-state-redistribution.ts'
import { MAX_PARALLELISM_UPPER_BOUND } from '../state/key-groups.ts'
import { restoredMaxParallelism } from '../state/redistribution.ts'
import type { ExecutionGraph, ExecutionJobVertex } from './execution-graph.ts'
import type { JobManagerOptions } from './job-manager-options.ts'

export class RestoredState {
  readonly checkpoint: CompletedCheckpoint
  private readonly byTask = new Map<string, OperatorRestoreState[]>()
  private readonly finished = new Set<VertexId>()

  constructor(checkpoint: CompletedCheckpoint) {
    this.checkpoint = checkpoint
  }

  add(vertex: VertexId, subtask: number, state: OperatorRestoreState): void {
    const key = `${vertex}_${subtask}`
    const list = this.byTask.get(key)
    if (list === undefined) this.byTask.set(key, [state])
    else list.push(state)
  }

  /** All operators of the vertex had finished: its tasks take no state. */
  addFinished(vertex: VertexId): void {
    this.finished.add(vertex)
  }

  forTask(vertex: VertexId, subtask: number): TaskRestore {
    const { checkpointId, location } = this.checkpoint
    const restore = { checkpointId, location, operators: this.byTask.get(`${vertex}_${subtask}`) ?? [] }
    return this.finished.has(vertex) ? { ...restore, isFinished: true } : restore
  }
}

/** Checks the snapshot against the job and deals it out; a derived max parallelism is replaced by the snapshot's. */
export function assignCheckpoint(
  graph: ExecutionGraph,
  checkpoint: CompletedCheckpoint,
  assignState: JobManagerOptions['assignState'],
  allowNonRestoredState: boolean,
): Result<RestoredState, string> {
  const restored = new RestoredState(checkpoint)
  for (const state of checkpoint.operatorStates) {
    const owner = graph.vertices.find(({ vertex }) => vertex.chain.some((operator) => isStateOf(state, operator)))
    if (owner === undefined) {
      if (allowNonRestoredState || isStateless(state)) continue
      return err(unmapped(checkpoint, state))
    }
    const problem = adoptMaxParallelism(owner, state)
    if (problem !== null) return err(problem)
  }
  for (const owner of graph.vertices) {
    const { chain } = owner.vertex
    if (chain.every((operator) => stateOf(checkpoint, operator)?.fullyFinished === true)) {
      restored.addFinished(owner.vertex.id)
      continue
    }
    for (const operator of chain) {
      const state = stateOf(checkpoint, operator)
      if (state === undefined) continue
      const { operatorId } = operator
      const parts = assignState(state, owner.vertex.parallelism, owner.maxParallelism)
      const inFlight = assignInFlight(graph, owner, checkpoint, state)
      if (!inFlight.ok) return inFlight
      parts.forEach((part, subtask) => restored.add(owner.vertex.id, subtask, { ...part, ...inFlight.value[subtask], operatorId }))
    }
  }
  return ok(restored)
}

/** Flink: StateAssignmentOperation, where there is any in-flight data at all (behaviour 11.4). */
function assignInFlight(
  graph: ExecutionGraph,
  owner: ExecutionJobVertex,
  checkpoint: CompletedCheckpoint,
  state: OperatorState,
): Result<readonly Partial<OperatorRestoreState>[], string> {
  // Left behind on purpose, with the records in it (behaviour 11.4).
  if (graph.graph.settings.recovery.withoutChannelStateOf === checkpoint.checkpointId) return ok([])
  if (!state.subtasks.some(({ state: { inputChannel, resultSubpartition } }) => inputChannel !== undefined || resultSubpartition !== undefined)) return ok([])
  const exchanges = exchangesOf(graph, owner, checkpoint)
  const { vertex, maxParallelism } = owner
  const assigned = assignChannelState(withOtherSides(graph, owner, checkpoint, state), vertex.parallelism, maxParallelism, exchanges)
  if (!assigned.ok) return assigned
  const isInFlightRescaled = isRescaled(state, vertex.parallelism, exchanges)
  return ok(assigned.value.map((part) => ({ ...part, isInFlightRescaled })))
}

/**
 * Each channel knows the other half of its in-flight data, since a record may be cut between the two. The senders of a hash or rebalance edge
 * are the channels of the receiver's gate, its subtasks the subpartitions of the sender.
 */
function withOtherSides(graph: ExecutionGraph, { vertex }: ExecutionJobVertex, checkpoint: CompletedCheckpoint, state: OperatorState): OperatorState {
  const { edges } = graph.graph
  const inputs = edges.filter((edge) => edge.to === vertex.id)
  const outputs = edges.filter((edge) => edge.from === vertex.id)
  const held = (id: VertexId, end: 0 | -1, side: 'inputChannel' | 'resultSubpartition', [subtask, major, minor]: readonly number[]): ChannelStateHandle | undefined => {
    const operator = graph.vertex(id).vertex.chain.at(end)
    const of = operator === undefined ? undefined : stateOf(checkpoint, operator)?.subtasks.find(({ index }) => index === subtask)
    return of?.state[side]?.find((handle) => handle.major === major && handle.minor === minor)
  }
  const input = (handle: ChannelStateHandle, index: number): ChannelStateHandle => {
    const edge = inputs[handle.major]
    if (edge === undefined) return handle
    const partition = edges.filter(({ from }) => from === edge.from).indexOf(edge)
    return held(edge.from, -1, 'resultSubpartition', [handle.minor, partition, index]) === undefined ? handle : { ...handle, isContinued: true }
  }
  const output = (handle: ChannelStateHandle, index: number): ChannelStateHandle => {
    const edge = outputs[handle.major]
    if (edge === undefined) return handle
    const gate = edges.filter(({ to }) => to === edge.to).indexOf(edge)
    const before = held(edge.to, 0, 'inputChannel', [handle.minor, gate, index])
    return before === undefined ? handle : { ...handle, continues: { offsets: before.offsets, size: before.size, stream: before.stream } }
  }
  const subtasks = state.subtasks.map(({ index, state: { inputChannel, resultSubpartition, ...rest } }) => ({
    index,
    state: {
      ...rest,
      ...(inputChannel === undefined ? {} : { inputChannel: inputChannel.map((handle) => input(handle, index)) }),
      ...(resultSubpartition === undefined ? {} : { resultSubpartition: resultSubpartition.map((handle) => output(handle, index)) }),
    },
  }))
  return { ...state, subtasks }
}

function exchangesOf(graph: ExecutionGraph, { vertex }: ExecutionJobVertex, checkpoint: CompletedCheckpoint): Exchanges {
  const oldParallelism = (id: VertexId, now: number): number => {
    const operators = graph.vertex(id).vertex.chain
    return checkpoint.operatorStates.find((state) => operators.some((operator) => isStateOf(state, operator)))?.parallelism ?? now
  }
  const exchange = (edge: JobEdge, peer: VertexId): Exchange => {
    const { parallelism } = graph.vertex(peer).vertex
    return { ship: edge.ship, parallelism, oldParallelism: oldParallelism(peer, parallelism) }
  }
  const { edges } = graph.graph
  return {
    inputs: edges.filter((edge) => edge.to === vertex.id).map((edge) => exchange(edge, edge.from)),
    outputs: edges.filter((edge) => edge.from === vertex.id).map((edge) => exchange(edge, edge.to)),
  }
}

type Identified = Pick<OperatorDescription, 'operatorId' | 'uidHash'>

const isStateOf = ({ operatorId }: OperatorState, operator: Identified): boolean => operatorId === operator.operatorId || operatorId === operator.uidHash

/** The state of an operator: by the hash that was set by hand, if the snapshot has it, else by its own id (behaviour 12.1). */
export const stateOf = ({ operatorStates }: Pick<CompletedCheckpoint, 'operatorStates'>, operator: Identified): OperatorState | undefined =>
  operatorStates.find(({ operatorId }) => operatorId === operator.uidHash) ?? operatorStates.find(({ operatorId }) => operatorId === operator.operatorId)

export const isStateless = (state: OperatorState): boolean => state.subtasks.length === 0 && state.coordinatorState === null

/** Checked also for operators without keyed state, or without any: Flink does so for every operator that is in both. */
function adoptMaxParallelism(owner: ExecutionJobVertex, state: OperatorState): string | null {
  // Flink: KeyGroupRangeAssignment.checkParallelismPreconditions. A damaged file must not make key groups without end.
  if (state.maxParallelism > MAX_PARALLELISM_UPPER_BOUND || state.parallelism > state.maxParallelism) {
    return `Operator ${state.operatorId} of the snapshot has parallelism ${state.parallelism} and max parallelism ${state.maxParallelism}, which is not within 1 to ${MAX_PARALLELISM_UPPER_BOUND}.`
  }
  const restored = restoredMaxParallelism(state, owner.vertex)
  if (!restored.ok) return restored.error
  owner.maxParallelism = restored.value
  return null
}

const unmapped = (checkpoint: CompletedCheckpoint, state: OperatorState): string =>
  `Failed to rollback to checkpoint/savepoint ${checkpoint.location}. Cannot map checkpoint/savepoint state for operator ${state.operatorId} ` +
  `("${state.uid}", ${sizeOf(state)} bytes) to the new program, because the operator is not available in the new program. If you want to allow to skip this, ` +
  'you can set the --allowNonRestoredState option on the CLI.'

/** Bytes that the handles of an operator name, and what its coordinator holds. */
export function sizeOf(operator: OperatorState): number {
  const streams = new Map<string, number>()
  let inline = operator.coordinatorState?.length ?? 0
  for (const { state } of operator.subtasks) {
    for (const { stream } of [state.managedKeyed, state.managedOperator, ...(state.inputChannel ?? []), ...(state.resultSubpartition ?? [])].filter((handle) => handle !== null)) {
      if (stream.kind === 'bytes') inline += stream.bytes.length
      else streams.set(stream.kind === 'file' ? stream.path : stream.name, stream.size)
    }
  }
  return [...streams.values()].reduce((sum, size) => sum + size, inline)
}
