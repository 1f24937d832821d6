/**
 * Reads `_metadata` of versions 2 to 7 (Flink 1.3 to the development line of 2026) whole and strictly: the last byte must be used up. Flink:
 * Checkpoints, MetadataV2Serializer … MetadataV7Serializer. Layout: savepoint-writer.ts.
 */
import { operatorId } from '../model/ids.ts'
import type { OperatorId } from '../model/ids.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { UnsafeLongError } from '../state/serializers/unsafe-long.ts'
import { readChannelHandles } from './channel-handle-serializer.ts'
import { readCheckpointProperties } from './checkpoint-properties.ts'
import { readKeyedHandle } from './keyed-handle-serializer.ts'
import {
  FIRST_WITH_COORDINATOR_AND_CHANNELS, FIRST_WITH_NAMES, FIRST_WITH_PROPERTIES, FIRST_WITH_REUSE,
  MASTER_STATE_MAGIC, METADATA_MAGIC, METADATA_VERSION_MAX, METADATA_VERSION_MIN,
} from './metadata-version.ts'
import { EMPTY_SUBTASK } from './model.ts'
import type { MasterState, OperatorRecord, OperatorRef, Savepoint, SubtaskRef } from './model.ts'
import { readOperatorHandle } from './operator-handle-serializer.ts'
import { readStreamHandle } from './stream-handle-serializer.ts'

const OPERATOR_LENGTH_MIN = 16 + 4 + 4 + 4
const SUBTASK_LENGTH_MIN = 4

/** Throws `FormatError`, which names the offset and what was expected there. */
export function readSavepoint(bytes: Uint8Array): Savepoint {
  const { savepoint, damage } = salvageSavepoint(bytes)
  if (damage !== null) throw new FormatError(damage)
  return savepoint
}

export interface SalvagedSavepoint {
  /** As far as it could be read: the last operator may lack subtasks. */
  readonly savepoint: Savepoint
  /** Null: all of it is there. */
  readonly damage: string | null
}

/** What can be read of a file that may be damaged or cut short, for the eye alone. Throws `FormatError` where not even the checkpoint id can be. */
export function salvageSavepoint(bytes: Uint8Array): SalvagedSavepoint {
  const input = new DataInput(bytes)
  const version = readVersion(input)
  const checkpointId = told(() => readCheckpointId(input))
  const masterStates: MasterState[] = []
  const operators: OperatorRecord[] = []
  let properties: Savepoint['properties'] = null
  const savepoint = (): Savepoint => ({ version, checkpointId, masterStates, operators, properties })
  try {
    told(() => {
      readMasterStates(input, masterStates)
      for (let n = input.readCount('the number of operators', OPERATOR_LENGTH_MIN); n > 0; n--) readOperator(input, version, operators)
      if (version >= FIRST_WITH_PROPERTIES) properties = readCheckpointProperties(input)
      input.expectEnd('_metadata')
    })
    return { savepoint: savepoint(), damage: null }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { savepoint: savepoint(), damage: error.message }
  }
}

/** A number that no exact number stands for is damage here. */
function told<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnsafeLongError) throw new FormatError(`_metadata is damaged: ${error.message}`)
    throw error
  }
}

function readVersion(input: DataInput): number {
  const magic = input.readInt('the magic number of a checkpoint')
  if (magic !== METADATA_MAGIC) {
    throw new FormatError(`Unexpected magic number 0x${(magic >>> 0).toString(16)}: not the _metadata of a checkpoint or savepoint, one before Flink 1.3, or damaged`)
  }
  const version = input.readInt('the version of _metadata')
  if (version === 1) throw new FormatError('This savepoint / checkpoint version (Flink 1.1 / 1.2) is no longer supported.')
  if (version < METADATA_VERSION_MIN || version > METADATA_VERSION_MAX) {
    throw new FormatError(`_metadata of version ${version} cannot be read: versions ${METADATA_VERSION_MIN} (Flink 1.3) to ${METADATA_VERSION_MAX} (after Flink 2.1) can`)
  }
  return version
}

function readCheckpointId(input: DataInput): number {
  const at = input.position
  const checkpointId = input.readLong('the checkpoint id')
  if (checkpointId < 0) throw input.errorAt(at, 'a checkpoint id of at least 0', `found ${checkpointId}`)
  return checkpointId
}

