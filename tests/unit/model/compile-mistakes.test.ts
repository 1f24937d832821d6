import { describe, expect, it } from 'vitest'
import { compileJob } from '../../../workers/model/compile-job.ts'
import { COUNT, EDGES, job, SINK, SOURCE, TOPIC } from './job-fixture.ts'

const two = (changes: object) => ({ ...COUNT, ...changes })
const map = (uid: string, params: object = {}, parallelism = 2) => ({ uid, type: 'map', parallelism, params: { ...params } })

/** Each row: what is wrong, the document, where the error is, and a piece of what it says. */
const MISTAKES: readonly (readonly [name: string, document: unknown, path: string, says: string])[] = [
  // ── shape
  ['no object', 7, '', 'an object'],
  ['null', null, '', 'null'],
  ['a list', [], '', 'a list'],
  ['not a job', { weir: 'scenario@1', name: 'x', operators: [], edges: [] }, '/weir', '"job@1"'],
  ['no name', { ...job(), name: '' }, '/name', 'not empty'],
  ['no operators field', { weir: 'job@1', name: 'x', edges: [] }, '/operators', 'missing'],
  ['operators that are no list', { ...job(), operators: {} }, '/operators', 'a list'],
  ['an unknown field', { ...job(), nodes: [] }, '/nodes', 'not known'],
  ['an option that is an object', { ...job(), config: { 'a/b~c': {} } }, '/config/a~1b~0c', 'a text, a number'],
  ['a missing uid', job({ operators: [{ type: 'log' } as never, COUNT, SINK] }), '/operators/0/uid', 'missing'],
  ['an empty uid', job({ operators: [{ ...SOURCE, uid: '' }, COUNT, SINK] }), '/operators/0/uid', 'not empty'],
  ['parallelism below 1', job({ operators: [SOURCE, two({ parallelism: 0 }), SINK] }), '/operators/1/parallelism', 'outside 1'],
  ['a parallelism that is no whole number', job({ operators: [SOURCE, two({ parallelism: 1.5 }), SINK] }), '/operators/1/parallelism', 'whole number'],
  ['a maximum parallelism beyond Flink’s', job({ operators: [SOURCE, two({ maxParallelism: 32769 }), SINK] }), '/operators/1/maxParallelism', 'outside'],
  ['an unknown way to ship', job({ edges: [{ ...EDGES[0], ship: 'teleport' } as never, EDGES[1] as never] }), '/edges/0/ship', 'one of forward'],
  ['input 3', job({ edges: [{ from: 'source', to: 'count', ship: 'hash', by: ['key'], input: 3 }, EDGES[1] as never] }), '/edges/0/input', 'outside'],
  ['0 partitions', job({ topics: [{ ...TOPIC, partitions: 0 }] }), '/topics/0/partitions', 'outside'],
  ['a schema without fields', job({ topics: [{ ...TOPIC, schema: { fields: {} } }] }), '/topics/0/schema/fields', 'empty'],
  ['an unknown field type', job({ topics: [{ ...TOPIC, schema: { fields: { key: 'Text' as never } } }] }), '/topics/0/schema/fields/key', 'String, Int'],
  // ── topics
  ['two topics of one name', job({ topics: [TOPIC, TOPIC] }), '/topics/1/name', 'two topics'],
  ['an unknown data set', job({ topics: [{ name: 'events', partitions: 1, data: 'nothing' }] }), '/topics/0/data', 'no data set'],
  ['a topic without data', job({ topics: [{ name: 'events', partitions: 1 }] }), '/topics/0', 'no data'],
  ['rows without a schema', job({ topics: [{ name: 'events', partitions: 1, rows: [['a', 1]] }] }), '/topics/0/schema', 'need a schema'],
  ['rows beside a data set', job({ topics: [TOPIC, { name: 'x', partitions: 1, data: 'flights-20k', rows: [] }] }), '/topics/1/rows', 'data set and rows'],
  ['a row that is too short', job({ topics: [{ ...TOPIC, rows: [['a', 1], ['b']] }] }), '/topics/0/rows/1', '1 fields'],
  ['a value of another type', job({ topics: [{ ...TOPIC, rows: [['a', 'x']] }] }), '/topics/0/rows/0/1', 'not a whole number of 32 bits'],
  ['an Int beyond 32 bits', job({ topics: [{ ...TOPIC, rows: [['a', 2 ** 31]] }] }), '/topics/0/rows/0/1', '32 bits'],
  ['a Long beyond 2^53', job({ topics: [{ ...TOPIC, schema: { fields: { key: 'String', value: 'Long' } }, rows: [['a', 2 ** 53]] }] }), '/topics/0/rows/0/1', '2^53'],
  ['a bare value for a row', job({ topics: [{ ...TOPIC, rows: ['a'] }] }), '/topics/0/rows/0', 'list of its fields'],
  ['a bare schema of two fields', job({ topics: [{ ...TOPIC, schema: { kind: 'bare', fields: { key: 'String', value: 'Int' } } }] }), '/topics/0/schema/fields', 'exactly one'],
  // ── operators
  ['a rate of nothing', job({ edges: [{ ...EDGES[0], rate: '0 kb' } as never, EDGES[1] as never] }), '/edges/0/rate', 'Nothing gets through'],
  ['a rate that is none', job({ edges: [EDGES[0] as never, { ...EDGES[1], rate: 'fast' } as never] }), '/edges/1/rate', 'Could not read the rate'],
  ['no operators', job({ operators: [], edges: [] }), '/operators', 'no operators'],
  ['an unknown type', job({ operators: [SOURCE, two({ type: 'agregate' }), SINK] }), '/operators/1/type', 'not a type of operator'],
  ['a uid twice', job({ operators: [SOURCE, COUNT, SINK, { ...SINK }] }), '/operators/3/uid', 'Two operators'],
  ['a cost that is no duration', job({ operators: [SOURCE, two({ cost: 'much' }), SINK] }), '/operators/1/cost', 'Could not read'],
  ['parallelism above the maximum', job({ operators: [SOURCE, two({ parallelism: 9, maxParallelism: 8 }), SINK] }), '/operators/1/parallelism', 'above its maximum parallelism 8'],
  ['parallelism above the job’s maximum', job({ config: { 'pipeline.max-parallelism': 1 } }), '/operators/0/parallelism', 'above its maximum parallelism 1'],
  ['a declared output that is another', job({ operators: [SOURCE, two({ output: { fields: { x: 'Int' } } }), SINK] }), '/operators/1/output', 'is declared as'],
  ['an output of a sink', job({ operators: [SOURCE, COUNT, { ...SINK, output: { fields: { x: 'Int' } } }] }), '/operators/2/output', 'no output'],
  // ── parameters
  ['an unknown topic', job({ operators: [{ ...SOURCE, params: { topic: 'nothing' } }, COUNT, SINK] }), '/operators/0/params/topic', 'no topic "nothing"'],
  ['no topic named', job({ operators: [{ ...SOURCE, params: {} }, COUNT, SINK] }), '/operators/0/params/topic', 'missing'],
  ['a delay that is none', job({ edges: [EDGES[0] as never, { ...EDGES[1], delay: 'late' } as never] }), '/edges/1/delay', 'Could not read the delay'],
  ['a negative rate', job({ operators: [{ ...SOURCE, params: { topic: 'events', rate: -1 } }, COUNT, SINK] }), '/operators/0/params/rate', 'not a rate'],
  ['an unknown parameter', job({ operators: [{ ...SOURCE, params: { topic: 'events', speed: 1 } }, COUNT, SINK] }), '/operators/0/params/speed', 'no parameter'],
  ['no aggregates', job({ operators: [SOURCE, two({ params: {} }), SINK] }), '/operators/1/params/aggregates', 'missing'],
  ['an empty list of aggregates', job({ operators: [SOURCE, two({ params: { aggregates: [] } }), SINK] }), '/operators/1/params/aggregates', 'not a list of aggregates'],
  ['an aggregate that is null', job({ operators: [SOURCE, two({ params: { aggregates: [null] } }), SINK] }), '/operators/1/params/aggregates', 'not an aggregate'],
  ['an unknown aggregate', job({ operators: [SOURCE, two({ params: { aggregates: [{ fn: 'median', field: 'value', as: 'm' }] } }), SINK] }), '/operators/1/params/aggregates', 'not an aggregate'],
  ['an aggregate without a name', job({ operators: [SOURCE, two({ params: { aggregates: [{ fn: 'count' }] } }), SINK] }), '/operators/1/params/aggregates', 'no name'],
  ['two results of one name', job({ operators: [SOURCE, two({ params: { aggregates: [{ fn: 'count', as: 'n' }, { fn: 'sum', field: 'value', as: 'n' }] } }), SINK] }), '/operators/1/params/aggregates', 'Two results'],
  ['a sum of a text', job({ operators: [SOURCE, two({ params: { aggregates: [{ fn: 'sum', field: 'key', as: 's' }] } }), SINK] }), '/operators/1/params/aggregates', 'needs a number'],
  ['a sum of an unknown field', job({ operators: [SOURCE, two({ params: { aggregates: [{ fn: 'sum', field: 'x', as: 's' }] } }), SINK] }), '/operators/1/params/aggregates', 'no field "x"'],
  ['a result named as the key', job({ operators: [SOURCE, two({ params: { aggregates: [{ fn: 'count', as: 'key' }] } }), SINK] }), '/operators/1/params/aggregates', 'name of a key field'],
  ['a map of an unknown function', job({ operators: [SOURCE, map('count', { function: 'reverse' }), SINK], edges: [{ from: 'source', to: 'count' }, EDGES[1] as never] }), '/operators/1/params/function', 'not known'],
  ['upper case of a number', job({ operators: [SOURCE, map('count', { function: 'upper-case', field: 'value' }), SINK], edges: [{ from: 'source', to: 'count' }, EDGES[1] as never] }), '/operators/1/params/field', 'needs a text'],
  ['half a number added to an Int', job({ operators: [SOURCE, map('count', { function: 'add-constant', field: 'value', amount: 0.5 }), SINK], edges: [{ from: 'source', to: 'count' }, EDGES[1] as never] }), '/operators/1/params/amount', 'whole numbers'],
  ['a projection to an unknown field', job({ operators: [SOURCE, map('count', { function: 'project', fields: ['x'] }), SINK], edges: [{ from: 'source', to: 'count' }, EDGES[1] as never] }), '/operators/1/params/fields', 'no field "x"'],
  ['a filter that compares a text with a number', job({ operators: [SOURCE, { uid: 'count', type: 'filter', parallelism: 2, params: { field: 'key', op: '==', value: 1 } }, SINK], edges: [{ from: 'source', to: 'count' }, EDGES[1] as never] }), '/operators/1/params/value', 'compared with'],
  ['a filter that looks for a text in a number', job({ operators: [SOURCE, { uid: 'count', type: 'filter', parallelism: 2, params: { field: 'value', op: 'contains', value: '1' } }, SINK], edges: [{ from: 'source', to: 'count' }, EDGES[1] as never] }), '/operators/1/params/op', 'compares texts'],
  ['an upsert by an unknown field', job({ operators: [SOURCE, COUNT, { uid: 'sink', type: 'upsert', params: { by: 'x' } }] }), '/operators/2/params/by', 'no field "x"'],
  ['a transaction timeout that is no duration', job({ operators: [SOURCE, COUNT, { uid: 'sink', type: 'two-phase-commit', params: { transactionTimeout: 'x' } }] }), '/operators/2/params/transactionTimeout', 'not a duration'],
  // ── edges
  ['an edge from nowhere', job({ edges: [...EDGES, { from: 'ghost', to: 'sink' }] }), '/edges/2/from', 'no such operator'],
  ['an edge to nowhere', job({ edges: [...EDGES, { from: 'count', to: 'ghost' }] }), '/edges/2/to', 'no such operator'],
  ['an edge out of a sink', job({ edges: [...EDGES, { from: 'sink', to: 'count', ship: 'hash', by: ['key'] }] }), '/edges/2/from', 'is a sink'],
  ['an edge into a source', job({ edges: [...EDGES, { from: 'count', to: 'source' }] }), '/edges/2/to', 'is a source'],
  ['an input that is not there', job({ edges: [EDGES[0] as never, { from: 'count', to: 'sink', input: 2 }, EDGES[1] as never] }), '/edges/1/input', 'no input 2'],
  ['an operator without an input', job({ edges: [EDGES[0] as never] }), '/operators/2', 'Nothing is connected'],
  ['a connect with one input', job({ operators: [SOURCE, { ...COUNT, type: 'connect', params: {} }, SINK] }), '/operators/1', 'input 2'],
  ['a hash edge without by', job({ edges: [{ from: 'source', to: 'count', ship: 'hash' }, EDGES[1] as never] }), '/edges/0/by', 'needs the fields of the key'],
  ['a hash edge by an unknown field', job({ edges: [{ from: 'source', to: 'count', ship: 'hash', by: ['x'] }, EDGES[1] as never] }), '/edges/0/by', 'The output of "source" has no field "x"'],
  ['a Double as the key', job({ topics: [{ name: 'events', partitions: 1, rows: [], schema: { fields: { key: 'Double', value: 'Int' } } }] }), '/edges/0/by', 'no key here'],
  ['by on an edge that is not hash', job({ edges: [EDGES[0] as never, { from: 'count', to: 'sink', ship: 'rebalance', by: ['key'] }] }), '/edges/1/by', 'means nothing'],
  ['a keyed operator without a hash edge', job({ edges: [{ from: 'source', to: 'count' }, EDGES[1] as never] }), '/edges/0/ship', 'not keyed'],
  ['forward with unequal parallelism', job({ edges: [EDGES[0] as never, { from: 'count', to: 'sink', ship: 'forward' }] }), '/edges/1/ship', 'does not allow a change of parallelism'],
  [
    'a union of different types',
    job({ operators: [SOURCE, COUNT, { uid: 'both', type: 'union', parallelism: 2 }, SINK], edges: [EDGES[0] as never, { from: 'source', to: 'both' }, { from: 'count', to: 'both' }, { from: 'both', to: 'sink' }] }),
    '/edges/2',
    'different types meet',
  ],
  [
    'keys of different types at a connect',
    job({ operators: [SOURCE, { ...COUNT, type: 'connect', params: {} }, SINK], edges: [{ from: 'source', to: 'count', ship: 'hash', by: ['key'] }, { from: 'source', to: 'count', ship: 'hash', by: ['value'], input: 2 }, EDGES[1] as never] }),
    '/operators/1',
    'keys of different types',
  ],
  [
    'different keys of one input',
    job({ edges: [...EDGES, { from: 'source', to: 'count', ship: 'hash', by: ['value'] }] }),
    '/edges/2/by',
    'different fields',
  ],
  [
    'a cycle',
    job({ operators: [SOURCE, map('m1'), map('m2'), { ...SINK }], edges: [{ from: 'source', to: 'm1' }, { from: 'm1', to: 'm2' }, { from: 'm2', to: 'm1' }, { from: 'm2', to: 'sink' }] }),
    '/edges/2',
    'm1 → m2 → m1',
  ],
  ['an edge from an operator to itself', job({ operators: [SOURCE, map('m1'), SINK], edges: [{ from: 'source', to: 'm1' }, { from: 'm1', to: 'm1' }, { from: 'm1', to: 'sink' }] }), '/edges/1', 'm1 → m1'],
]

