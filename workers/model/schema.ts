/**
 * Types of records and of state. In memory a value of a *bare* schema is a JavaScript primitive, a row or tuple is a read-only
 * array of primitives in field order. A Long is a safe integer; one beyond 2^53 is refused, never rounded.
 */
export type FieldType = 'String' | 'Int' | 'Long' | 'Double' | 'Boolean'

export interface Field {
  readonly name: string
  readonly type: FieldType
}

/** `bare`: exactly one field, the value itself. `tuple`: Flink's Tuple serializer. `row`: Flink's Row serializer. */
export interface Schema {
  readonly kind: 'bare' | 'tuple' | 'row'
  readonly fields: readonly Field[]
}

export type Scalar = string | number | boolean
export type Value = Scalar | readonly Scalar[]

export const bare = (type: FieldType, name = 'value'): Schema => ({ kind: 'bare', fields: [{ name, type }] })

export const fieldIndex = (schema: Schema, name: string): number => schema.fields.findIndex((field) => field.name === name)

/** The key of a record by its key fields: one field = that bare type, several = a tuple of them (DESIGN 8, 18). */
export function keySchema(schema: Schema, keyFields: readonly string[]): Schema {
  const fields = keyFields.map((name) => {
    const field = schema.fields[fieldIndex(schema, name)]
    if (field === undefined) throw new RangeError(`no field ${name}`)
    return field
  })
  return fields.length === 1 ? { kind: 'bare', fields } : { kind: 'tuple', fields }
}