function readMasterStates(input: DataInput, states: MasterState[]): void {
  for (let n = input.readCount('the number of master states', 8); n > 0; n--) {
    input.expectInt(MASTER_STATE_MAGIC, 'the magic number of a master state')
    const end = input.readCount('the length of a master state') + input.position
    const version = input.readInt('the version of a master state')
    const name = input.readUTF('the name of a master state')
    states.push({ name, version, bytes: input.readBlob('a master state') })
    if (input.position !== end) throw input.errorAt(input.position, `the end of master state "${name}" at offset ${end}`, 'found another length')
  }
}

/** It is among `operators` as soon as it is known by its id: what follows of it may be damaged. */
function readOperator(input: DataInput, version: number, operators: OperatorRecord[]): void {
  const name = version >= FIRST_WITH_NAMES ? input.readUTF('the name of an operator') : ''
  const uid = version >= FIRST_WITH_NAMES ? input.readUTF('the uid of an operator') : ''
  const id = readOperatorId(input)
  const parallelism = readPositive(input, 'a parallelism')
  const maxParallelism = readPositive(input, 'a max parallelism')
  if (version < FIRST_WITH_COORDINATOR_AND_CHANNELS) input.readInt('the length of a chain')
  const coordinator = version >= FIRST_WITH_COORDINATOR_AND_CHANNELS ? readCoordinator(input) : null
  const count = readSubtaskCount(input, version)
  const subtasks: SubtaskRef[] = []
  operators.push({ name, uid, operatorId: id, parallelism, maxParallelism, coordinator, fullyFinished: count < 0, subtasks })
  for (let n = count; n > 0; n--) {
    const index = input.readInt('a subtask index')
    if (index < 0 && version >= FIRST_WITH_COORDINATOR_AND_CHANNELS) subtasks.push({ ...EMPTY_SUBTASK, index: -index - 1, finished: true })
    else subtasks.push(readSubtask(input, index, version))
  }
  subtasks.sort((a, b) => a.index - b.index)
}

function readPositive(input: DataInput, what: string): number {
  const at = input.position
  const value = input.readInt(what)
  if (value < 1) throw input.errorAt(at, `${what} of at least 1`, `found ${value}`)
  return value
}

function readCoordinator(input: DataInput): OperatorRecord['coordinator'] {
  const at = input.position
  const coordinator = readStreamHandle(input)
  if (coordinator !== null && coordinator.kind !== 'bytes') throw input.errorAt(at, 'the coordinator state as bytes', `found a ${coordinator.kind} handle`)
  return coordinator
}

/** Negative: every subtask has finished. */
function readSubtaskCount(input: DataInput, version: number): number {
  const at = input.position
  const count = input.readInt('the number of subtasks')
  const isWrong = count * SUBTASK_LENGTH_MIN > input.remaining || (count < 0 && version < FIRST_WITH_COORDINATOR_AND_CHANNELS)
  if (isWrong) throw input.errorAt(at, 'the number of subtasks', `found ${count}, with ${input.remaining} bytes left`)
  return count
}

function readSubtask(input: DataInput, index: number, version: number): SubtaskRef {
  const hasChannels = version >= FIRST_WITH_COORDINATOR_AND_CHANNELS
  if (!hasChannels) {
    input.readAnyLong('the duration of a snapshot')
    input.expectInt(0, 'the number of legacy states')
  }
  const managedOperator = readOptionalOperator(input, 'managed operator state')
  const rawOperator = readOptionalOperator(input, 'raw operator state')
  const managedKeyed = readKeyedHandle(input)
  const rawKeyed = readKeyedHandle(input)
  const inputs = hasChannels ? readChannelHandles(input, 'input', version) : []
  const outputs = hasChannels ? readChannelHandles(input, 'output', version) : []
  const isReused = version >= FIRST_WITH_REUSE && input.readBoolean('whether the state is of an earlier checkpoint')
  const reusedFrom = isReused ? input.readLong('the checkpoint of reused state') : null
  return { index, finished: false, managedOperator, rawOperator, managedKeyed, rawKeyed, input: inputs, output: outputs, reusedFrom }
}

function readOptionalOperator(input: DataInput, what: string): OperatorRef | null {
  const at = input.position
  const flag = input.readInt(`whether there is ${what}`)
  if (flag !== 0 && flag !== 1) throw input.errorAt(at, `whether there is ${what} (0 or 1)`, `found ${flag}`)
  return flag === 1 ? readOperatorHandle(input) : null
}

function readOperatorId(input: DataInput): OperatorId {
  const bytes = input.readBytes(16, 'an operator id')
  return operatorId(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''))
}
