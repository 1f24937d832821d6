/**
 * Reads the native keyed file of the heap backend. Flink: HeapRestoreOperation, StateTableByKeyGroupReaders.
 *
 *   header | for every key group of the range, at its offset:
 *            i4 key group | for every state: i2 state id | i4 count | count × {namespace, key, value}
 *
 * Nothing has a length: where a key group does not end at the next one's offset, the file is damaged, and is refused.
 */
import type { KeyGroupRange, KeyGroupsHandle } from '../../model/state-handles.ts'
import type { Schema } from '../../model/schema.ts'
import { DataInput } from '../serializers/data-input.ts'
import { FormatError } from '../serializers/format-error.ts'
import { describeSerializer } from '../serializers/serializer-snapshot.ts'
import type { SerializerType } from '../serializers/serializer-snapshot.ts'
import { readKeyedFileHeader } from './keyed-file-header.ts'
import type { KeyedFileHeader } from './keyed-file-header.ts'

/** Namespace byte, key and value of at least one byte each. */
const ENTRY_LENGTH_MIN = 3

/** What is done with one stored entry: it reads first the key, then the value. In a native file both stand in the same input. */
export interface EntryReader {
  readEntry(keys: DataInput, values: DataInput, state: number, keyGroup: number): void
}

export class KeyedFileReader {
  readonly header: KeyedFileHeader
  private readonly input: DataInput
  private readonly handle: Pick<KeyGroupsHandle, 'range' | 'offsets'>

  constructor(handle: Pick<KeyGroupsHandle, 'range' | 'offsets'>, bytes: Uint8Array) {
    const groups = handle.range.end - handle.range.start + 1
    if (handle.offsets.length !== groups) {
      throw new FormatError(`the handle names ${handle.offsets.length} offsets for the ${groups} key groups ${handle.range.start}–${handle.range.end}`)
    }
    this.handle = handle
    this.input = new DataInput(bytes)
    this.header = readKeyedFileHeader(this.input)
  }

  /** Hands every entry of the key groups in both `range` and the file to `reader`, in the order of the file. */
  read(range: KeyGroupRange, reader: EntryReader): void {
    const first = Math.max(range.start, this.handle.range.start)
    const last = Math.min(range.end, this.handle.range.end)
    for (let keyGroup = first; keyGroup <= last; keyGroup++) this.readKeyGroup(keyGroup, reader)
  }

  private readKeyGroup(keyGroup: number, reader: EntryReader): void {
    const { input, handle } = this
    const at = keyGroup - handle.range.start
    input.seek(handle.offsets[at] as number, `key group ${keyGroup}`)
    input.expectInt(keyGroup, 'key group')
    for (let i = 0; i < this.header.states.length; i++) {
      const idAt = input.position
      const id = input.readShort('a state id')
      if (this.header.states[id] === undefined) throw input.errorAt(idAt, `a state id below ${this.header.states.length}`, `found ${id}`)
      for (let n = input.readCount('the number of entries', ENTRY_LENGTH_MIN); n > 0; n--) {
        const namespaceAt = input.position
        const namespace = input.readByte('a namespace')
        if (namespace !== 0) throw input.errorAt(namespaceAt, 'the void namespace 0', `found ${namespace}`)
        reader.readEntry(input, input, id, keyGroup)
      }
    }
    const end = handle.offsets[at + 1] ?? input.bytes.length
    if (input.position !== end) throw input.errorAt(input.position, `the end of key group ${keyGroup} at offset ${end}`, 'found another length')
  }
}

/** The schema of a key or value; byte[] cannot be either here. */
export function schemaOf(serializer: SerializerType, what: string): Schema {
  if (serializer.kind !== 'schema') throw new FormatError(`${what} has type ${describeSerializer(serializer)}, expected a value or tuple of String, Int, Long, Double, Boolean`)
  return serializer.schema
}
