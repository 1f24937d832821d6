/**
 * Turns a native file of the heap backend into a canonical one: the header stays as it is, and each entry is taken apart by its serializers and
 * put together in the other layout. So a canonical savepoint needs no second way of writing out state. Flink: HeapKeyValueStateIterator walks the
 * tables instead; the bytes are the same (order within a key group aside, which Flink leaves open).
 */
import { assert } from '../base/assert.ts'
import type { KeyGroupRange, KeyGroupsHandle } from '../model/state-handles.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { CanonicalWriter, compositeKey, delimitedList, mapValue } from './files/canonical-writer.ts'
import { readKeyedHeader } from './files/state-headers.ts'
import type { StateHeader, StateInfo } from './files/state-headers.ts'
import { uncompressStream } from './files/snappy.ts'
import { declaredLength } from './types/describe-type.ts'
import { readTypedValue } from './types/read-value.ts'
import type { TypeInfo } from './types/type-info.ts'
import { ValueBudget } from './types/value-context.ts'

const COMPRESSED_AT = 4
const UNCOMPRESSED_MAX = 256 * 1024 * 1024

/** Where the key groups of a heap file begin. */
type HeapOffsets = Pick<KeyGroupsHandle, 'range' | 'offsets'>

/** Throws `FormatError` for a damaged file, and for a list or map state whose elements cannot be told apart. `wanted`: key groups to keep. */
export function canonicalFromHeap(
  bytes: Uint8Array, handle: HeapOffsets, maxParallelism: number, wanted: KeyGroupRange = handle.range,
): ReturnType<CanonicalWriter['result']> {
  const transcoder = new CanonicalTranscoder(bytes, handle, maxParallelism, wanted)
  while (transcoder.advance(Infinity));
  return transcoder.result()
}

/** The same in slices, of whole key groups. */
export class CanonicalTranscoder {
  private readonly bytes: Uint8Array
  private readonly handle: HeapOffsets
  private readonly header: StateHeader
  private readonly writer: CanonicalWriter
  private readonly last: number
  private next: number

  constructor(bytes: Uint8Array, handle: HeapOffsets, maxParallelism: number, wanted: KeyGroupRange = handle.range) {
    this.bytes = bytes
    this.handle = handle
    this.header = readKeyedHeader(new DataInput(bytes))
    if (this.header.end === null) throw new FormatError(`${this.header.problems[0] ?? 'an unknown serializer'}: its entries cannot be told apart`)
    const headerBytes = bytes.slice(0, this.header.end)
    headerBytes[COMPRESSED_AT] = 0
    this.writer = new CanonicalWriter(headerBytes, wanted, maxParallelism)
    this.next = Math.max(wanted.start, handle.range.start)
    this.last = Math.min(wanted.end, handle.range.end)
  }

  /** Takes on key groups until `budget` entries are exceeded; true while there are more. */
  advance(budget: number): boolean {
    const { handle, bytes } = this
    for (let left = budget; left > 0 && this.next <= this.last; this.next++) {
      const at = this.next - handle.range.start
      const block = bytes.subarray(handle.offsets[at], handle.offsets[at + 1] ?? bytes.length)
      left -= 1 + new GroupTranscoder(this.header, this.next, this.writer).transcode(block)
    }
    return this.next <= this.last
  }

  result(): ReturnType<CanonicalWriter['result']> {
    return this.writer.result()
  }
}

class GroupTranscoder {
  private readonly header: StateHeader
  private readonly keyGroup: number
  private readonly writer: CanonicalWriter
  /** Bounded by the file: it is ours, or was opened before. */
  private readonly budget = new ValueBudget(Number.MAX_SAFE_INTEGER)

  constructor(header: StateHeader, keyGroup: number, writer: CanonicalWriter) {
    this.header = header
    this.keyGroup = keyGroup
    this.writer = writer
  }

  /** The number of entries. */
  transcode(block: Uint8Array): number {
    const input = new DataInput(block)
    input.expectInt(this.keyGroup, 'key group')
    let at = input.position
    let entries = 0
    for (let i = 0; i < this.header.states.length; i++) {
      if (!this.header.isCompressed) {
        entries += this.state(input)
        continue
      }
      const stream = uncompressStream(block, at, UNCOMPRESSED_MAX)
      entries += this.state(new DataInput(stream.bytes))
      at = stream.end
    }
    return entries
  }

  private state(input: DataInput): number {
    const id = input.readShort('a state id')
    const state = this.header.states[id]
    if (state === undefined) throw input.errorAt(input.position - 2, 'a state of the header', `found ${id}`)
    const count = input.readCount('the number of entries')
    for (let n = count; n > 0; n--) {
      if (state.kind === 'timers') this.writer.entry(this.keyGroup, id, this.part(input, state.value), new Uint8Array(0))
      else this.entry(input, state, id)
    }
    return count
  }

  private entry(input: DataInput, state: StateInfo, id: number): void {
    const namespace = this.part(input, state.namespace)
    const key = this.part(input, this.header.key)
    const isAmbiguous = lengthOf(this.header.key) < 0 && lengthOf(state.namespace) < 0
    const { keyGroup, writer } = this
    const type = state.value
    if (state.type === 'MAP' && type?.kind === 'map') {
      for (let n = input.readCount('the size of a map'); n > 0; n--) {
        const mapKey = this.part(input, type.key)
        const value = input.readBoolean('whether a value is null') ? null : this.part(input, type.value)
        writer.entry(keyGroup, id, compositeKey(key, namespace, isAmbiguous, mapKey), mapValue(value))
      }
      return
    }
    const value = state.type === 'LIST' && type?.kind === 'list' ? this.list(input, type.element) : this.part(input, type)
    writer.entry(keyGroup, id, compositeKey(key, namespace, isAmbiguous, null), value)
  }

  private list(input: DataInput, element: TypeInfo): Uint8Array {
    const elements: Uint8Array[] = []
    for (let n = input.readCount('the length of a list', 0); n > 0; n--) elements.push(this.part(input, element))
    return delimitedList(elements)
  }

  /** The bytes of the next value of a type. */
  private part(input: DataInput, type: TypeInfo | null): Uint8Array {
    assert(type !== null, 'a state has the serializers of its kind')
    const start = input.position
    readTypedValue(input, type, this.budget)
    return input.bytes.subarray(start, input.position)
  }
}

const lengthOf = (type: TypeInfo | null): number => (type === null ? -1 : declaredLength(type))
