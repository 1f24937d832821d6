/**
 * Lengths in Flink's encoding of a stream element in a network buffer: what segment sizes, backlog and metrics count. The bytes themselves
 * are not made on the hot path. Flink: StreamElementSerializer, SpanningRecordSerializer (`i4` length + tag + timestamp + value).
 */
import type { Schema } from '../model/schema.ts'

const LENGTH_PREFIX = 4
const TAG = 1
const TIMESTAMP = 8

export const RECORD_OVERHEAD = LENGTH_PREFIX + TAG
export const TIMESTAMP_LENGTH = TIMESTAMP
export const WATERMARK_LENGTH = LENGTH_PREFIX + TAG + TIMESTAMP

/** Bytes of a value without its strings: all fixed columns, and the null mask of a row (RowSerializer: two bits of kind, one per field). */
export function fixedValueLength(schema: Schema): number {
  let length = schema.kind === 'row' ? Math.ceil((schema.fields.length + 2) / 8) : 0
  for (const field of schema.fields) {
    switch (field.type) {
      case 'Double':
      case 'Long':
        length += 8
        break
      case 'Int':
        length += 4
        break
      case 'Boolean':
        length += 1
        break
      case 'String':
        break
    }
  }
  return length
}

/** StringValue: the length + 1 and every UTF-16 unit as varints. Computed once per word of a dictionary. */
export function stringLength(text: string): number {
  let length = varintLength(text.length + 1)
  for (let i = 0; i < text.length; i++) length += varintLength(text.charCodeAt(i))
  return length
}

function varintLength(value: number): number {
  let length = 1
  for (let rest = value >>> 7; rest !== 0; rest >>>= 7) length++
  return length
}

/** The shortest record of a schema: bounds how many fit into a segment. */
export function shortestRecordLength(schema: Schema): number {
  const strings = schema.fields.filter((field) => field.type === 'String').length
  return RECORD_OVERHEAD + fixedValueLength(schema) + strings
}
