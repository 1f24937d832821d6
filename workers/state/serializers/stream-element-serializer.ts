/**
 * Records and watermarks as they stand in a network buffer and in channel state. Flink: StreamElementSerializer.
 *
 *   record with timestamp     00 | i8 timestamp | value
 *   record without timestamp  01 | value
 *   watermark                 02 | i8 timestamp
 *
 * Latency markers (3), watermark status (4) and record attributes (5) do not occur here.
 */
import type { Schema, Value } from '../../model/schema.ts'
import { MAX_WATERMARK, MIN_WATERMARK } from '../../model/time.ts'
import type { DataInput } from './data-input.ts'
import type { DataOutput } from './data-output.ts'
import { UnsafeLongError } from './unsafe-long.ts'
import { readValue, writeValue } from './value-serializer.ts'

const TAG_RECORD_WITH_TIMESTAMP = 0
const TAG_RECORD_WITHOUT_TIMESTAMP = 1
const TAG_WATERMARK = 2
const LONG_MIN = -(2n ** 63n)
const LONG_MAX = 2n ** 63n - 1n

export type StreamElement =
  | { readonly kind: 'record'; readonly value: Value; readonly timestamp: number | null }
  | { readonly kind: 'watermark'; readonly timestamp: number }

export function writeRecord(out: DataOutput, schema: Schema, value: Value, timestamp: number | null): void {
  if (timestamp === null) {
    out.writeByte(TAG_RECORD_WITHOUT_TIMESTAMP)
  } else {
    out.writeByte(TAG_RECORD_WITH_TIMESTAMP)
    writeTimestamp(out, timestamp)
  }
  writeValue(out, schema, value)
}

export function writeWatermark(out: DataOutput, timestamp: number): void {
  out.writeByte(TAG_WATERMARK)
  writeTimestamp(out, timestamp)
}

export function readStreamElement(input: DataInput, schema: Schema): StreamElement {
  const start = input.position
  const tag = input.readByte('the tag of a stream element')
  switch (tag) {
    case TAG_RECORD_WITH_TIMESTAMP: {
      const timestamp = readTimestamp(input)
      return { kind: 'record', value: readValue(input, schema), timestamp }
    }
    case TAG_RECORD_WITHOUT_TIMESTAMP:
      return { kind: 'record', value: readValue(input, schema), timestamp: null }
    case TAG_WATERMARK:
      return { kind: 'watermark', timestamp: readTimestamp(input) }
    default:
      throw input.errorAt(start, 'the tag of a record (0, 1) or watermark (2)', `found ${tag}`)
  }
}

/** ±Infinity inside, Long.MIN_VALUE and Long.MAX_VALUE in bytes (DESIGN 8, 19). */
export function writeTimestamp(out: DataOutput, timestamp: number): void {
  out.writeLong(timestamp === MIN_WATERMARK ? LONG_MIN : timestamp === MAX_WATERMARK ? LONG_MAX : timestamp)
}

export function readTimestamp(input: DataInput): number {
  const value = input.readAnyLong('a timestamp')
  if (typeof value === 'number') return value
  if (value === LONG_MIN) return MIN_WATERMARK
  if (value === LONG_MAX) return MAX_WATERMARK
  throw new UnsafeLongError(String(value), 'a timestamp')
}
