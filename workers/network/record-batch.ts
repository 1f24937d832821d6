/**
 * The layout of a buffer's payload: whole records as columns in one ArrayBuffer. Flink keeps serialized rows in a segment; ours are columns
 * because a transferred buffer with a dictionary for strings moves several times more records (LIMITS, record transport). Where a buffer
 * is full is still decided in bytes of Flink's encoding.
 *
 *     | timestamps f64 | Double, Long f64 … | Int i32 … | String u32 … | Boolean u8 … |     each column `capacity` long
 *
 * Eight-byte columns come first, so that every column is aligned. A timestamp that is NaN means "none". A String is the number of a word in
 * the channel's dictionary; new words travel beside the payload (model/wire.ts).
 */
import type { FieldType, Schema } from '../model/schema.ts'
import { fixedLength, recordOverhead } from '../state/serializers/encoded-length.ts'
import { RECORDS_PER_BUFFER_MAX } from './network-limits.ts'

/** Column kinds as small integers: a `switch` over them stays a jump table. */
export const KIND_FLOAT64 = 0
export const KIND_INT32 = 1
export const KIND_STRING = 2
export const KIND_BOOLEAN = 3

export interface BatchLayout {
  readonly bare: boolean
  /** A row of a word and a number. */
  readonly hasFigure: boolean
  readonly columns: number
  /** Per column: its kind, and where it starts, counted in elements of that kind's width. */
  readonly kinds: readonly number[]
  readonly bases: readonly number[]
  readonly capacity: number
  readonly byteLength: number
  /** Encoded length of a record with and without a timestamp, less its strings. */
  readonly timedLength: number
  readonly untimedLength: number
  /** Buffers close at this encoded length. */
  readonly segmentBytes: number
}

const WIDTHS = [8, 4, 4, 1]

/** Both ends of a channel compute it from the edge's schema and the segment size. */
export function batchLayout(schema: Schema, segmentBytes: number): BatchLayout {
  const capacity = Math.max(1, Math.min(RECORDS_PER_BUFFER_MAX, Math.ceil(segmentBytes / shortestRecordLength(schema))))
  const kinds = schema.fields.map((field) => kindOf(field.type))
  const bases = new Array<number>(kinds.length).fill(0)
  let offset = 8 * capacity
  for (const kind of [KIND_FLOAT64, KIND_INT32, KIND_STRING, KIND_BOOLEAN]) {
    const width = WIDTHS[kind] as number
    for (let column = 0; column < kinds.length; column++) {
      if (kinds[column] !== kind) continue
      bases[column] = offset / width
      offset += width * capacity
    }
  }
  return {
    bare: schema.kind === 'bare',
    hasFigure: schema.kind !== 'bare' && kinds.length === 2 && kinds[0] === KIND_STRING && (kinds[1] === KIND_FLOAT64 || kinds[1] === KIND_INT32),
    columns: kinds.length,
    kinds,
    bases,
    capacity,
    byteLength: Math.ceil(offset / 8) * 8,
    timedLength: recordOverhead(true) + fixedLength(schema),
    untimedLength: recordOverhead(false) + fixedLength(schema),
    segmentBytes,
  }
}

/** An empty String still takes a byte. */
function shortestRecordLength(schema: Schema): number {
  const strings = schema.fields.filter((field) => field.type === 'String').length
  return recordOverhead(false) + fixedLength(schema) + strings
}

function kindOf(type: FieldType): number {
  switch (type) {
    case 'Double':
    case 'Long':
      return KIND_FLOAT64
    case 'Int':
      return KIND_INT32
    case 'String':
      return KIND_STRING
    case 'Boolean':
      return KIND_BOOLEAN
  }
}
