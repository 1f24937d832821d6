/** Built-in functions behind the one door to user code (user-function.ts). The catalogue has checked the parameters. */
import { err, ok, type Result } from '../../base/result.ts'
import { appendField, inferFlatMap, numberField, textField, type FilterOperation } from '../../model/catalogue/functions.ts'
import type { ParameterMistake } from '../../model/catalogue/operator-type.ts'
import { fieldIndex, type Scalar, type Schema } from '../../model/schema.ts'
import type { Compile, CompiledFunction } from '../user-function.ts'
import { addConstant, compare, identity, project, repeat } from './row-functions.ts'
import { appendLength, lowerCase, splitWords, upperCase } from './text-functions.ts'

type Params = Readonly<Record<string, unknown>>
type Make = (input: Schema, params: Params) => Result<CompiledFunction, ParameterMistake>

const onText =
  (make: (input: Schema, field: number, params: Params) => Result<CompiledFunction, ParameterMistake>): Make =>
  (input, params) => {
    const field = textField(input, params)
    return field.ok ? make(input, field.value, params) : field
  }

const BUILTINS: Readonly<Record<string, Make>> = {
  identity: (input) => ok(identity(input)),
  'upper-case': onText((input, field) => ok(upperCase(input, field))),
  'lower-case': onText((input, field) => ok(lowerCase(input, field))),
  length: onText((input, field) => {
    const output = appendField(input, { name: 'length', type: 'Int' })
    return output.ok ? ok(appendLength(input, output.value, field)) : output
  }),
  project: (input, params) => {
    const fields = (params['fields'] as readonly string[]).map((name) => fieldIndex(input, name))
    const output: Schema = { kind: input.kind, fields: fields.map((index) => input.fields[index] as Schema['fields'][number]) }
    return ok(project(input, output, fields))
  },
  'add-constant': (input, params) => {
    const field = numberField(input, params)
    return field.ok ? ok(addConstant(input, field.value, params['amount'] as number)) : field
  },
  'split-words': onText((input, field, params) => {
    const output = inferFlatMap(input, params)
    return output.ok ? ok(splitWords(input, output.value, field)) : output
  }),
  repeat: (input, params) => ok(repeat(input, (params['times'] as number | undefined) ?? 2)),
  compare: (input, params) =>
    ok(compare(input, fieldIndex(input, String(params['field'])), (params['op'] ?? '==') as FilterOperation, params['value'] as Scalar)),
}

export const compileBuiltin: Compile = (source, input) => {
  const make = Object.hasOwn(BUILTINS, source.builtin) ? BUILTINS[source.builtin] : undefined
  if (make === undefined) return err(`there is no built-in function "${source.builtin}"`)
  const made = make(input, source.params)
  return made.ok ? made : err(made.error.message)
}
