/** Built-in maps over a text field. */
import type { Scalar, Schema, Value } from '../../model/schema.ts'
import type { CompiledFunction } from '../user-function.ts'

/** The value with field `index` replaced. */
export function withField(schema: Schema, value: Value, index: number, field: Scalar): Value {
  if (schema.kind === 'bare') return field
  const copy = (value as readonly Scalar[]).slice()
  copy[index] = field
  return copy
}

export const fieldOf = (schema: Schema, value: Value, index: number): Scalar =>
  schema.kind === 'bare' ? (value as Scalar) : ((value as readonly Scalar[])[index] as Scalar)

/** Without regard to any locale, as `String.toUpperCase(Locale.ROOT)`. */
export const upperCase = (input: Schema, field: number): CompiledFunction => ({
  output: input,
  call: (value, emit) => emit(withField(input, value, field, String(fieldOf(input, value, field)).toUpperCase())),
})

export const lowerCase = (input: Schema, field: number): CompiledFunction => ({
  output: input,
  call: (value, emit) => emit(withField(input, value, field, String(fieldOf(input, value, field)).toLowerCase())),
})

/** Appends the number of UTF-16 code units, as Java's `length()`. */
export const appendLength = (input: Schema, output: Schema, field: number): CompiledFunction => ({
  output,
  call: (value, emit) => {
    const fields = input.kind === 'bare' ? [value as Scalar] : (value as readonly Scalar[])
    emit([...fields, String(fields[field]).length])
  },
})

/** Splits at white space; a text without words gives nothing. */
export const splitWords = (input: Schema, output: Schema, field: number): CompiledFunction => ({
  output,
  call: (value, emit) => {
    for (const word of String(fieldOf(input, value, field)).split(/\s+/)) {
      if (word !== '') emit(withField(input, value, field, word))
    }
  },
})
