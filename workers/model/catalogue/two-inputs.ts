import { err, ok } from '../../base/result.ts'
import { fieldIndex, type Field, type Schema } from '../schema.ts'
import type { OperatorType, Parameter } from './operator-type.ts'

const unmatched = (help: string): Parameter => ({
  name: 'unmatched',
  title: 'Without a match',
  kind: 'choice',
  choices: [
    { value: 'drop', title: 'drop the record' },
    { value: 'defaults', title: 'add empty text, 0 and false' },
  ],
  default: 'drop',
  help,
})

/** A row of input 1 with what input 2 adds to it. */
function widened(left: Schema, added: readonly Field[]): ReturnType<OperatorType['infer']> {
  const clash = added.find((field) => fieldIndex(left, field.name) >= 0)
  if (clash !== undefined) return err({ parameter: null, message: `Both inputs have a field "${clash.name}".`, cure: 'Project it away before one of the inputs.' })
  return ok({ kind: 'row', fields: [...left.fields, ...added] })
}

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
    unmatched('What happens to a record of input 1 whose key has not come on input 2.'),
  ],
  infer({ inputs, keyFields }) {
    const [left, right] = inputs
    if (left === undefined || right === undefined) return err({ parameter: null, message: 'It needs two inputs.', cure: 'Connect input 1 and input 2.' })
    const added = joinedFields(right.fields, keyFields[1] ?? [])
    return widened(left, added)
  },
}

/** Flink: BroadcastConnectedStream with a BroadcastProcessFunction. */
export const BROADCAST_JOIN: OperatorType = {
  type: 'broadcast-join',
  title: 'Broadcast join',
  group: 'Two inputs',
  summary: 'Every subtask keeps the latest record of input 2 for each value of a field, and adds its fields to the records of input 1.',
  inputs: 2,
  keyed: false,
  broadcastInput: 1,
  state: 'a copy of all records of input 2 in every subtask, and how often each has come',
  hasCoordinator: false,
  isSink: false,
  parameters: [
    { name: 'on', title: 'On', kind: 'field', required: true, help: 'The field that both inputs have.' },
    unmatched('What happens to a record of input 1 whose value has not come on input 2.'),
  ],
  infer({ inputs, params }) {
    const [left, right] = inputs
    if (left === undefined || right === undefined) return err({ parameter: null, message: 'It needs two inputs.', cure: 'Connect input 1 and input 2.' })
    const on = String(params['on'])
    const [ours, theirs] = [left.fields[fieldIndex(left, on)], right.fields[fieldIndex(right, on)]]
    if (theirs === undefined) return err({ parameter: 'on', message: `Input 2 has no field "${on}".`, cure: `Choose one of: ${right.fields.map(({ name }) => name).join(', ')}.` })
    if (ours?.type !== theirs.type) return err({ parameter: 'on', message: `"${on}" is of type ${ours?.type ?? 'none'} on input 1 and ${theirs.type} on input 2.`, cure: 'Choose a field of the same type.' })
    if (theirs.type === 'Double') return err({ parameter: 'on', message: 'A Double cannot be a key.', cure: 'Choose a field of another type.' })
    const added = broadcastFields(right.fields, on)
    return widened(left, added)
  },
}

/** How often a record has come on input 2. */
export const TIMES_FIELD: Field = { name: 'times', type: 'Long' }

/** What input 2 adds: all but the field that both have, and how often that record has come. */
export const broadcastFields = (fields: readonly Field[], on: string): readonly Field[] => [...fields.filter(({ name }) => name !== on && name !== TIMES_FIELD.name), TIMES_FIELD]

/** What input 2 adds: all but its key fields, which input 1 has already. */
export const joinedFields = (fields: readonly Field[], keyFields: readonly string[]): readonly Field[] =>
  fields.filter((field) => !keyFields.includes(field.name))
