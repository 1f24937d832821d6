/** Stateless operators of the catalogue in the plain model. */
import { fieldIndex, type Scalar, type Value } from '../model/schema.ts'
import { fieldOf, type Bag, type KeyedInput } from './plain-values.ts'

type Params = Readonly<Record<string, unknown>>

const each = (input: KeyedInput, change: (value: Value) => Value): Bag => ({ rows: input.bag.rows.map(change), certainty: input.bag.certainty })

export function evaluateMap(input: KeyedInput, params: Params): Bag {
  switch (params['function'] ?? 'identity') {
    case 'upper-case':
      return each(input, (value) => changed(value, input, params, 'String', (text) => String(text).toUpperCase()))
    case 'lower-case':
      return each(input, (value) => changed(value, input, params, 'String', (text) => String(text).toLowerCase()))
    case 'add-constant':
      return each(input, (value) => changed(value, input, params, 'number', (number) => Number(number) + Number(params['amount'])))
    case 'project':
      return each(input, (value) => (Array.isArray(value) ? (params['fields'] as string[]).map((name) => fieldOf(value, input.schema, name)) : value))
    case 'length':
      return each(input, (value) => {
        const length = String(Array.isArray(value) ? value[target(input, params, 'String')] : value).length
        return Array.isArray(value) ? [...(value as readonly Scalar[]), length] : [value as Scalar, length]
      })
    default:
      return input.bag
  }
}

function changed(value: Value, input: KeyedInput, params: Params, kind: 'String' | 'number', change: (field: Scalar) => Scalar): Value {
  if (!Array.isArray(value)) return change(value as Scalar)
  const copy = [...(value as readonly Scalar[])]
  const index = target(input, params, kind)
  copy[index] = change(copy[index] as Scalar)
  return copy
}

/** The named field, or the first of the kind. */
function target(input: KeyedInput, params: Params, kind: 'String' | 'number'): number {
  const name = params['field']
  if (typeof name === 'string') return fieldIndex(input.schema, name)
  return input.schema.fields.findIndex((field) => (kind === 'String' ? field.type === 'String' : ['Int', 'Long', 'Double'].includes(field.type)))
}

export function evaluateFilter(input: KeyedInput, params: Params): Bag {
  const constant = params['value'] as Scalar
  const passes = (value: Value): boolean => {
    const field = fieldOf(value, input.schema, String(params['field']))
    switch (params['op']) {
      case '!=':
        return field !== constant
      case '<':
        return field < constant
      case '<=':
        return field <= constant
      case '>':
        return field > constant
      case '>=':
        return field >= constant
      case 'contains':
        return String(field).includes(String(constant))
      case 'starts-with':
        return String(field).startsWith(String(constant))
      default:
        return field === constant
    }
  }
  return { rows: input.bag.rows.filter(passes), certainty: input.bag.certainty === 'exact' ? 'exact' : 'open' }
}

export function evaluateFlatMap(input: KeyedInput, params: Params): Bag {
  if (params['function'] === 'repeat') {
    const times = Number(params['times'] ?? 2)
    return { rows: input.bag.rows.flatMap((value) => new Array<Value>(times).fill(value)), certainty: input.bag.certainty }
  }
  const index = target(input, params, 'String')
  const rows = input.bag.rows.flatMap((value): Value[] => {
    const text = String(Array.isArray(value) ? value[index] : value)
    const words = text.split(/\s+/).filter((word) => word !== '')
    return words.map((word) => (Array.isArray(value) ? Object.assign([...(value as readonly Scalar[])], { [index]: word }) : word))
  })
  return { rows, certainty: input.bag.certainty === 'exact' ? 'exact' : 'open' }
}
