import type { EdgeDocument, JobDocument, OperatorDocument, TopicDocument } from '../../../workers/model/job-document.ts'

/** A small job that compiles: log → count by key → sink. Tests change one thing of it. */
export const TOPIC: TopicDocument = {
  name: 'events',
  partitions: 2,
  schema: { fields: { key: 'String', value: 'Int' } },
  rows: [
    ['a', 1],
    ['b', 2],
  ],
}

export const SOURCE: OperatorDocument = { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'events' } }
export const COUNT: OperatorDocument = { uid: 'count', type: 'aggregate', parallelism: 2, params: { aggregates: [{ fn: 'count', as: 'n' }] } }
export const SINK: OperatorDocument = { uid: 'sink', type: 'print', parallelism: 1 }

export const EDGES: readonly EdgeDocument[] = [
  { from: 'source', to: 'count', ship: 'hash', by: ['key'] },
  { from: 'count', to: 'sink' },
]

export const job = (changes: Partial<JobDocument> = {}): JobDocument => ({
  weir: 'job@1',
  name: 'small',
  topics: [TOPIC],
  operators: [SOURCE, COUNT, SINK],
  edges: EDGES,
  ...changes,
})
