/** The schemas of the built-in functions (workers/operators/functions has what they do). Flink: MapFunction, FilterFunction, FlatMapFunction. */
import { err, ok, type Result } from '../../base/result.ts'
import { bare, fieldIndex, type Field, type FieldType, type Schema } from '../schema.ts'
import type { ParameterMistake } from './operator-type.ts'

type Params = Readonly<Record<string, unknown>>
type Inferred = Result<Schema, ParameterMistake>

export const MAP_FUNCTIONS = [
  { value: 'identity', title: 'unchanged' },
  { value: 'upper-case', title: 'upper case' },
  { value: 'lower-case', title: 'lower case' },
  { value: 'project', title: 'keep some fields' },
  { value: 'add-constant', title: 'add a number to a field' },
  { value: 'length', title: 'append the length of a text' },
] as const

export const FLAT_MAP_FUNCTIONS = [
  { value: 'split-words', title: 'split a text into words' },
  { value: 'repeat', title: 'repeat each record' },
] as const

export const FILTER_OPERATIONS = ['==', '!=', '<', '<=', '>', '>=', 'contains', 'starts-with'] as const
export type FilterOperation = (typeof FILTER_OPERATIONS)[number]

/** The field that a text function works on: the named one, or the first String. */
export function textField(input: Schema, params: Params): Result<number, ParameterMistake> {
  return typedField(input, params, ['String'], 'a text')
}

export function numberField(input: Schema, params: Params): Result<number, ParameterMistake> {
  return typedField(input, params, ['Int', 'Long', 'Double'], 'a number')
}

function typedField(input: Schema, params: Params, types: readonly FieldType[], what: string): Result<number, ParameterMistake> {
  const name = params['field']
  const index = typeof name === 'string' ? fieldIndex(input, name) : input.fields.findIndex((field) => types.includes(field.type))
  const field = input.fields[index]
  const candidates = input.fields.filter((candidate) => types.includes(candidate.type)).map((candidate) => candidate.name)
  const cure = candidates.length === 0 ? 'The input has no such field: choose another function.' : `Choose one of: ${candidates.join(', ')}.`
  if (field === undefined) return err({ parameter: 'field', message: `This function needs a field with ${what}.`, cure })
  return types.includes(field.type) ? ok(index) : err({ parameter: 'field', message: `The field "${field.name}" is a ${field.type}: this function needs ${what}.`, cure })
}

export function inferMap(input: Schema, params: Params): Inferred {
  switch (String(params['function'] ?? 'identity')) {
    case 'upper-case':
    case 'lower-case': {
      const field = textField(input, params)
      return field.ok ? ok(input) : field
    }
    case 'add-constant':
      return inferAddConstant(input, params)
    case 'project':
      return ok(project(input, (params['fields'] ?? []) as readonly string[]))
    case 'length': {
      const field = textField(input, params)
      return field.ok ? appendField(input, { name: 'length', type: 'Int' }) : field
    }
    default:
      return ok(input)
  }
}

/** One field stays a row of one: a projection never turns into a bare value by itself. */
function project(input: Schema, names: readonly string[]): Schema {
  const fields = names.map((name) => input.fields[fieldIndex(input, name)]).filter((field): field is Field => field !== undefined)
  return { kind: input.kind === 'bare' ? 'bare' : input.kind, fields }
}

function inferAddConstant(input: Schema, params: Params): Inferred {
  const field = numberField(input, params)
  if (!field.ok) return field
  const type = input.fields[field.value]?.type
  if (type !== 'Double' && !Number.isSafeInteger(params['amount'])) {
    return err({ parameter: 'amount', message: `A ${type} takes whole numbers only.`, cure: 'Give a whole number.' })
  }
  return ok(input)
}

/** A bare value becomes a tuple. */
export function appendField(input: Schema, field: Field): Inferred {
  if (fieldIndex(input, field.name) >= 0) {
    return err({ parameter: null, message: `The input has a field "${field.name}" already.`, cure: 'Project it away before this operator.' })
  }
  return ok({ kind: input.kind === 'bare' ? 'tuple' : input.kind, fields: [...input.fields, field] })
}

export function inferFilter(input: Schema, params: Params): Inferred {
  const field = input.fields[fieldIndex(input, String(params['field']))]
  if (field === undefined) return ok(input)
  const operation = String(params['op']) as FilterOperation
  const isText = operation === 'contains' || operation === 'starts-with'
  if (isText && field.type !== 'String') {
    return err({ parameter: 'op', message: `"${operation}" compares texts, and "${field.name}" is a ${field.type}.`, cure: 'Choose a field of type String, or another comparison.' })
  }
  if (field.type === 'Boolean' && operation !== '==' && operation !== '!=') {
    return err({ parameter: 'op', message: `"${operation}" has no meaning for true and false.`, cure: 'Choose == or !=.' })
  }
  const expected = field.type === 'String' ? 'string' : field.type === 'Boolean' ? 'boolean' : 'number'
  if (typeof params['value'] !== expected) {
    return err({ parameter: 'value', message: `"${field.name}" is a ${field.type}, and is compared with ${JSON.stringify(params['value'])}.`, cure: `Give a ${expected === 'string' ? 'text' : expected}.` })
  }
  return ok(input)
}

/** Splitting a bare text gives bare words; splitting a field of a row gives the row once per word. */
export function inferFlatMap(input: Schema, params: Params): Inferred {
  if (String(params['function'] ?? 'split-words') === 'repeat') return ok(input)
  const field = textField(input, params)
  if (!field.ok) return field
  return ok(input.kind === 'bare' ? bare('String', 'word') : input)
}
