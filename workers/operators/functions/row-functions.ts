/** Built-in functions over whole rows and numbers. */
import { safeLong } from '../../state/serializers/unsafe-long.ts'
import type { FilterOperation } from '../../model/catalogue/functions.ts'
import type { Scalar, Schema } from '../../model/schema.ts'
import type { CompiledFunction } from '../user-function.ts'
import { fieldOf, withField } from './text-functions.ts'

export const identity = (input: Schema): CompiledFunction => ({ output: input, call: (value, emit) => emit(value) })

export const project = (input: Schema, output: Schema, fields: readonly number[]): CompiledFunction => ({
  output,
  call: (value, emit) => emit(input.kind === 'bare' ? value : fields.map((field) => (value as readonly Scalar[])[field] as Scalar)),
})

/** An Int that leaves its 32 bits and a Long beyond 2^53 are refused (Java would wrap around in silence). */
export function addConstant(input: Schema, field: number, amount: number): CompiledFunction {
  const type = input.fields[field]?.type
  const name = input.fields[field]?.name ?? ''
  return {
    output: input,
    call: (value, emit) => {
      const sum = (fieldOf(input, value, field) as number) + amount
      if (type === 'Long') safeLong(sum, name)
      if (type === 'Int' && sum !== (sum | 0)) throw new RangeError(`${sum} is not an Int (a whole number of 32 bits): field ${name}`)
      emit(withField(input, value, field, sum))
    },
  }
}

export const repeat = (input: Schema, times: number): CompiledFunction => ({
  output: input,
  call: (value, emit) => {
    for (let i = 0; i < times; i++) emit(value)
  },
})

/** Emits the value if the comparison holds. Texts are compared by code units, as Java's `compareTo`. */
export function compare(input: Schema, field: number, operation: FilterOperation, constant: Scalar): CompiledFunction {
  return {
    output: input,
    call: (value, emit) => {
      if (holds(fieldOf(input, value, field), operation, constant)) emit(value)
    },
  }
}

function holds(value: Scalar, operation: FilterOperation, constant: Scalar): boolean {
  switch (operation) {
    case '==':
      return value === constant
    case '!=':
      return value !== constant
    case '<':
      return value < constant
    case '<=':
      return value <= constant
    case '>':
      return value > constant
    case '>=':
      return value >= constant
    case 'contains':
      return String(value).includes(String(constant))
    case 'starts-with':
      return String(value).startsWith(String(constant))
  }
}
