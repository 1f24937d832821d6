/**
 * Writes values of one schema, the same bytes as `writeValue`, for where there are a million of them: what the schema says is looked up
 * once, and no room is asked for field by field, since lengths are known beforehand.
 */
import type { FieldType, Scalar, Schema, Value } from '../../model/schema.ts'
import { encodedStringLength, fixedLength } from './encoded-length.ts'
import { putBoolean, putDouble, putInt, putLong, putString } from './put.ts'
import { rowMaskLength } from './value-serializer.ts'

const NOT_BARE = null

/** Immutable. */
export class ValueEncoder {
  private readonly bare: FieldType | null
  private readonly types: readonly FieldType[]
  private readonly strings: readonly number[]
  private readonly maskLength: number
  private readonly fixedLength: number

  constructor(schema: Schema) {
    this.types = schema.fields.map(({ type }) => type)
    this.bare = schema.kind === 'bare' ? (this.types[0] as FieldType) : NOT_BARE
    this.strings = this.types.flatMap((type, field) => (type === 'String' ? [field] : []))
    this.maskLength = schema.kind === 'row' ? rowMaskLength(this.types.length) : 0
    this.fixedLength = fixedLength(schema)
  }

  /** All values of the schema are of the same length. */
  get isFixed(): boolean {
    return this.strings.length === 0
  }

  /** How many bytes `put` writes. */
  length(value: Value): number {
    if (this.strings.length === 0) return this.fixedLength
    if (this.bare !== NOT_BARE) return encodedStringLength(value as string)
    let length = this.fixedLength
    for (const field of this.strings) length += encodedStringLength((value as readonly Scalar[])[field] as string)
    return length
  }

  /** How much longer the second is than the first; a text that stays costs a comparison. */
  growth(from: Value, to: Value): number {
    if (this.isFixed) return 0
    if (this.bare !== NOT_BARE) return stringGrowth(from as string, to as string)
    let growth = 0
    for (const field of this.strings) growth += stringGrowth((from as readonly Scalar[])[field] as string, (to as readonly Scalar[])[field] as string)
    return growth
  }

  /** Returns the offset behind the value. */
  put(bytes: Uint8Array, start: number, value: Value): number {
    if (this.bare !== NOT_BARE) return putScalar(bytes, start, this.bare, value as Scalar)
    const { types } = this
    const fields = value as readonly Scalar[]
    if (fields.length !== types.length) throw new RangeError(`a value of ${types.length} fields was given ${fields.length} values`)
    let at = start
    for (let i = this.maskLength; i > 0; i--) bytes[at++] = 0
    for (let i = 0; i < types.length; i++) at = putScalar(bytes, at, types[i] as FieldType, fields[i] as Scalar)
    return at
  }
}

const stringGrowth = (from: string, to: string): number => (from === to ? 0 : encodedStringLength(to) - encodedStringLength(from))

function putScalar(bytes: Uint8Array, at: number, type: FieldType, value: Scalar): number {
  switch (type) {
    case 'String':
      return putString(bytes, at, value as string)
    case 'Int':
      return putInt(bytes, at, value as number)
    case 'Long':
      return putLong(bytes, at, value as number)
    case 'Double':
      return putDouble(bytes, at, value as number)
    case 'Boolean':
      return putBoolean(bytes, at, value as boolean)
  }
}
