import type { Field, Value } from '../../workers/model/schema.ts'
import { fieldsOf, scalarText } from '../canvas/value-text.ts'

export function describeRow(row: Value, fields: readonly Field[]): { readonly value: string; readonly text: boolean }[] {
  const values = fieldsOf(row)
  return fields.map((field, index) => ({ value: scalarText(values[index]), text: field.type === 'String' }))
}
