/** A key as somebody types it, in the type that a snapshot keeps it in: a text, a number, `true`, or a JSON list for a tuple. */
import type { Field, FieldType, Scalar, Schema, Value } from '../model/schema.ts'
import { describeType } from './types/describe-type.ts'
import type { TypeInfo } from './types/type-info.ts'

export interface SearchedKey {
  readonly value: Value
  readonly schema: Schema
}

/** Null where the text is no such key, and for a type whose hash is not known here (DESIGN 8, 18). */
export function keyOf(text: string, type: TypeInfo): SearchedKey | null {
  if (type.kind !== 'record') {
    const field = hashedType(type)
    const value = field === null ? null : scalarOf(text, field)
    return field === null || value === null ? null : { value, schema: { kind: 'bare', fields: [{ name: 'value', type: field }] } }
  }
  const texts = /^Tuple\d+$/.test(type.name) ? fieldsOf(text) : null
  if (texts === null || texts.length !== type.fields.length) return null
  const fields: Field[] = []
  const values: Scalar[] = []
  for (const [i, one] of type.fields.entries()) {
    const field = hashedType(one.type)
    const value = field === null ? null : scalarOf(texts[i] ?? '', field)
    if (field === null || value === null) return null
    fields.push({ name: one.name, type: field })
    values.push(value)
  }
  return { value: values, schema: { kind: 'tuple', fields } }
}

/** The elements of a JSON list of scalars as texts; null for anything else. */
export function fieldsOf(text: string): readonly string[] | null {
  if (!text.trim().startsWith('[')) return null
  try {
    const list: unknown = JSON.parse(text)
    if (!Array.isArray(list)) return null
    const isScalar = (element: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof element)
    return list.every(isScalar) ? list.map(String) : null
  } catch {
    return null
  }
}

function hashedType(type: TypeInfo): FieldType | null {
  const name = describeType(type)
  return name === 'String' || name === 'Int' || name === 'Long' || name === 'Boolean' ? name : null
}

function scalarOf(text: string, type: FieldType): Scalar | null {
  if (type === 'String') return text
  if (type === 'Boolean') return text === 'true' ? true : text === 'false' ? false : null
  const number = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(number)) return null
  return type === 'Int' && number !== (number | 0) ? null : number
}
