/** Gives the state of a checkpoint to the subtasks. Flink: StateAssignmentOperation, Checkpoints.loadAndValidateCheckpoint (behaviour 11.2, 12.2). */
import { err, ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { CompletedCheckpoint } from '../coordinator/completed-checkpoint.ts'
import type { TaskRestore } from '../model/deployment.ts'
import type { VertexId } from '../model/ids.ts'
import type { JobEdge } from '../model/job-graph.ts'
import type { OperatorRestoreState, OperatorState } from '../model/state-handles.ts'
import { assignChannelState, isRescaled } from '../state/channel-state-redistribution.ts'
import type { Exchange, Exchanges } from '../state/channel-state-redistribution.ts'
import { restoredMaxParallelism } from '../state/redistribution.ts'
import type { ExecutionGraph, ExecutionJobVertex } from './execution-graph.ts'
import type { JobManagerOptions } from './job-manager-options.ts'

export class RestoredState {
  readonly checkpoint: CompletedCheckpoint
  private readonly byTask = new Map<string, OperatorRestoreState[]>()

  constructor(checkpoint: CompletedCheckpoint) {
    this.checkpoint = checkpoint
  }

  add(vertex: VertexId, subtask: number, state: OperatorRestoreState): void {
    const key = `${vertex}_${subtask}`
    const list = this.byTask.get(key)
    if (list === undefined) this.byTask.set(key, [state])
    else list.push(state)
  }

  forTask(vertex: VertexId, subtask: number): TaskRestore {
    const { checkpointId, location } = this.checkpoint
    return { checkpointId, location, operators: this.byTask.get(`${vertex}_${subtask}`) ?? [] }
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
    const owner = graph.vertices.find(({ vertex }) => vertex.chain.some((operator) => operator.operatorId === state.operatorId))
    if (owner === undefined) {
      if (allowNonRestoredState || isStateless(state)) continue
      return err(unmapped(checkpoint, state))
    }
    const problem = adoptMaxParallelism(owner, state)
    if (problem !== null) return err(problem)
  }
  for (const owner of graph.vertices) {
    for (const { operatorId } of owner.vertex.chain) {
      const state = checkpoint.operatorStates.find((candidate) => candidate.operatorId === operatorId)
      if (state === undefined) continue
      const parts = assignState(state, owner.vertex.parallelism, owner.maxParallelism)
      const inFlight = assignInFlight(graph, owner, checkpoint, state)
      if (!inFlight.ok) return inFlight
      parts.forEach((part, subtask) => restored.add(owner.vertex.id, subtask, { ...part, ...inFlight.value[subtask] }))
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
  if (!state.subtasks.some(({ state: { inputChannel, resultSubpartition } }) => inputChannel !== undefined || resultSubpartition !== undefined)) return ok([])
  const exchanges = exchangesOf(graph, owner, checkpoint)
  const { vertex, maxParallelism } = owner
  const assigned = assignChannelState(state, vertex.parallelism, maxParallelism, exchanges)
  if (!assigned.ok) return assigned
  const isInFlightRescaled = isRescaled(state, vertex.parallelism, exchanges)
  return ok(assigned.value.map((part) => ({ ...part, isInFlightRescaled })))
}

function exchangesOf(graph: ExecutionGraph, { vertex }: ExecutionJobVertex, checkpoint: CompletedCheckpoint): Exchanges {
  const oldParallelism = (id: VertexId, now: number): number => {
    const operators = graph.vertex(id).vertex.chain
    return checkpoint.operatorStates.find(({ operatorId }) => operators.some((operator) => operator.operatorId === operatorId))?.parallelism ?? now
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

const isStateless = (state: OperatorState): boolean => state.subtasks.length === 0 && state.coordinatorState === null

function adoptMaxParallelism(owner: ExecutionJobVertex, state: OperatorState): string | null {
  if (isStateless(state)) return null
  const restored = restoredMaxParallelism(state, owner.vertex)
  if (!restored.ok) return restored.error
  owner.maxParallelism = restored.value
  return null
}

const unmapped = (checkpoint: CompletedCheckpoint, state: OperatorState): string =>
  `Failed to rollback to checkpoint/savepoint ${checkpoint.location}. Cannot map checkpoint/savepoint state for operator ${state.operatorId} ` +
  `("${state.uid}") to the new program, because the operator is not available in the new program. Allow non-restored state to skip it.`
