/**
 * Writes `_metadata` in version 6 (Flink 2.1). Flink: Checkpoints, MetadataV6Serializer.
 *
 *   i4 magic 4960672D | i4 version 6 | i8 checkpoint id | i4 0 master states | i4 count × operator | properties
 *   operator   UTF name | UTF uid | 16 bytes id | i4 parallelism | i4 max parallelism | coordinator state | i4 count × subtask
 *   subtask    i4 index | i4 0/1 [operator handle] | i4 0 raw | keyed handle | u1 0 raw | i4 0 input channels | i4 0 output channels
 */
import type { OperatorState } from '../model/state-handles.ts'
import { DataOutput } from '../state/serializers/data-output.ts'
import type { CheckpointProperties } from './checkpoint-properties.ts'
import { writeCheckpointProperties } from './checkpoint-properties.ts'
import { writeKeyedHandle, writeOperatorHandle } from './handle-serializer.ts'
import { METADATA_MAGIC, METADATA_VERSION } from './metadata-version.ts'
import { writeStreamHandle } from './stream-handle-serializer.ts'

/** The bytes of `_metadata`. Every operator of the job is listed, stateless ones too; subtasks are written by index. */
export function writeMetadata(metadata: {
  readonly checkpointId: number
  readonly operators: readonly OperatorState[]
  readonly properties: CheckpointProperties | null
}): Uint8Array {
  const out = new DataOutput(4096)
  out.writeInt(METADATA_MAGIC)
  out.writeInt(METADATA_VERSION)
  out.writeLong(metadata.checkpointId)
  out.writeInt(0)
  out.writeInt(metadata.operators.length)
  for (const operator of metadata.operators) writeOperator(out, operator)
  writeCheckpointProperties(out, metadata.properties)
  return out.toBytes()
}

function writeOperator(out: DataOutput, operator: OperatorState): void {
  out.writeUTF(operator.name)
  out.writeUTF(operator.uid)
  writeOperatorId(out, operator.operatorId)
  out.writeInt(operator.parallelism)
  out.writeInt(operator.maxParallelism)
  const coordinator = operator.coordinatorState
  writeStreamHandle(out, coordinator === null ? null : { kind: 'bytes', name: `coordinator-${operator.operatorId}`, bytes: coordinator })
  out.writeInt(operator.subtasks.length)
  for (const { index, state } of [...operator.subtasks].sort((a, b) => a.index - b.index)) {
    out.writeInt(index)
    out.writeInt(state.managedOperator === null ? 0 : 1)
    if (state.managedOperator !== null) writeOperatorHandle(out, state.managedOperator)
    out.writeInt(0)
    writeKeyedHandle(out, state.managedKeyed)
    writeKeyedHandle(out, null)
    out.writeInt(0)
    out.writeInt(0)
  }
}

function writeOperatorId(out: DataOutput, id: string): void {
  if (!/^[0-9a-f]{32}$/.test(id)) throw new RangeError(`not an operator id: ${id}`)
  for (let i = 0; i < id.length; i += 2) out.writeByte(Number.parseInt(id.slice(i, i + 2), 16))
}
