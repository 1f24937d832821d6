import { describe, expect, it } from 'vitest'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { JobGraph } from '../../../workers/model/job-graph.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import { operatorIdOfUid } from '../../../workers/model/operator-id-of-uid.ts'
import { COUNT, EDGES, job, SINK, SOURCE } from './job-fixture.ts'

function compile(document: JobDocument): JobGraph {
  const { graph, problems } = compileJob(document)
  if (graph === null) throw new Error(JSON.stringify(problems))
  return graph
}

const warnings = (document: JobDocument) => compileJob(document).problems.map(({ severity, path }) => `${severity} ${path}`)
const map = (uid: string, parallelism: number) => ({ uid, type: 'map', parallelism })
const CHAINING = { 'pipeline.operator-chaining.enabled': true }

describe('a job that compiles', () => {
  it('has one vertex for each operator, named by the uid’s hash, in topological order', () => {
    const graph = compile(job({ operators: [SINK, COUNT, SOURCE] }))
    expect(graph.vertices.map((vertex) => vertex.chain[0]?.uid)).toEqual(['source', 'count', 'sink'])
    expect(graph.vertices.map((vertex) => vertex.id)).toEqual(['source', 'count', 'sink'].map(operatorIdOfUid))
    expect(graph.vertices.map((vertex) => vertex.isSource)).toEqual([true, false, false])
    expect(graph.edges.map((edge) => edge.index)).toEqual([0, 1])
  })

  it('carries the schemas along: a sum of Int is a Long, a mean a Double', () => {
    const aggregates = [
      { fn: 'count', as: 'n' },
      { fn: 'sum', field: 'value', as: 'total' },
      { fn: 'max', field: 'value', as: 'top' },
      { fn: 'mean', field: 'value', as: 'mean' },
    ]
    const graph = compile(job({ operators: [SOURCE, { ...COUNT, params: { aggregates } }, SINK] }))
    expect(graph.edges[1]?.schema).toEqual({
      kind: 'row',
      fields: [
        { name: 'key', type: 'String' },
        { name: 'n', type: 'Long' },
        { name: 'total', type: 'Long' },
        { name: 'top', type: 'Int' },
        { name: 'mean', type: 'Double' },
      ],
    })
    expect(graph.vertices[1]?.chain[0]?.keyFields).toEqual([['key']])
  })

  it('says where a source keeps its enumerator', () => {
    expect(compile(job()).vertices.map((vertex) => vertex.chain[0]?.hasCoordinator)).toEqual([true, false, false])
  })

  it('ships forward at equal parallelism, else rebalances', () => {
    const operators = [SOURCE, map('a', 2), map('b', 3), SINK]
    const edges = [{ from: 'source', to: 'a' }, { from: 'a', to: 'b' }, { from: 'b', to: 'sink' }]
    expect(compile(job({ operators, edges })).edges.map((edge) => edge.ship)).toEqual(['forward', 'rebalance', 'rebalance'])
  })

  it('numbers inputs from 0', () => {
    const operators = [SOURCE, { uid: 'connect', type: 'connect', parallelism: 2 }, SINK]
    const renamed = { uid: 'other', type: 'aggregate', parallelism: 2, params: { aggregates: [{ fn: 'count', as: 'n' }] } }
    const graph = compile(
      job({
        operators: [...operators, renamed],
        edges: [
          { from: 'source', to: 'other', ship: 'hash', by: ['key'] },
          { from: 'source', to: 'connect', ship: 'hash', by: ['key'], input: 1 },
          { from: 'other', to: 'connect', ship: 'hash', by: ['key'], input: 2 },
          { from: 'connect', to: 'sink' },
        ],
      }),
    )
    const connect = graph.vertices.find((vertex) => vertex.chain[0]?.uid === 'connect')
    expect(graph.edges.filter((edge) => edge.to === connect?.id).map((edge) => edge.input)).toEqual([0, 1])
    expect(connect?.chain[0]?.output?.fields.map((field) => field.name)).toEqual(['key', 'value', 'n'])
  })

  it('takes several edges into one input, as Flink’s union', () => {
    const operators = [SOURCE, { ...SOURCE, uid: 'second' }, { uid: 'both', type: 'union', parallelism: 2 }, SINK]
    const edges = [{ from: 'source', to: 'both' }, { from: 'second', to: 'both' }, { from: 'both', to: 'sink' }]
    const graph = compile(job({ operators, edges }))
    expect(graph.edges.map((edge) => edge.input)).toEqual([0, 0, 0])
    expect(graph.vertices[2]?.chain[0]?.inputs).toHaveLength(1)
  })

  it('does not count slots: too few are the scheduler’s matter', () => {
    expect(compile(job({ playground: { taskManagers: 1, slotsPerTaskManager: 1 } })).settings.taskManagers).toBe(1)
  })

  it('reads the cost of a record', () => {
    expect(compile(job({ operators: [SOURCE, { ...COUNT, cost: '14 ms' }, SINK] })).vertices[1]?.chain[0]?.costMicros).toBe(14_000)
  })
})

