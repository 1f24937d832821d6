/**
 * Lengths in Flink's encodings, without encoding: what segments, metrics and in-flight sizes count (DESIGN 8, 8). Called per
 * record at most; the network layer keeps the lengths of dictionary words.
 */
import type { FieldType, Scalar, Schema, Value } from '../../model/schema.ts'
import { rowMaskLength } from './value-serializer.ts'

/** Length prefix, tag of the stream element. */
const RECORD_OVERHEAD = 4 + 1
const TIMESTAMP_LENGTH = 8
/** From this length on the search for a character beyond ASCII is faster than a look at each. */
const SEARCH_FROM_LENGTH = 64
const BEYOND_ASCII = /[\u0080-\uffff]/

/** Length of a String: length + 1 and every UTF-16 code unit, 7 bits a byte. */
export function encodedStringLength(text: string): number {
  const length = text.length
  let bytes = varintLength(length + 1) + length
  if (length >= SEARCH_FROM_LENGTH && !BEYOND_ASCII.test(text)) return bytes
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c >= 0x80) bytes += c < 0x4000 ? 1 : 2
  }
  return bytes
}

export function encodedValueLength(schema: Schema, value: Value): number {
  const fields = schema.fields
  if (schema.kind === 'bare') return scalarLength((fields[0] as { type: FieldType }).type, value as Scalar)
  const values = value as readonly Scalar[]
  let bytes = schema.kind === 'row' ? rowMaskLength(fields.length) : 0
  for (let i = 0; i < fields.length; i++) bytes += scalarLength((fields[i] as { type: FieldType }).type, values[i] as Scalar)
  return bytes
}

/** The fixed part of every value of the schema (mask and fields of fixed length); a String adds `encodedStringLength`. */
export function fixedLength(schema: Schema): number {
  let bytes = schema.kind === 'row' ? rowMaskLength(schema.fields.length) : 0
  for (const field of schema.fields) if (field.type !== 'String') bytes += scalarLength(field.type, 0)
  return bytes
}

/** A record on the wire: four bytes of length, the tag, the timestamp if it has one, the value. */
export const recordLength = (schema: Schema, value: Value, hasTimestamp: boolean): number =>
  recordOverhead(hasTimestamp) + encodedValueLength(schema, value)

/** What a record on the wire has beside its value. */
export const recordOverhead = (hasTimestamp: boolean): number => RECORD_OVERHEAD + (hasTimestamp ? TIMESTAMP_LENGTH : 0)

/** A watermark on the wire. */
export const WATERMARK_LENGTH = RECORD_OVERHEAD + TIMESTAMP_LENGTH

function scalarLength(type: FieldType, value: Scalar): number {
  switch (type) {
    case 'String':
      return encodedStringLength(value as string)
    case 'Int':
      return 4
    case 'Long':
    case 'Double':
      return 8
    case 'Boolean':
      return 1
  }
}

function varintLength(value: number): number {
  let bytes = 1
  for (let rest = value; rest >= 0x80; rest /= 128) bytes++
  return bytes
}
