import { err, ok, type Result } from '../../base/result.ts'
import { fieldIndex, type Field, type Schema } from '../schema.ts'
import { aggregateLayout } from './aggregate-layout.ts'
import type { AggregateSpec, InferRequest, OperatorType, ParameterMistake } from './operator-type.ts'

const keyed = { group: 'Keyed', inputs: 1, keyed: true, hasCoordinator: false, isSink: false } as const

/** Key fields followed by results; a clash of names is a mistake. */
function withKey({ inputs, keyFields }: InferRequest, results: readonly Field[], parameter: string): Result<Schema, ParameterMistake> {
  const input = inputs[0]
  const names = keyFields[0] ?? []
  const key = names.map((name) => input?.fields[fieldIndex(input, name)]).filter((field): field is Field => field !== undefined)
  const clash = results.find((field) => names.includes(field.name))
  if (clash !== undefined) return err({ parameter, message: `"${clash.name}" is the name of a key field.`, cure: 'Give the result another name.' })
  return ok({ kind: 'row', fields: [...key, ...results] })
}

/** A running aggregate: the updated row leaves after each record. Flink: StreamGroupedReduceOperator, an AggregateFunction without a window. */
export const AGGREGATE: OperatorType = {
  ...keyed,
  type: 'aggregate',
  title: 'Keyed aggregate',
  summary: 'Keeps counts, sums, least and largest values for each key, and emits the updated row after each record.',
  state: 'one value for each key',
  parameters: [{ name: 'aggregates', title: 'Results', kind: 'aggregates', required: true, help: 'Write a list such as [{ "fn": "count", "as": "n" }].' }],
  infer(request) {
    const input = request.inputs[0]
    if (input === undefined) return err({ parameter: null, message: 'It has no input.', cure: 'Connect something to it.' })
    const layout = aggregateLayout(input, request.params['aggregates'] as readonly AggregateSpec[])
    return withKey(request, layout.outputs.map((output) => output.field), 'aggregates')
  },
}

/** Flink: a KeyedProcessFunction with a ValueState<Long>. */
export const PROCESS_COUNT: OperatorType = {
  ...keyed,
  type: 'process-count',
  title: 'Keyed process: count',
  summary: 'Counts the records of each key, and emits the count after every so many of them.',
  state: 'a count for each key',
  parameters: [{ name: 'emitEvery', title: 'Emit every', kind: 'integer', min: 1, max: 1_000_000, default: 1, help: 'After how many records of a key its count is emitted.' }],
  infer: (request) => withKey(request, [{ name: 'count', type: 'Long' }], 'emitEvery'),
}