describe('maximum parallelism', () => {
  it.each([
    [1, 128],
    [85, 128],
    [86, 256],
    [128, 256],
    [1000, 2048],
    [32768, 32768],
  ])('derived from parallelism %i is %i', (parallelism, max) => {
    const vertex = compile(job({ operators: [SOURCE, { ...COUNT, parallelism }, SINK] })).vertices[1]
    expect(vertex).toMatchObject({ maxParallelism: max, maxParallelismExplicit: false })
  })

  it('is the operator’s, else the job’s', () => {
    const graph = compile(job({ config: { 'pipeline.max-parallelism': 16 }, operators: [SOURCE, { ...COUNT, maxParallelism: 8 }, SINK] }))
    expect(graph.vertices.map((vertex) => [vertex.maxParallelism, vertex.maxParallelismExplicit])).toEqual([
      [16, true],
      [8, true],
      [16, true],
    ])
  })
})

describe('chaining', () => {
  const operators = [SOURCE, map('a', 2), map('b', 2), map('c', 1), SINK]
  const edges = [{ from: 'source', to: 'a' }, { from: 'a', to: 'b' }, { from: 'b', to: 'c' }, { from: 'c', to: 'sink' }]
  const chains = (document: JobDocument) => compile(document).vertices.map((vertex) => vertex.chain.map((operator) => operator.uid).join(' '))

  it('is off by default', () => {
    expect(chains(job({ operators, edges }))).toEqual(['source', 'a', 'b', 'c', 'sink'])
  })

  it('joins operators that forward to each other at equal parallelism', () => {
    const document = job({ operators, edges, config: CHAINING })
    expect(chains(document)).toEqual(['source a b', 'c sink'])
    const graph = compile(document)
    expect(graph.edges).toHaveLength(1)
    expect(graph.edges[0]).toMatchObject({ from: operatorIdOfUid('source'), to: operatorIdOfUid('c'), ship: 'rebalance' })
    expect(graph.vertices[0]).toMatchObject({ id: operatorIdOfUid('source'), isSource: true })
  })

  it('stops at a hash edge', () => {
    expect(chains(job({ config: CHAINING }))).toEqual(['source', 'count', 'sink'])
  })

  it('stops where an operator has two inputs', () => {
    const union = [SOURCE, { ...SOURCE, uid: 'second' }, { uid: 'both', type: 'union', parallelism: 2 }, { ...SINK, parallelism: 2 }]
    const into = [{ from: 'source', to: 'both' }, { from: 'second', to: 'both' }, { from: 'both', to: 'sink' }]
    expect(chains(job({ operators: union, edges: into, config: CHAINING }))).toEqual(['source', 'second', 'both sink'])
  })

  it('stops where an operator has two outputs', () => {
    const split = [SOURCE, map('a', 2), { ...SINK, parallelism: 2 }, { ...SINK, uid: 'other', parallelism: 2 }]
    const out = [{ from: 'source', to: 'a' }, { from: 'a', to: 'sink' }, { from: 'a', to: 'other' }]
    expect(chains(job({ operators: split, edges: out, config: CHAINING }))).toEqual(['source a', 'sink', 'other'])
  })
})

describe('warnings', () => {
  it('of an output that nobody takes', () => {
    expect(warnings(job({ operators: [SOURCE, COUNT], edges: [EDGES[0] as never] }))).toEqual(['warning /operators/1'])
  })

  it('of a transactional sink without checkpoints', () => {
    expect(warnings(job({ operators: [SOURCE, COUNT, { uid: 'sink', type: 'two-phase-commit' }] }))).toEqual(['warning /operators/2'])
  })

  it('of a transaction timeout that is not longer than the checkpoint interval', () => {
    const sink = { uid: 'sink', type: 'two-phase-commit', params: { transactionTimeout: '10 s' } }
    expect(warnings(job({ operators: [SOURCE, COUNT, sink], config: { 'execution.checkpointing.interval': '10 s' } }))).toEqual(['warning /operators/2/params/transactionTimeout'])
  })

  it('of an upsert by several subtasks in any order', () => {
    const sink = { uid: 'sink', type: 'upsert', parallelism: 2, params: { by: 'key' } }
    expect(warnings(job({ operators: [SOURCE, COUNT, sink], edges: [EDGES[0] as never, { from: 'count', to: 'sink', ship: 'rebalance' }] }))).toEqual(['warning /edges/1'])
    expect(warnings(job({ operators: [SOURCE, COUNT, sink], edges: [EDGES[0] as never, { from: 'count', to: 'sink', ship: 'hash', by: ['key'] }] }))).toEqual([])
  })

  it('of a parameter that belongs to another choice', () => {
    const operators = [SOURCE, { uid: 'map', type: 'map', parallelism: 2, params: { function: 'identity', amount: 3 } }, SINK]
    expect(warnings(job({ operators, edges: [{ from: 'source', to: 'map' }, { from: 'map', to: 'sink' }] }))).toEqual(['warning /operators/1/params/amount'])
  })
})
