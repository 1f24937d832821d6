import { err, ok, type Result } from '../../base/result.ts'
import type { Schema } from '../schema.ts'
import { FILTER_OPERATIONS, FLAT_MAP_FUNCTIONS, inferFilter, inferFlatMap, inferMap, MAP_FUNCTIONS } from './functions.ts'
import type { InferRequest, OperatorType, ParameterMistake } from './operator-type.ts'

const stateless = { group: 'Stateless', inputs: 1, keyed: false, state: null, hasCoordinator: false, isSink: false } as const

/** Runs a schema function on input 1. */
const onInput =
  (infer: (input: Schema, params: Readonly<Record<string, unknown>>) => Result<Schema, ParameterMistake>) =>
  ({ inputs, params }: InferRequest): Result<Schema, ParameterMistake> => {
    const input = inputs[0]
    return input === undefined ? err({ parameter: null, message: 'It has no input.', cure: 'Connect something to it.' }) : infer(input, params)
  }

export const MAP: OperatorType = {
  ...stateless,
  type: 'map',
  title: 'Map',
  summary: 'Makes one record of each record.',
  parameters: [
    { name: 'function', title: 'Function', kind: 'choice', choices: MAP_FUNCTIONS, default: 'identity', help: 'What is done with each record.' },
    { name: 'field', title: 'Field', kind: 'field', help: 'The field that is changed; empty = the first that fits.', when: { parameter: 'function', oneOf: ['upper-case', 'lower-case', 'add-constant', 'length'] } },
    { name: 'fields', title: 'Fields', kind: 'fields', required: true, help: 'Name the fields to keep, in order.', when: { parameter: 'function', oneOf: ['project'] } },
    { name: 'amount', title: 'Amount', kind: 'number', min: -1e15, max: 1e15, required: true, help: 'Give the number to add.', when: { parameter: 'function', oneOf: ['add-constant'] } },
  ],
  infer: onInput(inferMap),
}

export const FILTER: OperatorType = {
  ...stateless,
  type: 'filter',
  title: 'Filter',
  summary: 'Lets the records pass of which a comparison is true.',
  parameters: [
    { name: 'field', title: 'Field', kind: 'field', required: true, help: 'Name the field to compare.' },
    { name: 'op', title: 'Comparison', kind: 'choice', choices: FILTER_OPERATIONS.map((value) => ({ value, title: value })), default: '==', required: true, help: 'Choose how the field is compared.' },
    { name: 'value', title: 'Value', kind: 'scalar', required: true, help: 'Give the constant to compare with.' },
  ],
  infer: onInput(inferFilter),
}

export const FLAT_MAP: OperatorType = {
  ...stateless,
  type: 'flat-map',
  title: 'Flat map',
  summary: 'Makes any number of records of each record.',
  parameters: [
    { name: 'function', title: 'Function', kind: 'choice', choices: FLAT_MAP_FUNCTIONS, default: 'split-words', help: 'What is done with each record.' },
    { name: 'field', title: 'Field', kind: 'field', help: 'The field with the text; empty = the first text.', when: { parameter: 'function', oneOf: ['split-words'] } },
    { name: 'times', title: 'Times', kind: 'integer', min: 0, max: 100, default: 2, help: 'How often each record leaves.', when: { parameter: 'function', oneOf: ['repeat'] } },
  ],
  infer: onInput(inferFlatMap),
}

/** Flink: a map with a CheckpointedFunction. */
export const LIST_STATE: OperatorType = {
  ...stateless,
  type: 'list-state',
  title: 'List state',
  summary: 'Passes records on and keeps elements of operator list state, one for each subtask at first: shows how a restore deals them out.',
  state: 'a list of elements',
  parameters: [
    {
      name: 'redistribution',
      title: 'Redistribution',
      kind: 'choice',
      choices: [
        { value: 'split', title: 'split: each element to one subtask' },
        { value: 'union', title: 'union: all elements to every subtask' },
      ],
      default: 'split',
      help: 'How a restore deals out the elements of all subtasks.',
    },
    {
      name: 'snapshot',
      title: 'Snapshot',
      kind: 'choice',
      choices: [
        { value: 'all', title: 'all it was given' },
        { value: 'own', title: 'one element of its own' },
      ],
      default: 'all',
      help: 'What a subtask writes into a snapshot.',
    },
    { name: 'insist', title: 'Insists on an element', kind: 'boolean', default: false, help: 'A subtask that gets no element at a restore fails.' },
  ],
  infer: ({ inputs }) => ok(inputs[0] ?? null),
}

/** In Flink a union is no operator but several edges into one input; here it can also be drawn. */
export const UNION: OperatorType = {
  ...stateless,
  type: 'union',
  title: 'Union',
  summary: 'Brings several streams of the same type together.',
  parameters: [],
  infer: ({ inputs }) => ok(inputs[0] ?? null),
}
