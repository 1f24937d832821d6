/** The key of a record by its key fields (DESIGN 8, 18): the field itself, or a tuple of several. Flink: KeySelector. */
import { fieldIndex, keySchema } from '../model/schema.ts'
import type { Scalar, Schema, Value } from '../model/schema.ts'

export class KeySelector {
  readonly schema: Schema
  /** Column of the only key field, -1 with several. */
  readonly column: number
  private readonly bare: boolean
  private readonly columns: readonly number[]

  constructor(record: Schema, keyFields: readonly string[]) {
    this.schema = keySchema(record, keyFields)
    this.bare = record.kind === 'bare'
    this.columns = keyFields.map((name) => fieldIndex(record, name))
    this.column = this.columns.length === 1 ? (this.columns[0] as number) : -1
  }

  keyOf(value: Value): Value {
    if (this.bare) return value
    const fields = value as readonly Scalar[]
    if (this.column >= 0) return fields[this.column] as Scalar
    const key = new Array<Scalar>(this.columns.length)
    for (let i = 0; i < key.length; i++) key[i] = fields[this.columns[i] as number] as Scalar
    return key
  }
}

/** A key or a value as text, for the eye. */
export const label = (value: Value): string => (typeof value === 'object' ? value.join(', ') : String(value))
