/**
 * Reads the keyed file of a canonical savepoint into a running operator. Flink: FullSnapshotRestoreOperation, HeapSavepointRestoreOperation.
 *
 *   header | for every key group that has entries, at its offset (0 = none):
 *            i2 state id | entries {i4 length, key | i4 length, value} | i2 next state id | … | FF FF
 *   key      key group, 1 byte (max parallelism ≤ 128) or 2 | key | namespace; the top bit of its first byte: the last entry of its state
 *
 * Every entry has its length: one that is longer or shorter than its types say is refused.
 */
import type { KeyGroupRange } from '../../model/state-handles.ts'
import { DataInput } from '../serializers/data-input.ts'
import { FormatError } from '../serializers/format-error.ts'
import type { EntryReader } from './keyed-file-reader.ts'
import { readKeyedFileHeader } from './keyed-file-header.ts'
import type { KeyedFileHeader } from './keyed-file-header.ts'

const END_OF_GROUP = 0xffff
const LAST_OF_STATE = 0x80
const NO_ENTRIES = 0
/** The largest max parallelism whose key groups fit into one byte. */
const ONE_BYTE_GROUPS = 128

export class CanonicalFileReader {
  readonly header: KeyedFileHeader
  private readonly input: DataInput
  private readonly handle: { readonly range: KeyGroupRange; readonly offsets: readonly number[] }
  private readonly prefix: 1 | 2

  constructor(handle: { readonly range: KeyGroupRange; readonly offsets: readonly number[] }, bytes: Uint8Array, maxParallelism: number) {
    this.handle = handle
    this.input = new DataInput(bytes)
    this.prefix = maxParallelism > ONE_BYTE_GROUPS ? 2 : 1
    this.header = readKeyedFileHeader(this.input)
  }

  /** Hands every entry of the key groups in both `range` and the file to `reader`, in the order of the file. */
  read(range: KeyGroupRange, reader: EntryReader): void {
    const first = Math.max(range.start, this.handle.range.start)
    const last = Math.min(range.end, this.handle.range.end)
    for (let keyGroup = first; keyGroup <= last; keyGroup++) {
      const offset = this.handle.offsets[keyGroup - this.handle.range.start]
      if (offset !== undefined && offset !== NO_ENTRIES) this.readKeyGroup(offset, keyGroup, reader)
    }
  }

  private readKeyGroup(offset: number, keyGroup: number, reader: EntryReader): void {
    const { input } = this
    input.seek(offset, `key group ${keyGroup}`)
    let state = input.readShort('a state id') & 0xffff
    while (state !== END_OF_GROUP) {
      const isLast = this.readEntry(state, keyGroup, reader)
      if (isLast) state = input.readShort('the next state id') & 0xffff
    }
  }

  /** True: the last one of its state. */
  private readEntry(state: number, keyGroup: number, reader: EntryReader): boolean {
    const { input, prefix } = this
    const at = input.position
    if (this.header.states[state] === undefined) throw input.errorAt(at, `a state id below ${this.header.states.length}`, `found ${state}`)
    const key = input.readBlob('a key')
    const value = input.readBlob('a value')
    if (key.length < prefix) throw input.errorAt(at, `a key of at least ${prefix} bytes`, `found ${key.length}`)
    const first = key[0] as number
    const low = first & ~LAST_OF_STATE
    const group = prefix === 1 ? low : (low << 8) | (key[1] as number)
    if (group !== keyGroup) throw input.errorAt(at, `a key of key group ${keyGroup}`, `found one of ${group}`)
    const keys = new DataInput(key)
    const values = new DataInput(value)
    keys.seek(prefix, 'a key')
    reader.readEntry(keys, values, state, keyGroup)
    const namespace = keys.readByte('a namespace')
    if (namespace !== 0) throw new FormatError(`key group ${keyGroup}: the namespace of a key is ${namespace}, expected the void namespace 0`)
    keys.expectEnd('a key')
    values.expectEnd('a value')
    return (first & LAST_OF_STATE) !== 0
  }
}
