/**
 * Reads `_metadata` of versions 3 to 6 (Flink 1.11 to 2.1). Flink: Checkpoints, MetadataV3Serializer … MetadataV6Serializer. Layout:
 * metadata-writer.ts; version 3 has no properties, names and uids came with 5, types of channel states with 6. The whole file must be used up.
 */
import { operatorId } from '../model/ids.ts'
import type { OperatorId } from '../model/ids.ts'
import type { OperatorState, OperatorSubtaskState } from '../model/state-handles.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { readCheckpointProperties } from './checkpoint-properties.ts'
import { skipChannelStates } from './channel-state-handle.ts'
import { readKeyedHandle, readOperatorHandle } from './handle-serializer.ts'
import { METADATA_MAGIC, METADATA_VERSION, METADATA_VERSION_MIN } from './metadata-version.ts'
import type { SnapshotMetadata } from './snapshot-metadata.ts'
import { readStreamHandle } from './stream-handle-serializer.ts'
import type { Note } from './stream-handle-serializer.ts'

const MASTER_STATE_MAGIC = 0xc96b1696 | 0
const FIRST_WITH_PROPERTIES = 4
const FIRST_WITH_NAMES = 5
const OPERATOR_LENGTH_MIN = 16 + 4 + 4 + 1 + 4
const SUBTASK_LENGTH_MIN = 4

/** Throws `FormatError`, which names the offset and what was expected there. */
export function readMetadata(bytes: Uint8Array): SnapshotMetadata {
  const input = new DataInput(bytes)
  const magic = input.readInt('the magic number of a checkpoint')
  if (magic !== METADATA_MAGIC) {
    throw new FormatError(`Unexpected magic number 0x${(magic >>> 0).toString(16)}: not the _metadata of a checkpoint or savepoint, one before Flink 1.3, or damaged`)
  }
  const version = input.readInt('the version of _metadata')
  if (version < METADATA_VERSION_MIN || version > METADATA_VERSION) {
    throw new FormatError(`_metadata of version ${version} cannot be read: versions ${METADATA_VERSION_MIN} (Flink 1.11) to ${METADATA_VERSION} (Flink 2.1) can`)
  }
  const checkpointId = input.readLong('the checkpoint id')
  const masterStates = readMasterStates(input)
  const unsupported: SnapshotMetadata['unsupported'][number][] = []
  const operators: OperatorState[] = []
  for (let n = input.readCount('the number of operators', OPERATOR_LENGTH_MIN); n > 0; n--) operators.push(readOperator(input, version, unsupported))
  const properties = version >= FIRST_WITH_PROPERTIES ? readCheckpointProperties(input) : null
  input.expectEnd('_metadata')
  return { version, checkpointId, masterStates, operators, properties, unsupported }
}

function readMasterStates(input: DataInput): SnapshotMetadata['masterStates'] {
  const states: SnapshotMetadata['masterStates'][number][] = []
  for (let n = input.readCount('the number of master states', 8); n > 0; n--) {
    input.expectInt(MASTER_STATE_MAGIC, 'the magic number of a master state')
    const end = input.readCount('the length of a master state') + input.position
    const version = input.readInt('the version of a master state')
    const name = input.readUTF('the name of a master state')
    states.push({ name, version, bytes: input.readBlob('a master state') })
    if (input.position !== end) throw input.errorAt(input.position, `the end of master state "${name}" at offset ${end}`, 'found another length')
  }
  return states
}

function readOperator(input: DataInput, version: number, unsupported: SnapshotMetadata['unsupported'][number][]): OperatorState {
  const name = version >= FIRST_WITH_NAMES ? input.readUTF('the name of an operator') : ''
  const uid = version >= FIRST_WITH_NAMES ? input.readUTF('the uid of an operator') : ''
  const id = readOperatorId(input)
  const parallelism = input.readInt('a parallelism')
  const maxParallelism = input.readInt('a max parallelism')
  const note = (what: string, subtask: number | null): void => void unsupported.push({ operatorId: id, subtask, what })
  const coordinator = readStreamHandle(input, (what) => note(what, null))
  if (coordinator !== null && coordinator.kind !== 'bytes') throw input.errorAt(input.position, 'the coordinator state as bytes', `found a ${coordinator.kind} handle`)
  const subtasks: { index: number; state: OperatorSubtaskState }[] = []
  const count = readSubtaskCount(input)
  if (count < 0) note('a fully finished operator', null)
  for (let n = count; n > 0; n--) {
    const index = input.readInt('a subtask index')
    if (index < 0) note('a finished subtask', -index - 1)
    else subtasks.push({ index, state: readSubtask(input, version, (what) => note(what, index)) })
  }
  subtasks.sort((a, b) => a.index - b.index)
  return { name, uid, operatorId: id, parallelism, maxParallelism, coordinatorState: coordinator === null ? null : coordinator.bytes, subtasks }
}

/** Negative: every subtask has finished. */
function readSubtaskCount(input: DataInput): number {
  const at = input.position
  const count = input.readInt('the number of subtasks')
  if (count * SUBTASK_LENGTH_MIN > input.remaining) throw input.errorAt(at, 'the number of subtasks', `found ${count}, with ${input.remaining} bytes left`)
  return count
}

function readSubtask(input: DataInput, version: number, note: Note): OperatorSubtaskState {
  const managedOperator = readFlag(input, 'managed operator state') ? readOperatorHandle(input, note) : null
  if (readFlag(input, 'raw operator state')) {
    readOperatorHandle(input, note)
    note('raw operator state')
  }
  const managedKeyed = readKeyedHandle(input, note)
  if (readKeyedHandle(input, note) !== null) note('raw keyed state')
  for (const side of ['input', 'output']) {
    const channels = skipChannelStates(input, version)
    if (channels > 0) note(`in-flight data of ${channels} ${side} channels`)
  }
  return { managedOperator, managedKeyed }
}

function readFlag(input: DataInput, what: string): boolean {
  const at = input.position
  const flag = input.readInt(`whether there is ${what}`)
  if (flag !== 0 && flag !== 1) throw input.errorAt(at, `whether there is ${what} (0 or 1)`, `found ${flag}`)
  return flag === 1
}

function readOperatorId(input: DataInput): OperatorId {
  const bytes = input.readBytes(16, 'an operator id')
  return operatorId(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''))
}
