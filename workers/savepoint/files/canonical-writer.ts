/**
 * Writes a canonical keyed file. Flink: FullSnapshotAsyncWriter, FullSnapshotUtil, CompositeKeySerializationUtils,
 * ListDelimitedSerializer, HeapKeyValueStateIterator.
 *
 *   file   header (files/state-headers.ts) | for every key group that has entries, at its offset (0 = none): a block
 *   block  i2 state id | entries of that state | i2 next state id | … | FF FF
 *   entry  i4 length, key | i4 length, value; the top bit of the key is set on the last entry of a state
 *   key    key group, 1 byte (max parallelism ≤ 128) or 2 | key | namespace | map key; key and namespace are followed by their lengths, low byte
 *          first, where both are of variable length. Of a timer: key group | timer, and the value is empty
 *   value  LIST: elements with a comma between; MAP: an entry each, bool null and the value; else the value
 */
import { assert } from '../../base/assert.ts'
import type { KeyGroupRange } from '../../model/state-handles.ts'
import { DataOutput } from '../../state/serializers/data-output.ts'
import { CANONICAL_END_OF_GROUP, keyGroupPrefixLength, LAST_OF_STATE, LIST_DELIMITER } from './canonical-format.ts'

const NO_STATE = -1
const NO_ENTRY = -1

/** Takes entries by key group, and within a group all entries of a state together. */
export class CanonicalWriter {
  private readonly out: DataOutput
  private readonly range: KeyGroupRange
  private readonly maxParallelism: number
  private readonly offsets: number[]
  private group = NO_STATE
  private state = NO_STATE
  /** Where the key of the entry before begins: only the next one tells whether it was the last of its state. */
  private lastKeyAt = NO_ENTRY

  /** `header`: the bytes of an uncompressed header. */
  constructor(header: Uint8Array, range: KeyGroupRange, maxParallelism: number) {
    this.out = new DataOutput(header.length + 1024)
    this.out.writeBytes(header)
    this.range = range
    this.maxParallelism = maxParallelism
    this.offsets = new Array<number>(range.end - range.start + 1).fill(0)
  }

  /** Key groups come in ascending order. `key` as `compositeKey` or `timerKey` makes it. */
  entry(keyGroup: number, state: number, key: Uint8Array, value: Uint8Array): void {
    const { out } = this
    if (keyGroup !== this.group) this.beginGroup(keyGroup)
    if (state !== this.state) {
      this.endState()
      out.writeShort(state)
      this.state = state
    }
    this.lastKeyAt = out.position + 4
    out.writeInt(keyGroupPrefixLength(this.maxParallelism) + key.length)
    if (keyGroupPrefixLength(this.maxParallelism) === 2) out.writeShort(keyGroup)
    else out.writeByte(keyGroup)
    out.writeBytes(key)
    out.writeBlob(value)
  }

  /** The file, and where each key group of the range begins. */
  result(): { readonly bytes: Uint8Array; readonly offsets: readonly number[] } {
    this.endGroup()
    return { bytes: this.out.toBytes(), offsets: this.offsets }
  }

  private beginGroup(keyGroup: number): void {
    assert(keyGroup > this.group && keyGroup >= this.range.start && keyGroup <= this.range.end, 'key groups are written in order, each once, within the range')
    this.endGroup()
    this.group = keyGroup
    this.offsets[keyGroup - this.range.start] = this.out.position
  }

  private endState(): void {
    if (this.lastKeyAt === NO_ENTRY) return
    this.out.patchByte(this.lastKeyAt, (value) => value | LAST_OF_STATE)
    this.lastKeyAt = NO_ENTRY
  }

  private endGroup(): void {
    if (this.state === NO_STATE) return
    this.endState()
    this.out.writeShort((CANONICAL_END_OF_GROUP << 16) >> 16)
    this.state = NO_STATE
  }
}

/** Key, namespace and map key in one; without the key group, which the writer puts in front. `isAmbiguous`: key and namespace are both of variable length. */
export function compositeKey(key: Uint8Array, namespace: Uint8Array, isAmbiguous: boolean, mapKey: Uint8Array | null): Uint8Array {
  const out = new DataOutput(key.length + namespace.length + (mapKey?.length ?? 0) + 8)
  for (const part of [key, namespace]) {
    out.writeBytes(part)
    if (isAmbiguous) writeLength(out, part.length)
  }
  if (mapKey !== null) out.writeBytes(mapKey)
  return out.toBytes()
}

/** Low byte first, as many bytes as it needs, at least one. */
function writeLength(out: DataOutput, length: number): void {
  let rest = length
  do {
    out.writeByte(rest & 0xff)
    rest >>>= 8
  } while (rest !== 0)
}

/** The value of a list state. */
export function delimitedList(elements: readonly Uint8Array[]): Uint8Array {
  const out = new DataOutput()
  elements.forEach((element, i) => {
    if (i > 0) out.writeByte(LIST_DELIMITER)
    out.writeBytes(element)
  })
  return out.toBytes()
}

/** The value of one entry of a map state. */
export function mapValue(value: Uint8Array | null): Uint8Array {
  const out = new DataOutput()
  out.writeBoolean(value === null)
  if (value !== null) out.writeBytes(value)
  return out.toBytes()
}
