import { err, ok } from '../../base/result.ts'
import { bare, type Schema } from '../schema.ts'
import type { OperatorType } from './operator-type.ts'

/** A replayable log. Flink: a FLIP-27 source such as KafkaSource. */
export const LOG_SOURCE: OperatorType = {
  type: 'log',
  title: 'Log source',
  group: 'Sources',
  summary: 'Reads the partitions of a topic from their first offset; after a failure it goes back to the offsets of the checkpoint.',
  inputs: 0,
  keyed: false,
  state: 'the offset of each partition',
  hasCoordinator: true,
  isSink: false,
  parameters: [
    { name: 'topic', title: 'Topic', kind: 'topic', required: true, help: 'Name a topic of this job.' },
    {
      name: 'startFrom',
      title: 'Start from',
      kind: 'choice',
      choices: [{ value: 'earliest', title: 'the first offset' }],
      default: 'earliest',
      help: 'Where a reader begins that has no offset in a checkpoint.',
    },
    { name: 'rate', title: 'Rate', kind: 'rate', default: null, help: 'Records per second of engine time that one reader emits; empty = as fast as possible.' },
    {
      name: 'initialSnapshot',
      title: 'Initial snapshot',
      kind: 'integer',
      min: 0,
      max: 1_000_000_000,
      default: 0,
      help: 'So many rows of each partition are an initial snapshot without a safe position inside: the source holds the checkpoint lock and reports a backlog until they are read.',
    },
    { name: 'bounded', title: 'Bounded', kind: 'boolean', default: false, help: 'Ends at the offset that is the last one when reading begins; otherwise it waits for more.' },
  ],
  infer({ params, topics }) {
    const topic = topics.find((candidate) => candidate.name === params['topic'])
    if (topic !== undefined) return ok(topic.schema)
    const names = topics.map((candidate) => candidate.name)
    return err({
      parameter: 'topic',
      message: `There is no topic "${String(params['topic'])}".`,
      cure: names.length === 0 ? 'Add a topic to the job.' : `Choose one of: ${names.join(', ')}.`,
    })
  },
}

const GENERATED: Readonly<Record<string, Schema>> = {
  word: bare('String', 'word'),
  pair: { kind: 'tuple', fields: [{ name: 'key', type: 'String' }, { name: 'value', type: 'Int' }] },
}

/** Generated records, a function of seed and position. Flink: DataGeneratorSource. */
export const GENERATOR_SOURCE: OperatorType = {
  type: 'generator',
  title: 'Generator source',
  group: 'Sources',
  summary: 'Makes records from a seed; the position is its state, so that it makes the same ones again after a failure.',
  inputs: 0,
  keyed: false,
  state: 'the position',
  hasCoordinator: true,
  isSink: false,
  parameters: [
    {
      name: 'rows',
      title: 'Records',
      kind: 'choice',
      choices: [
        { value: 'word', title: 'words' },
        { value: 'pair', title: 'pairs of key and value' },
      ],
      default: 'pair',
      help: 'What a record looks like.',
    },
    { name: 'rate', title: 'Rate', kind: 'rate', default: null, help: 'Records per second of engine time that one subtask emits; empty = as fast as possible.' },
    { name: 'keys', title: 'Keys', kind: 'integer', min: 1, max: 1_000_000, default: 100, help: 'How many different keys there are.' },
    { name: 'skew', title: 'Skew', kind: 'number', min: 0, max: 5, default: 0, help: 'Exponent of the Zipf distribution of keys; 0 = all alike, 1 = the second key comes half as often as the first.' },
    { name: 'seed', title: 'Seed', kind: 'integer', min: -2147483648, max: 2147483647, default: 1, help: 'Another seed, other records.' },
    { name: 'count', title: 'Count', kind: 'integer', min: 1, max: Number.MAX_SAFE_INTEGER, nullable: true, help: 'How many records in all; empty = without end.' },
  ],
  infer: ({ params }) => ok(GENERATED[String(params['rows'] ?? 'pair')] ?? null),
}
