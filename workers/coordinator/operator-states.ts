/** Puts the acknowledged parts together: one OperatorState per operator of the job. Flink: PendingCheckpoint.updateOperatorState. */
import type { JobGraph } from '../model/job-graph.ts'
import type { OperatorId, VertexId } from '../model/ids.ts'
import type { OperatorState, OperatorSubtaskState, StreamHandle } from '../model/state-handles.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'
import { isAddressable } from './checkpoint-directory.ts'
import { metadataPath } from './completed-checkpoint.ts'
import type { PendingCheckpoint } from './pending-checkpoint.ts'
import { sharedFilesOf } from './shared-state-registry.ts'

export function operatorStatesOf(graph: JobGraph, pending: PendingCheckpoint): readonly OperatorState[] {
  const subtasks = new Map<OperatorId, { index: number; state: OperatorSubtaskState }[]>()
  for (const { task, snapshot } of pending.acknowledgements) {
    for (const { operatorId, state } of snapshot.operators) {
      if (isEmpty(state)) continue
      const list = subtasks.get(operatorId) ?? []
      list.push({ index: task.subtask, state })
      subtasks.set(operatorId, list)
    }
  }
  return graph.vertices.flatMap((vertex) => {
    const finished = finishedSubtasks(pending, vertex.id)
    const maxParallelism = pending.plan.maxParallelism.get(vertex.id) ?? vertex.maxParallelism
    return vertex.chain.map(({ name, uid, operatorId, isUidGenerated }): OperatorState => {
      const identity = { name, uid: isUidGenerated === true ? '' : uid, operatorId, parallelism: vertex.parallelism, maxParallelism }
      if (finished.length === vertex.parallelism) return { ...identity, coordinatorState: null, subtasks: [], fullyFinished: true }
      return {
        ...identity,
        coordinatorState: pending.coordinatorStates.get(operatorId) ?? null,
        subtasks: (subtasks.get(operatorId) ?? []).sort((a, b) => a.index - b.index),
        ...(finished.length > 0 ? { finishedSubtasks: finished } : {}),
      }
    })
  })
}

/** Those that had finished at the trigger, and those that were restored as finished. Flink: DefaultCheckpointPlan.fulfillFinishedTaskStatus. */
function finishedSubtasks({ plan }: PendingCheckpoint, vertex: VertexId): readonly number[] {
  const tasks = [...plan.finished, ...plan.waitFor.filter(({ isFinishedOnRestore }) => isFinishedOnRestore === true)]
  return tasks.flatMap((task) => (task.vertex === vertex ? [task.subtask] : [])).sort((a, b) => a - b)
}

const isEmpty = ({ managedKeyed, managedOperator, inputChannel, resultSubpartition, shared }: OperatorSubtaskState): boolean =>
  managedKeyed === null && managedOperator === null && inputChannel === undefined && resultSubpartition === undefined && shared === undefined

export interface NamedFile {
  readonly path: string
  /** Null: not known (`_metadata` itself). */
  readonly size: number | null
}

/** Every file that the checkpoint needs in order to be restored. */
export function filesOf(checkpoint: CompletedCheckpoint): readonly NamedFile[] {
  const { location, operatorStates } = checkpoint
  const metadata: readonly NamedFile[] = isAddressable(location) ? [{ path: metadataPath(location), size: null }] : []
  const shared = sharedFilesOf(checkpoint).map(({ handle }): NamedFile => ({ path: handle.path, size: handle.size }))
  return [...new Map([...metadata, ...stateFilesOf(location, operatorStates), ...shared].map((file) => [file.path, file])).values()]
}

/** Of those, what no other checkpoint uses, without `_metadata`. */
export const privateFilesOf = ({ location, operatorStates }: CompletedCheckpoint): readonly string[] =>
  [...new Set(stateFilesOf(location, operatorStates).map(({ path }) => path))]

/** The files that these states name apart from shared ones; `location` is what relative handles start from. */
export function stateFilesOf(location: string, states: readonly Pick<OperatorState, 'subtasks'>[]): readonly NamedFile[] {
  const files: NamedFile[] = []
  const add = (stream: StreamHandle): void => {
    if (stream.kind === 'file') files.push({ path: stream.path, size: stream.size })
    if (stream.kind === 'relative') files.push({ path: `${location}/${stream.name}`, size: stream.size })
  }
  for (const stream of states.flatMap(({ subtasks }) => subtasks.flatMap(({ state }) => streamsOf(state)))) add(stream)
  return files
}

/** Bytes of state that stand in the handles themselves: what the JobManager holds of a checkpoint in memory. */
export function inlineBytesOf(states: readonly Pick<OperatorState, 'subtasks' | 'coordinatorState'>[]): number {
  const streams = states.flatMap(({ subtasks }) => subtasks.flatMap(({ state }) => streamsOf(state)))
  const coordinators = states.reduce((sum, { coordinatorState }) => sum + (coordinatorState?.length ?? 0), 0)
  // The channels of a subtask share a stream: it counts once.
  const inline = new Set(streams.flatMap((stream) => (stream.kind === 'bytes' ? [stream.bytes] : [])))
  return [...inline].reduce((sum, bytes) => sum + bytes.length, coordinators)
}

function streamsOf({ managedKeyed, managedOperator, inputChannel = [], resultSubpartition = [] }: OperatorSubtaskState): readonly StreamHandle[] {
  const handles = [managedKeyed, managedOperator, ...inputChannel, ...resultSubpartition]
  return handles.flatMap((handle) => (handle === null ? [] : [handle.stream]))
}
