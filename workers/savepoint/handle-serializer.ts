/**
 * Handles of keyed and operator state in `_metadata`. Flink: MetadataV2V3SerializerBase. A type byte, then:
 *
 *   keyed     0 none | 12 i4 start, i4 count, count × i8 offset, stream, UTF id
 *   operator  4 i4 count × {UTF name, u1 mode, i4 count × i8 offset}, stream
 *
 * Written are these. Read are all kinds that Flink has written since 1.11: what the engine cannot restore (canonical savepoints,
 * RocksDB, changelog, merged files) is passed over and named, so that the rest of the file can be seen.
 */
import type { KeyedStateHandle, OperatorStateHandle, OperatorStateMode } from '../model/state-handles.ts'
import type { DataInput } from '../state/serializers/data-input.ts'
import type { DataOutput } from '../state/serializers/data-output.ts'
import { skipForeignKeyed } from './foreign-keyed-handle.ts'
import { readOffsets, readStreamHandle, writeStreamHandle } from './stream-handle-serializer.ts'
import type { Note } from './stream-handle-serializer.ts'

const NONE = 0
const KEY_GROUPS_V2 = 12
const OPERATOR = 4
const OPERATOR_MERGED = 17
const MODES: readonly OperatorStateMode[] = ['SPLIT_DISTRIBUTE', 'UNION', 'BROADCAST']

export function writeKeyedHandle(out: DataOutput, handle: KeyedStateHandle | null): void {
  if (handle === null) return out.writeByte(NONE)
  out.writeByte(KEY_GROUPS_V2)
  out.writeInt(handle.range.start)
  out.writeInt(handle.offsets.length)
  for (const offset of handle.offsets) out.writeLong(offset)
  writeStreamHandle(out, handle.stream)
  out.writeUTF(handle.id)
}

export function readKeyedHandle(input: DataInput, note: Note): KeyedStateHandle | null {
  const at = input.position
  const type = input.readByte('the type of a keyed state handle')
  if (type === NONE) return null
  if (type !== KEY_GROUPS_V2) {
    note(skipForeignKeyed(input, type, at, readKeyedHandle))
    return null
  }
  const start = input.readInt('the first key group')
  const offsets = readOffsets(input)
  const stream = readStreamHandle(input, note)
  const id = input.readUTF('the id of a state handle')
  return stream === null ? null : { kind: 'key-groups', range: { start, end: start + offsets.length - 1 }, offsets, stream, id }
}

export function writeOperatorHandle(out: DataOutput, handle: OperatorStateHandle): void {
  out.writeByte(OPERATOR)
  out.writeInt(handle.states.length)
  for (const { name, mode, offsets } of handle.states) {
    out.writeUTF(name)
    out.writeByte(MODES.indexOf(mode))
    out.writeInt(offsets.length)
    for (const offset of offsets) out.writeLong(offset)
  }
  writeStreamHandle(out, handle.stream)
}

export function readOperatorHandle(input: DataInput, note: Note): OperatorStateHandle | null {
  const at = input.position
  const type = input.readByte('the type of an operator state handle')
  if (type !== OPERATOR && type !== OPERATOR_MERGED) throw input.errorAt(at, 'an operator state handle (type 4 or 17)', `found type ${type}`)
  const states: OperatorStateHandle['states'][number][] = []
  for (let n = input.readCount('the number of operator states', 7); n > 0; n--) {
    const name = input.readUTF('the name of an operator state')
    const modeAt = input.position
    const mode = MODES[input.readByte('a distribution mode')]
    if (mode === undefined) throw input.errorAt(modeAt, 'a distribution mode 0–2', 'found another number')
    states.push({ name, mode, offsets: readOffsets(input) })
  }
  if (type === OPERATOR_MERGED) {
    input.readUTF('the task-owned directory')
    input.readUTF('the shared directory')
    input.readBoolean('whether the state is empty')
    note('operator state in a merged file')
  }
  const stream = readStreamHandle(input, note)
  return stream === null ? null : { states, stream }
}
