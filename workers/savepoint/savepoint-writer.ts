/**
 * Writes `_metadata` in any version from 2 to 7. Flink: Checkpoints, MetadataV2Serializer … MetadataV7Serializer.
 *
 *   i4 magic 4960672D | i4 version | i8 checkpoint id | i4 count × master state | i4 count × operator | properties (from 4 on)
 *   master state  i4 magic C96B1696 | i4 length | i4 version | UTF name | blob
 *   operator      UTF name | UTF uid (both from 5 on) | 16 bytes id | i4 parallelism | i4 max parallelism
 *                 | i4 1 (2 only) | coordinator stream (from 3 on) | i4 count, −1 if all have finished × subtask
 *   subtask       i4 index, or −index − 1 if finished and nothing more | i8 −1 and i4 0 (2 only)
 *                 | i4 0/1 [operator handle] | i4 0/1 [raw operator handle] | keyed handle | raw keyed handle
 *                 | i4 count × channel | i4 count × channel (from 3 on) | u1 0/1 [i8 checkpoint id] (from 7 on)
 *
 * What a version has no place for is left out (name, uid, coordinator, properties, reuse).
 */
import { DataOutput } from '../state/serializers/data-output.ts'
import { writeChannelHandles } from './channel-handle-serializer.ts'
import { writeCheckpointProperties } from './checkpoint-properties.ts'
import { writeKeyedHandle } from './keyed-handle-serializer.ts'
import {
  FIRST_WITH_COORDINATOR_AND_CHANNELS, FIRST_WITH_NAMES, FIRST_WITH_PROPERTIES, FIRST_WITH_REUSE, MASTER_STATE_MAGIC, METADATA_MAGIC,
} from './metadata-version.ts'
import type { MasterState, OperatorRecord, OperatorRef, Savepoint, SubtaskRef } from './model.ts'
import { writeOperatorHandle } from './operator-handle-serializer.ts'
import { writeStreamHandle } from './stream-handle-serializer.ts'

/** The bytes of `_metadata`, in `savepoint.version`. Subtasks are written by index. */
export function writeSavepoint(savepoint: Savepoint): Uint8Array {
  const { version } = savepoint
  const out = new DataOutput(4096)
  out.writeInt(METADATA_MAGIC)
  out.writeInt(version)
  out.writeLong(savepoint.checkpointId)
  out.writeInt(savepoint.masterStates.length)
  for (const state of savepoint.masterStates) writeMasterState(out, state)
  out.writeInt(savepoint.operators.length)
  for (const operator of savepoint.operators) writeOperator(out, operator, version)
  if (version >= FIRST_WITH_PROPERTIES) writeCheckpointProperties(out, savepoint.properties)
  return out.toBytes()
}

function writeMasterState(out: DataOutput, state: MasterState): void {
  out.writeInt(MASTER_STATE_MAGIC)
  const lengthAt = out.position
  out.writeInt(0)
  out.writeInt(state.version)
  out.writeUTF(state.name)
  out.writeBlob(state.bytes)
  out.patchInt(lengthAt, out.position - lengthAt - 4)
}

function writeOperator(out: DataOutput, operator: OperatorRecord, version: number): void {
  if (version >= FIRST_WITH_NAMES) {
    out.writeUTF(operator.name)
    out.writeUTF(operator.uid)
  }
  writeOperatorId(out, operator.operatorId)
  out.writeInt(operator.parallelism)
  out.writeInt(operator.maxParallelism)
  if (version < FIRST_WITH_COORDINATOR_AND_CHANNELS) out.writeInt(1)
  else writeStreamHandle(out, operator.coordinator)
  if (operator.fullyFinished) return out.writeInt(-1)
  out.writeInt(operator.subtasks.length)
  for (const subtask of [...operator.subtasks].sort((a, b) => a.index - b.index)) {
    if (subtask.finished) out.writeInt(-subtask.index - 1)
    else writeSubtask(out, subtask, version)
  }
}

function writeSubtask(out: DataOutput, subtask: SubtaskRef, version: number): void {
  const hasChannels = version >= FIRST_WITH_COORDINATOR_AND_CHANNELS
  out.writeInt(subtask.index)
  if (!hasChannels) {
    out.writeLong(-1)
    out.writeInt(0)
  }
  writeOptionalOperator(out, subtask.managedOperator)
  writeOptionalOperator(out, subtask.rawOperator)
  writeKeyedHandle(out, subtask.managedKeyed)
  writeKeyedHandle(out, subtask.rawKeyed)
  if (hasChannels) {
    writeChannelHandles(out, subtask.input, 'input', version)
    writeChannelHandles(out, subtask.output, 'output', version)
  }
  if (version < FIRST_WITH_REUSE) return
  out.writeBoolean(subtask.reusedFrom !== null)
  if (subtask.reusedFrom !== null) out.writeLong(subtask.reusedFrom)
}

function writeOptionalOperator(out: DataOutput, handle: OperatorRef | null): void {
  out.writeInt(handle === null ? 0 : 1)
  if (handle !== null) writeOperatorHandle(out, handle)
}

function writeOperatorId(out: DataOutput, id: string): void {
  if (!/^[0-9a-f]{32}$/.test(id)) throw new RangeError(`not an operator id: ${id}`)
  for (let i = 0; i < id.length; i += 2) out.writeByte(Number.parseInt(id.slice(i, i + 2), 16))
}
