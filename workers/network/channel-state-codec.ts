/**
 * In-flight data: what a buffer holds, in Flink's encoding, and back. Flink: ChannelStateSerializer and the record serializer of the network
 * stack. A buffer is its records, each as four bytes of length and a StreamElement; watermarks are elements among them.
 *
 * Ours holds whole records, so that a buffer begins and ends with one. Flink's may cut a record anywhere: also between the last buffer of an
 * input and the first of the output on the other side, which is why that one is read behind the end of the other.
 */
import type { ChannelStateHandle } from '../model/state-handles.ts'
import type { Schema } from '../model/schema.ts'
import type { DataBuffer } from '../model/wire.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { DataOutput } from '../state/serializers/data-output.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { readStreamElement, writeRecord, writeWatermark } from '../state/serializers/stream-element-serializer.ts'
import type { StreamElement } from '../state/serializers/stream-element-serializer.ts'
import type { BatchReader } from './batch-reader.ts'

const VERSION = 0
const LENGTH_BYTES = 4

/** What has not been read of the buffer that `reader` has open, without reading it. */
export function encodeRest(reader: BatchReader, schema: Schema): Uint8Array {
  const buffer = reader.buffer as DataBuffer
  const out = new DataOutput(buffer.bytes + LENGTH_BYTES)
  const watermarks = buffer.watermarks.slice(reader.watermarksRead)
  let next = 0
  for (let i = reader.index; i <= buffer.count; i++) {
    for (; next < watermarks.length && (watermarks[next] as { readonly index: number }).index <= i; next++) {
      const { value } = watermarks[next] as { readonly value: number }
      framed(out, () => writeWatermark(out, value))
    }
    if (i === buffer.count) break
    const timestamp = reader.timestamp(i)
    framed(out, () => writeRecord(out, schema, reader.value(i), timestamp === timestamp ? timestamp : null))
  }
  return out.toBytes()
}

/**
 * What a handle names in its file: the elements of all of its buffers, which follow each other as one stream. `continued`: the file of
 * `handle.continues`, if it has one. Throws `FormatError`. Flink: RecoveredInputChannel, SpillingAdaptiveSpanningRecordDeserializer.
 */
export function readChannelState(
  handle: Pick<ChannelStateHandle, 'offsets' | 'continues' | 'isContinued'>,
  file: Uint8Array,
  schema: Schema,
  continued: Uint8Array | null = null,
): StreamElement[] {
  const parts = buffersOf(handle.offsets, file)
  const head = handle.continues === undefined || continued === null ? null : cutRecord(joined(buffersOf(handle.continues.offsets, continued)))
  return decodeElements(joined(head === null ? parts : [head, ...parts]), schema, handle.isContinued === true)
}

function buffersOf(offsets: readonly number[], file: Uint8Array): Uint8Array[] {
  new DataInput(file).expectInt(VERSION, 'the version of a file of in-flight data')
  return offsets.map((offset) => {
    if (offset < LENGTH_BYTES || offset + LENGTH_BYTES > file.length) {
      throw new FormatError(`a file of in-flight data of ${file.length} bytes has no buffer at ${offset}`)
    }
    return new DataInput(file.subarray(offset)).readBlob('a buffer of in-flight data')
  })
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** What follows the last whole element. */
function cutRecord(bytes: Uint8Array): Uint8Array {
  const input = new DataInput(bytes)
  let end = 0
  while (!isCut(input)) {
    end = input.readCount('the length of a stream element', 1) + input.position
    input.position = end
  }
  return bytes.subarray(end)
}

/** Nothing, or less than an element, is left. */
function isCut(input: DataInput): boolean {
  if (input.remaining < LENGTH_BYTES) return true
  const at = input.position
  const length = input.readInt('the length of a stream element')
  const isShort = length > input.remaining
  input.position = at
  return isShort
}

function decodeElements(bytes: Uint8Array, schema: Schema, mayEndCut: boolean): StreamElement[] {
  const input = new DataInput(bytes)
  const elements: StreamElement[] = []
  while (input.remaining > 0 && !(mayEndCut && isCut(input))) {
    const end = input.readCount('the length of a stream element', 1) + input.position
    elements.push(readStreamElement(input, schema))
    if (input.position !== end) throw input.errorAt(input.position, `the end of a stream element at offset ${end}`, 'found another length')
  }
  return elements
}

function framed(out: DataOutput, write: () => void): void {
  const at = out.position
  out.writeInt(0)
  write()
  out.patchInt(at, out.position - at - LENGTH_BYTES)
}
