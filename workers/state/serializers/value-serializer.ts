/**
 * Values in Flink's own encodings (StringSerializer, IntSerializer, LongSerializer, DoubleSerializer, BooleanSerializer,
 * TupleSerializer, RowSerializer). A Row is written with row kind INSERT and no nulls: values here have none.
 */
import type { FieldType, Scalar, Schema, Value } from '../../model/schema.ts'
import type { DataInput } from './data-input.ts'
import type { DataOutput } from './data-output.ts'
import { FormatError } from './format-error.ts'
import type { SerializerType } from './serializer-snapshot.ts'

/** A value as read for inspection: a Long beyond 2^53 is a bigint. */
export type InspectedScalar = Scalar | bigint
export type InspectedValue = InspectedScalar | readonly InspectedScalar[]

/** Bits before the null bits of a Row: its kind. */
const ROW_KIND_BITS = 2

export const rowMaskLength = (fields: number): number => Math.ceil((fields + ROW_KIND_BITS) / 8)

export function writeValue(out: DataOutput, schema: Schema, value: InspectedValue): void {
  const fields = schema.fields
  if (schema.kind === 'bare') {
    writeScalar(out, (fields[0] as { type: FieldType }).type, value as Scalar)
    return
  }
  if (schema.kind === 'row') {
    for (let i = rowMaskLength(fields.length); i > 0; i--) out.writeByte(0)
  }
  const values = value as readonly InspectedScalar[]
  if (values.length !== fields.length) throw new RangeError(`a ${schema.kind} of ${fields.length} fields was given ${values.length} values`)
  for (let i = 0; i < fields.length; i++) writeScalar(out, (fields[i] as { type: FieldType }).type, values[i] as InspectedScalar)
}

function writeScalar(out: DataOutput, type: FieldType, value: InspectedScalar): void {
  switch (type) {
    case 'String':
      return out.writeString(value as string)
    case 'Int':
      return out.writeInt(value as number)
    case 'Long':
      return out.writeLong(value as number | bigint)
    case 'Double':
      return out.writeDouble(value as number)
    case 'Boolean':
      return out.writeBoolean(value as boolean)
  }
}

/** A value for a running operator. Throws `UnsafeLongError` for a Long beyond 2^53, `FormatError` for anything malformed. */
export function readValue(input: DataInput, schema: Schema): Value {
  return read(input, schema, false) as Value
}

/** As it stands in a file, in the form that the file says. */
export function readStoredValue(input: DataInput, serializer: SerializerType): Value {
  if (serializer.kind !== 'schema') throw new FormatError(`a value of type ${serializer.kind} is none of an operator`)
  return read(input, serializer.schema, false, serializer.withoutRowKind === true ? 0 : ROW_KIND_BITS) as Value
}

/** A value for inspection: any Long. */
export const readInspected = (input: DataInput, schema: Schema): InspectedValue => read(input, schema, true)

function read(input: DataInput, schema: Schema, anyLong: boolean, rowKindBits = ROW_KIND_BITS): InspectedValue {
  const fields = schema.fields
  if (schema.kind === 'bare') return readScalar(input, (fields[0] as { type: FieldType }).type, anyLong)
  if (schema.kind === 'row') readRowMask(input, fields.length, rowKindBits)
  const values = new Array<InspectedScalar>(fields.length)
  for (let i = 0; i < fields.length; i++) values[i] = readScalar(input, (fields[i] as { type: FieldType }).type, anyLong)
  return values
}

/** Row kind (any is accepted, none is kept) and one null bit per field, high bit first; a null is refused. */
function readRowMask(input: DataInput, fields: number, kindBits: number): void {
  const start = input.position
  const mask = input.readBytes(Math.ceil((fields + kindBits) / 8), 'the mask of a Row')
  for (let i = 0; i < fields; i++) {
    const bit = i + kindBits
    if ((((mask[bit >> 3] as number) >> (7 - (bit & 7))) & 1) === 1) {
      throw input.errorAt(start, 'a Row without nulls', `field ${i} is null`)
    }
  }
}

function readScalar(input: DataInput, type: FieldType, anyLong: boolean): InspectedScalar {
  switch (type) {
    case 'String':
      return input.readString()
    case 'Int':
      return input.readInt('an Int')
    case 'Long':
      return anyLong ? input.readAnyLong('a Long') : input.readLong('a Long')
    case 'Double':
      return input.readDouble('a Double')
    case 'Boolean':
      return input.readBoolean('a Boolean')
  }
}
