/** Checks the parameters of one operator against its catalogue entry. Fields are checked against input 1. */
import { parseDuration } from '../options/values.ts'
import { fieldIndex, type Schema } from '../schema.ts'
import { AGGREGATE_FUNCTIONS, type OperatorType, type Parameter, type ParameterMistake } from './operator-type.ts'

type Params = Readonly<Record<string, unknown>>

export function checkParameters(type: OperatorType, params: Params, input: Schema | null): readonly ParameterMistake[] {
  const mistakes: ParameterMistake[] = []
  for (const name of Object.keys(params)) {
    if (type.parameters.some((parameter) => parameter.name === name)) continue
    const known = type.parameters.map((parameter) => parameter.name)
    mistakes.push({ parameter: name, message: `${type.type} has no parameter "${name}".`, cure: known.length === 0 ? 'Remove it.' : `Remove it. There are: ${known.join(', ')}.` })
  }
  for (const parameter of type.parameters) {
    if (!applies(parameter, type, params)) continue
    const value = params[parameter.name]
    if (value === undefined) {
      if (parameter.required === true) mistakes.push({ parameter: parameter.name, message: `The parameter "${parameter.name}" is missing.`, cure: parameter.help })
      continue
    }
    const mistake = checkValue(parameter, value, input)
    if (mistake !== null) mistakes.push({ parameter: parameter.name, ...mistake })
  }
  return mistakes
}

/** Whether the parameter means something with these values of the others. */
export function applies(parameter: Parameter, type: OperatorType, params: Params): boolean {
  const when = parameter.when
  if (when === undefined) return true
  const other = type.parameters.find((candidate) => candidate.name === when.parameter)
  const value = params[when.parameter] ?? (other !== undefined && 'default' in other ? other.default : undefined)
  return typeof value === 'string' && when.oneOf.includes(value)
}

type Mistake = Omit<ParameterMistake, 'parameter'>

function checkValue(parameter: Parameter, value: unknown, input: Schema | null): Mistake | null {
  const shown = JSON.stringify(value)
  switch (parameter.kind) {
    case 'topic':
    case 'text':
      return typeof value === 'string' && value !== '' ? null : { message: `${shown} is not a name.`, cure: parameter.help }
    case 'field':
      return typeof value === 'string' ? checkField(value, input) : { message: `${shown} is not the name of a field.`, cure: parameter.help }
    case 'fields':
      return checkFields(value, input, parameter.help)
    case 'integer':
    case 'number':
      return checkNumber(parameter, value)
    case 'rate':
      if (value === null || (typeof value === 'number' && value >= 0 && value <= 1e9)) return null
      return { message: `${shown} is not a rate.`, cure: 'Give records per second, or null for as fast as possible.' }
    case 'choice': {
      const values = parameter.choices.map((choice) => choice.value)
      return typeof value === 'string' && values.includes(value) ? null : { message: `${shown} is not known.`, cure: `Choose one of: ${values.join(', ')}.` }
    }
    case 'boolean':
      return typeof value === 'boolean' ? null : { message: `${shown} is neither true nor false.`, cure: 'Write true or false.' }
    case 'duration': {
      const parsed = typeof value === 'string' || typeof value === 'number' ? parseDuration(value) : null
      return parsed?.ok === true ? null : { message: `${shown} is not a duration.`, cure: 'Write a whole number and a unit, as in "10 s".' }
    }
    case 'scalar':
      return ['string', 'number', 'boolean'].includes(typeof value) ? null : { message: `${shown} is not a constant.`, cure: 'Give a text, a number, true or false.' }
    case 'aggregates':
      return checkAggregates(value, input)
  }
}

function checkNumber(parameter: Extract<Parameter, { kind: 'integer' | 'number' }>, value: unknown): Mistake | null {
  if (value === null && parameter.nullable === true) return null
  const whole = parameter.kind === 'integer'
  const isNumber = typeof value === 'number' && (whole ? Number.isSafeInteger(value) : Number.isFinite(value))
  if (!isNumber) return { message: `${JSON.stringify(value)} is not a ${whole ? 'whole ' : ''}number.`, cure: parameter.help }
  if (value < parameter.min || value > parameter.max) {
    return { message: `${value} is outside ${parameter.min} to ${parameter.max}.`, cure: `Give a number from ${parameter.min} to ${parameter.max}.` }
  }
  return null
}

/** The input has the field; null input (not known because of another mistake) passes. */
export function checkField(name: string, input: Schema | null): Mistake | null {
  if (input === null || fieldIndex(input, name) >= 0) return null
  return { message: `The input has no field "${name}".`, cure: `It has: ${input.fields.map((field) => `${field.name} (${field.type})`).join(', ')}.` }
}

function checkFields(value: unknown, input: Schema | null, help: string): Mistake | null {
  if (!Array.isArray(value) || value.length === 0) return { message: `${JSON.stringify(value)} is not a list of fields.`, cure: help }
  for (const name of value as unknown[]) {
    if (typeof name !== 'string') return { message: `${JSON.stringify(name)} is not the name of a field.`, cure: help }
    const mistake = checkField(name, input)
    if (mistake !== null) return mistake
  }
  return new Set(value).size === value.length ? null : { message: 'A field is named twice.', cure: 'Name each field once.' }
}

const AGGREGATE_HELP = 'Write a list such as [{ "fn": "count", "as": "n" }, { "fn": "sum", "field": "value", "as": "total" }].'

function checkAggregates(value: unknown, input: Schema | null): Mistake | null {
  if (!Array.isArray(value) || value.length === 0) return { message: `${JSON.stringify(value)} is not a list of aggregates.`, cure: AGGREGATE_HELP }
  const names = new Set<string>()
  for (const item of value as unknown[]) {
    const spec = (item ?? {}) as Record<string, unknown>
    const fn = AGGREGATE_FUNCTIONS.find((name) => name === spec['fn'])
    if (fn === undefined) return { message: `${JSON.stringify(spec['fn'])} is not an aggregate.`, cure: `Choose one of: ${AGGREGATE_FUNCTIONS.join(', ')}.` }
    const as = spec['as']
    if (typeof as !== 'string' || as === '') return { message: `An aggregate ${fn} has no name for its result ("as").`, cure: AGGREGATE_HELP }
    if (names.has(as)) return { message: `Two results are called "${as}".`, cure: 'Give each aggregate another name ("as").' }
    names.add(as)
    const mistake = checkAggregateField(fn, spec['field'], input)
    if (mistake !== null) return mistake
  }
  return null
}

function checkAggregateField(fn: string, field: unknown, input: Schema | null): Mistake | null {
  if (fn === 'count') return field === undefined ? null : { message: 'A count takes no field.', cure: 'Remove "field".' }
  if (typeof field !== 'string') return { message: `The aggregate ${fn} names no field.`, cure: AGGREGATE_HELP }
  const mistake = checkField(field, input)
  if (mistake !== null || input === null) return mistake
  const type = input.fields[fieldIndex(input, field)]?.type
  if (type === 'Int' || type === 'Long' || type === 'Double') return null
  return { message: `The field "${field}" is a ${type}: ${fn} needs a number.`, cure: 'Choose a field of type Int, Long or Double.' }
}
