/** One operator with its inputs' schemas → its description; says what does not fit. A generated operator id is filled in later (operator-ids.ts). */
import { checkField, checkParameters } from '../catalogue/check-parameters.ts'
import { operatorId } from '../ids.ts'
import type { Problem, OperatorDescription, TopicDescription } from '../job-graph.ts'
import { operatorIdOfUid } from '../operator-id-of-uid.ts'
import { parseDuration } from '../options/values.ts'
import type { Schema } from '../schema.ts'
import type { KnownOperator, OperatorEdge } from './compile-edges.ts'
import { compileSchema } from './compile-topics.ts'
import { mistake } from './shape.ts'

export interface DescribeRequest {
  readonly operator: KnownOperator
  readonly incoming: readonly OperatorEdge[]
  /** The output of each operator that was described without a mistake. */
  readonly outputs: ReadonlyMap<string, Schema | null>
  readonly topics: readonly TopicDescription[]
}

/** Null when a mistake here, or before it, keeps the operator from being described. */
export function describeOperator(request: DescribeRequest, problems: Problem[]): OperatorDescription | null {
  const { operator } = request
  const { document, type, index } = operator
  const before = problems.length
  const path = ['operators', index]
  const inputs = Array.from({ length: type.inputs }, (_, input) => inputSchema(request, input, problems))
  const keyFields = Array.from({ length: type.inputs }, (_, input) => (type.keyed ? keyOf(request, input, problems) : null))
  checkKeysOfInputs(operator, inputs, keyFields, problems)
  const params = document.params ?? {}
  for (const wrong of checkParameters(type, params, inputs[0] ?? null)) {
    problems.push(mistake(wrong.parameter === null ? path : [...path, 'params', wrong.parameter], wrong.message, wrong.cure))
  }
  const cost = document.cost === undefined ? null : parseDuration(document.cost)
  if (cost?.ok === false) problems.push(mistake([...path, 'cost'], `Could not read the cost: ${cost.error}.`, 'Write a whole number and a unit, as in "14 ms".'))
  const syncCosts = syncCostsOf(operator, problems)
  if (document.uidHash !== undefined && !/^[0-9a-f]{32}$/.test(document.uidHash)) {
    problems.push(mistake([...path, 'uidHash'], `"${document.uidHash}" is no operator id.`, 'Give the 32 hexadecimal digits that a snapshot or a log shows.'))
  }
  if (problems.length > before || inputs.includes(null)) return null
  const schemas = inputs as readonly Schema[]
  const inferred = type.infer({ inputs: schemas, keyFields, params, topics: request.topics })
  if (!inferred.ok) {
    problems.push(mistake(inferred.error.parameter === null ? path : [...path, 'params', inferred.error.parameter], inferred.error.message, inferred.error.cure))
    return null
  }
  checkDeclaredOutput(operator, inferred.value, problems)
  return {
    uid: document.uid,
    operatorId: operatorIdOfUid(document.uid),
    type: type.type,
    name: document.name ?? type.title,
    params,
    inputs: schemas,
    keyFields,
    output: inferred.value,
    costMicros: cost?.ok === true ? cost.value : 0,
    hasCoordinator: type.hasCoordinator,
    ...(document.generatedUid === true ? { isUidGenerated: true } : {}),
    ...(document.uidHash === undefined ? {} : { uidHash: operatorId(document.uidHash) }),
    ...(syncCosts.length === 0 ? {} : { syncCosts }),
  }
}

function syncCostsOf({ document, index }: KnownOperator, problems: Problem[]): readonly number[] {
  return (document.syncCosts ?? []).map((text, place) => {
    const parsed = parseDuration(text)
    if (parsed.ok) return parsed.value
    problems.push(mistake(['operators', index, 'syncCosts', place], `Could not read the cost: ${parsed.error}.`, 'Write a whole number and a unit, as in "14 ms".'))
    return 0
  })
}

/** Several edges into one input are a union: they must bring the same type. */
function inputSchema({ operator, incoming, outputs }: DescribeRequest, input: number, problems: Problem[]): Schema | null {
  const edges = incoming.filter((edge) => edge.input === input)
  let schema: Schema | null = null
  for (const edge of edges) {
    const output = outputs.get(edge.from.document.uid) ?? null
    if (output === null) return null
    if (schema === null) schema = output
    else if (!sameSchema(schema, output)) {
      problems.push(
        mistake(
          ['edges', edge.index],
          `Streams of different types meet at "${operator.document.uid}": ${showSchema(schema)} and ${showSchema(output)}.`,
          'Bring them to the same fields, in the same order, with a map before this operator.',
        ),
      )
      return null
    }
    for (const name of edge.by) {
      const wrong = checkField(name, output)
      if (wrong !== null) problems.push(mistake(['edges', edge.index, 'by'], wrong.message.replace('The input', `The output of "${edge.from.document.uid}"`), wrong.cure))
      const type = output.fields.find((field) => field.name === name)?.type
      if (type === 'Double') problems.push(mistake(['edges', edge.index, 'by'], `"${name}" is a Double, and a Double is no key here.`, 'Choose fields of type String, Int, Long or Boolean.'))
    }
  }
  return schema
}

function keyOf({ incoming, operator }: DescribeRequest, input: number, problems: Problem[]): readonly string[] | null {
  const edges = incoming.filter((edge) => edge.input === input)
  const first = edges[0]
  if (first === undefined) return null
  const other = edges.find((edge) => edge.by.join('\n') !== first.by.join('\n'))
  if (other !== undefined) {
    problems.push(
      mistake(['edges', other.index, 'by'], `The edges into "${operator.document.uid}" are keyed by different fields: ${first.by.join(', ')} and ${other.by.join(', ')}.`, 'Key them by the same fields.'),
    )
  }
  return first.by
}

/** Both inputs of a keyed operator share their state: the keys must be of one type. Flink: TwoInputTransformation.setStateKeyType. */
function checkKeysOfInputs(
  { document, index }: KnownOperator,
  inputs: readonly (Schema | null)[],
  keyFields: readonly (readonly string[] | null)[],
  problems: Problem[],
): void {
  const types = inputs.map((schema, i) => keyFields[i]?.map((name) => schema?.fields.find((field) => field.name === name)?.type ?? '?').join(', ') ?? null)
  const [first, second] = types
  if (first === undefined || second === undefined || first === null || second === null || first.includes('?') || second.includes('?')) return
  if (first !== second) {
    problems.push(mistake(['operators', index], `The two inputs of "${document.uid}" have keys of different types: ${first} and ${second}.`, 'Key both by fields of the same types.'))
  }
}

function checkDeclaredOutput({ document, index }: KnownOperator, inferred: Schema | null, problems: Problem[]): void {
  if (document.output === undefined) return
  const path = ['operators', index, 'output']
  const declared = compileSchema(document.output, path, problems)
  if (declared === null) return
  if (inferred === null) problems.push(mistake(path, 'A sink has no output.', 'Remove "output".'))
  else if (!sameSchema(declared, inferred)) {
    problems.push(mistake(path, `The output is ${showSchema(inferred)}, and is declared as ${showSchema(declared)}.`, 'Remove "output": it is inferred.'))
  }
}

const sameSchema = (a: Schema, b: Schema): boolean =>
  a.kind === b.kind && a.fields.length === b.fields.length && a.fields.every((field, i) => field.name === b.fields[i]?.name && field.type === b.fields[i]?.type)

const showSchema = (schema: Schema): string => `${schema.kind} (${schema.fields.map((field) => `${field.name} ${field.type}`).join(', ')})`
