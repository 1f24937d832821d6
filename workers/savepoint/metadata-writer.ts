/** Writes the `_metadata` of this engine's own checkpoints, in version 6 (Flink 2.1). Layout: savepoint-writer.ts. */
import type { ChannelStateHandle, KeyedStateHandle, OperatorState } from '../model/state-handles.ts'
import type { CheckpointProperties } from './checkpoint-properties.ts'
import { METADATA_VERSION } from './metadata-version.ts'
import { EMPTY_SUBTASK } from './model.ts'
import type { ChannelRef, KeyedRef, OperatorRecord, SubtaskRef } from './model.ts'
import { writeSavepoint } from './savepoint-writer.ts'

/** The bytes of `_metadata`. Every operator of the job is listed, stateless ones too; subtasks are written by index. */
export function writeMetadata(metadata: {
  readonly checkpointId: number
  readonly operators: readonly OperatorState[]
  readonly properties: CheckpointProperties | null
}): Uint8Array {
  const operators = metadata.operators.map(operatorRecord)
  return writeSavepoint({ version: METADATA_VERSION, checkpointId: metadata.checkpointId, masterStates: [], operators, properties: metadata.properties })
}

/** One of the engine's operators as `_metadata` describes it. */
export function operatorRecord(operator: OperatorState): OperatorRecord {
  const { name, uid, operatorId, parallelism, maxParallelism, coordinatorState } = operator
  const coordinator = coordinatorState === null ? null : { kind: 'bytes' as const, name: `coordinator-${operatorId}`, bytes: coordinatorState }
  const finished = (operator.finishedSubtasks ?? []).map((index): SubtaskRef => ({ ...EMPTY_SUBTASK, index, finished: true }))
  const stateful = operator.subtasks.map(({ index, state: { managedOperator, managedKeyed, inputChannel, resultSubpartition } }) => ({
    ...EMPTY_SUBTASK,
    index,
    managedOperator: managedOperator === null ? null : { ...managedOperator, merged: null },
    managedKeyed: managedKeyed === null ? null : keyedRef(managedKeyed),
    input: (inputChannel ?? []).map(channelRef),
    output: (resultSubpartition ?? []).map(channelRef),
  }))
  return { name, uid, operatorId, parallelism, maxParallelism, coordinator, fullyFinished: operator.fullyFinished === true, subtasks: [...stateful, ...finished] }
}

const keyedRef = (handle: KeyedStateHandle): KeyedRef =>
  handle.kind === 'key-groups' ? { ...handle, type: 12 } : { ...handle, kind: 'key-groups', type: 7, id: null }

function channelRef({ subtask, major, minor, offsets, size, stream }: ChannelStateHandle): ChannelRef {
  return { merged: false, subtask, size, stream, channels: [{ major, minor, size, offsets }] }
}