describe('a job that does not compile', () => {
  it.each(MISTAKES)('%s', (_name, document, path, says) => {
    const { graph, problems } = compileJob(document)
    expect(graph).toBeNull()
    const found = problems.filter((problem) => problem.path === path && `${problem.message} ${problem.cure}`.includes(says))
    expect(found, JSON.stringify(problems, null, 2)).toHaveLength(1)
    for (const problem of problems) {
      expect(problem.cure).not.toBe('')
      expect(problem.path === '' || problem.path.startsWith('/')).toBe(true)
    }
  })

  it('is told of several mistakes at once', () => {
    const { problems } = compileJob(job({ operators: [{ ...SOURCE, params: { topic: 'x' } }, COUNT, { ...SINK, type: 'sing' }], config: { 'execution.checkpointing.interval': 'x' } }))
    expect(problems.map((problem) => problem.path).sort()).toEqual(['/config/execution.checkpointing.interval', '/operators/0/params/topic', '/operators/2/type'])
  })

  it('is not told of consequences: one wrong topic is one mistake', () => {
    expect(compileJob(job({ operators: [{ ...SOURCE, params: { topic: 'x' } }, COUNT, SINK] })).problems).toHaveLength(1)
  })

  it('survives names that objects have by themselves', () => {
    const { graph, problems } = compileJob(job({ operators: [{ ...SOURCE, uid: '__proto__', type: 'constructor' }, COUNT, SINK], topics: [{ name: 'x', partitions: 1, data: 'toString' }] }))
    expect(graph).toBeNull()
    expect(problems.map((problem) => problem.path)).toContain('/topics/0/data')
  })
})

describe('a cluster with too few slots for the job', () => {
  const slotWarnings = (playground: object, parallelism = 3) =>
    compileJob(job({ operators: [SOURCE, two({ parallelism }), SINK], playground })).problems.filter(({ path, message }) => path === '/operators/1/parallelism' && message.includes('slots'))

  it('is warned of at the operator that needs them, and the job may still start', () => {
    expect(slotWarnings({ taskManagers: 2, slotsPerTaskManager: 1 })).toMatchObject([{ severity: 'warning', cure: expect.stringContaining('taskManagers') }])
    expect(compileJob(job({ operators: [SOURCE, two({ parallelism: 3 }), SINK], playground: { taskManagers: 2, slotsPerTaskManager: 1 } })).graph).not.toBeNull()
  })

  it('is not warned of when there are enough, or as many as needed by default', () => {
    expect(slotWarnings({ taskManagers: 3, slotsPerTaskManager: 1 })).toEqual([])
    expect(slotWarnings({ taskManagers: 1, slotsPerTaskManager: 3 })).toEqual([])
    expect(slotWarnings({})).toEqual([])
  })
})
