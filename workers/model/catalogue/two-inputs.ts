import { err, ok } from '../../base/result.ts'
import { fieldIndex, type Field } from '../schema.ts'
import type { OperatorType } from './operator-type.ts'

/** Flink: ConnectedStreams with a KeyedCoProcessFunction. */
export const CONNECT: OperatorType = {
  type: 'connect',
  title: 'Connect',
  group: 'Two inputs',
  summary: 'Keeps the latest record of input 2 for each key and adds its fields to the records of input 1.',
  inputs: 2,
  keyed: true,
  state: 'the latest record of input 2 for each key',
  hasCoordinator: false,
  isSink: false,
  parameters: [
    { name: 'function', title: 'Function', kind: 'choice', choices: [{ value: 'latest-join', title: 'join with the latest' }], default: 'latest-join', help: 'What is done with the two inputs.' },
    {
      name: 'unmatched',
      title: 'Without a match',
      kind: 'choice',
      choices: [
        { value: 'drop', title: 'drop the record' },
        { value: 'defaults', title: 'add empty text, 0 and false' },
      ],
      default: 'drop',
      help: 'What happens to a record of input 1 whose key has not come on input 2.',
    },
  ],
  infer({ inputs, keyFields }) {
    const [left, right] = inputs
    if (left === undefined || right === undefined) return err({ parameter: null, message: 'It needs two inputs.', cure: 'Connect input 1 and input 2.' })
    const added = joinedFields(right.fields, keyFields[1] ?? [])
    const clash = added.find((field) => fieldIndex(left, field.name) >= 0)
    if (clash !== undefined) return err({ parameter: null, message: `Both inputs have a field "${clash.name}".`, cure: 'Project it away before one of the inputs.' })
    return ok({ kind: 'row', fields: [...left.fields, ...added] })
  },
}

/** What input 2 adds: all but its key fields, which input 1 has already. */
export const joinedFields = (fields: readonly Field[], keyFields: readonly string[]): readonly Field[] =>
  fields.filter((field) => !keyFields.includes(field.name))
