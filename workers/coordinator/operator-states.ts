/** Puts the acknowledged parts together: one OperatorState per operator of the job. Flink: PendingCheckpoint.updateOperatorState. */
import type { JobGraph } from '../model/job-graph.ts'
import type { OperatorId } from '../model/ids.ts'
import type { OperatorState, OperatorSubtaskState, StreamHandle } from '../model/state-handles.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'
import { metadataPath } from './completed-checkpoint.ts'
import type { PendingCheckpoint } from './pending-checkpoint.ts'

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
  return graph.vertices.flatMap((vertex) =>
    vertex.chain.map((operator) => ({
      name: operator.name,
      uid: operator.uid,
      operatorId: operator.operatorId,
      parallelism: vertex.parallelism,
      maxParallelism: vertex.maxParallelism,
      coordinatorState: pending.coordinatorStates.get(operator.operatorId) ?? null,
      subtasks: (subtasks.get(operator.operatorId) ?? []).sort((a, b) => a.index - b.index),
    })),
  )
}

const isEmpty = ({ managedKeyed, managedOperator, inputChannel, resultSubpartition }: OperatorSubtaskState): boolean =>
  managedKeyed === null && managedOperator === null && inputChannel === undefined && resultSubpartition === undefined

export interface NamedFile {
  readonly path: string
  /** Null: not known (`_metadata` itself). */
  readonly size: number | null
}

/** Every file that the checkpoint needs in order to be restored. */
export function filesOf(checkpoint: CompletedCheckpoint): readonly NamedFile[] {
  const files = new Map<string, number | null>([[metadataPath(checkpoint.location), null]])
  const add = (stream: StreamHandle): void => {
    if (stream.kind === 'file') files.set(stream.path, stream.size)
    if (stream.kind === 'relative') files.set(`${checkpoint.location}/${stream.name}`, stream.size)
  }
  for (const operator of checkpoint.operatorStates) {
    for (const { state } of operator.subtasks) {
      if (state.managedKeyed !== null) add(state.managedKeyed.stream)
      if (state.managedOperator !== null) add(state.managedOperator.stream)
      for (const { stream } of [...(state.inputChannel ?? []), ...(state.resultSubpartition ?? [])]) add(stream)
    }
  }
  return [...files].map(([path, size]) => ({ path, size }))
}
