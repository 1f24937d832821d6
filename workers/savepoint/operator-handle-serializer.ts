/**
 * Handles of operator state in `_metadata`. Flink: MetadataV2V3SerializerBase. A type byte (4, or 17 in merged files), then:
 *
 *   i4 count × {UTF name, u1 mode, i4 count × i8 offset} [17: UTF task-owned directory, UTF shared directory, bool empty] stream
 */
import type { OperatorStateMode } from '../model/state-handles.ts'
import type { DataInput } from '../state/serializers/data-input.ts'
import type { DataOutput } from '../state/serializers/data-output.ts'
import type { OperatorRef } from './model.ts'
import { readOffsets, readStreamHandle, writeOffsets, writeStreamHandle } from './stream-handle-serializer.ts'

const OPERATOR = 4
const OPERATOR_MERGED = 17
const MODES: readonly OperatorStateMode[] = ['SPLIT_DISTRIBUTE', 'UNION', 'BROADCAST']

export function writeOperatorHandle(out: DataOutput, handle: OperatorRef): void {
  out.writeByte(handle.merged === null ? OPERATOR : OPERATOR_MERGED)
  out.writeInt(handle.states.length)
  for (const { name, mode, offsets } of handle.states) {
    out.writeUTF(name)
    out.writeByte(MODES.indexOf(mode))
    writeOffsets(out, offsets)
  }
  if (handle.merged !== null) {
    out.writeUTF(handle.merged.taskOwnedDirectory)
    out.writeUTF(handle.merged.sharedDirectory)
    out.writeBoolean(handle.merged.isEmpty)
  }
  writeStreamHandle(out, handle.stream)
}

export function readOperatorHandle(input: DataInput): OperatorRef {
  const at = input.position
  const type = input.readByte('the type of an operator state handle')
  if (type !== OPERATOR && type !== OPERATOR_MERGED) throw input.errorAt(at, 'an operator state handle (type 4 or 17)', `found type ${type}`)
  const states: OperatorRef['states'][number][] = []
  for (let n = input.readCount('the number of operator states', 7); n > 0; n--) {
    const name = input.readUTF('the name of an operator state')
    const modeAt = input.position
    const mode = MODES[input.readByte('a distribution mode')]
    if (mode === undefined) throw input.errorAt(modeAt, 'a distribution mode 0–2', 'found another number')
    states.push({ name, mode, offsets: readOffsets(input) })
  }
  const merged = type === OPERATOR_MERGED ? readMerged(input) : null
  return { states, merged, stream: readStreamHandle(input) }
}

function readMerged(input: DataInput): OperatorRef['merged'] {
  const taskOwnedDirectory = input.readUTF('the task-owned directory')
  const sharedDirectory = input.readUTF('the shared directory')
  return { taskOwnedDirectory, sharedDirectory, isEmpty: input.readBoolean('whether the state is empty') }
}
