import { describe, expect, it } from 'vitest'
import { checkParameters } from '../../../workers/model/catalogue/check-parameters.ts'
import { OPERATOR_TYPES } from '../../../workers/model/catalogue/catalogue.ts'
import { BUILTIN_JOBS } from '../../../workers/model/builtin-jobs/builtin-jobs.ts'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { JobGraph, OperatorDescription } from '../../../workers/model/job-graph.ts'
import { createCoordinator } from '../../../workers/operators/create-coordinator.ts'
import { createOperator } from '../../../workers/operators/create-operator.ts'
import { compileBuiltin } from '../../../workers/operators/functions/compile-builtin.ts'

/** One job with every type of the catalogue in it. */
const EVERYTHING = {
  weir: 'job@1',
  name: 'everything',
  config: { 'execution.checkpointing.interval': '1 s' },
  topics: [{ name: 't', partitions: 2, schema: { fields: { key: 'String', value: 'Int' } }, rows: [['a', 1]] }],
  operators: [
    { uid: 'log', type: 'log', params: { topic: 't' } },
    { uid: 'generator', type: 'generator', params: { rows: 'pair', count: 10 } },
    { uid: 'map', type: 'map', params: { function: 'upper-case' } },
    { uid: 'filter', type: 'filter', params: { field: 'value', op: '>', value: 0 } },
    { uid: 'flat', type: 'flat-map', params: { function: 'repeat', times: 2 } },
    { uid: 'union', type: 'union' },
    { uid: 'list', type: 'list-state', params: { redistribution: 'union' } },
    { uid: 'aggregate', type: 'aggregate', params: { aggregates: [{ fn: 'count', as: 'n' }] } },
    { uid: 'process', type: 'process-count' },
    { uid: 'connect', type: 'connect' },
    { uid: 'broadcast', type: 'broadcast-join', params: { on: 'key' } },
    { uid: 'print', type: 'print' },
    { uid: 'upsert', type: 'upsert', params: { by: 'key' } },
    { uid: 'commit', type: 'two-phase-commit' },
  ],
  edges: [
    { from: 'log', to: 'map' },
    { from: 'map', to: 'filter' },
    { from: 'filter', to: 'flat' },
    { from: 'flat', to: 'union' },
    { from: 'log', to: 'union' },
    { from: 'union', to: 'list' },
    { from: 'list', to: 'aggregate', ship: 'hash', by: ['key'] },
    { from: 'generator', to: 'process', ship: 'hash', by: ['key'] },
    { from: 'aggregate', to: 'connect', ship: 'hash', by: ['key'] },
    { from: 'process', to: 'connect', ship: 'hash', by: ['key'], input: 2 },
    { from: 'log', to: 'broadcast', ship: 'rebalance' },
    { from: 'aggregate', to: 'broadcast', ship: 'broadcast', input: 2 },
    { from: 'connect', to: 'print' },
    { from: 'connect', to: 'upsert' },
    { from: 'connect', to: 'commit' },
  ],
}

function graphOf(document: unknown): JobGraph {
  const { graph, problems } = compileJob(document)
  if (graph === null) throw new Error(JSON.stringify(problems))
  return graph
}

const descriptions = (graph: JobGraph): readonly OperatorDescription[] => graph.vertices.flatMap((vertex) => vertex.chain)

describe('the catalogue', () => {
  const graph = graphOf(EVERYTHING)

  it('has every type in one job that compiles', () => {
    expect(descriptions(graph).map(({ type }) => type).sort()).toEqual(OPERATOR_TYPES.map(({ type }) => type).sort())
  })

  it('has an implementation of every type, and a coordinator where it says so', () => {
    for (const description of [EVERYTHING, ...Object.values(BUILTIN_JOBS)].flatMap((document) => descriptions(graphOf(document)))) {
      expect(createOperator(description, compileBuiltin)).toBeTypeOf('object')
      if (description.hasCoordinator) expect(createCoordinator(description, graphOf(description.type === 'log' && description.params['topic'] === 'flights' ? BUILTIN_JOBS['flights-delay'] : EVERYTHING))).toBeTypeOf('object')
      else expect(() => createCoordinator(description, graph)).toThrow(/no coordinator/)
    }
    const unknown = { ...(descriptions(graph)[0] as OperatorDescription), type: 'nothing' }
    expect(() => createOperator(unknown, compileBuiltin)).toThrow(/nothing/)
  })

  it('says of each type what it is, in one sentence, with one name', () => {
    expect(new Set(OPERATOR_TYPES.map(({ type }) => type)).size).toBe(OPERATOR_TYPES.length)
    expect(new Set(OPERATOR_TYPES.map(({ title }) => title)).size).toBe(OPERATOR_TYPES.length)
    for (const type of OPERATOR_TYPES) {
      for (const text of [type.summary, ...type.parameters.map(({ help }) => help)]) expect(text).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('has defaults that its own checks take', () => {
    for (const type of OPERATOR_TYPES) {
      const params = Object.fromEntries(type.parameters.flatMap((parameter) => ('default' in parameter && parameter.default !== undefined ? [[parameter.name, parameter.default]] : [])))
      const mistakes = checkParameters(type, params, null).filter(({ message }) => !message.includes('is missing'))
      expect(mistakes, type.type).toEqual([])
    }
  })
})
