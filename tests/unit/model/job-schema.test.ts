import { Ajv } from 'ajv'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OPERATOR_TYPES } from '../../../workers/model/catalogue/catalogue.ts'
import { BUILTIN_JOBS } from '../../../workers/model/builtin-jobs/builtin-jobs.ts'
import { compileJob } from '../../../workers/model/compile-job.ts'
import { checkJobShape } from '../../../workers/model/compile/job-shape.ts'
import { job, SOURCE, TOPIC } from './job-fixture.ts'

const schema = JSON.parse(readFileSync(new URL('../../../public/schema/job.schema.json', import.meta.url), 'utf8')) as object
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A document with everything in it. */
const FULL = JSON.parse(
  JSON.stringify({
    ...job({ topics: [TOPIC, { name: 'bare', partitions: 1, rows: ['x', 'y'], schema: { kind: 'bare', fields: { word: 'String' } } }] }),
    config: { 'execution.checkpointing.interval': '10 s', 'pipeline.max-parallelism': 64, 'pipeline.operator-chaining.enabled': false },
    playground: { linkLatency: '1 ms', syncCost: '1 ms', storageLatency: '1 ms', storageBandwidth: '1 mb', detectionDelay: '1 ms', taskManagers: 2, slotsPerTaskManager: 2 },
    operators: [{ ...SOURCE, name: 'Source', maxParallelism: 8, cost: '1 ms', output: { kind: 'row', fields: { key: 'String', value: 'Int' } }, position: { x: 1, y: 2.5 } }, ...job().operators.slice(1)],
    edges: job().edges.map((edge) => ({ ...edge, rate: '64 kb', delay: '200 ms' })),
  }),
) as Json

const REPLACEMENTS: readonly Json[] = [null, '', 'x', -1, 0, 1.5, 3, 100_000, true, [], {}, [1], { x: 1 }]

/** Every document that has one place replaced, removed or added to. */
function* mutants(value: Json): Generator<Json> {
  for (const replacement of REPLACEMENTS) yield replacement
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) for (const mutant of mutants(value[i] as Json)) yield value.map((item, at) => (at === i ? mutant : item))
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, surprise: 1 }
    for (const key of Object.keys(value)) {
      const { [key]: _removed, ...rest } = value
      yield rest
      for (const mutant of mutants(value[key] as Json)) yield { ...value, [key]: mutant }
    }
  }
}

describe('the JSON Schema of a job and the validator', () => {
  it('both take a document with everything in it', () => {
    expect(validate(FULL), JSON.stringify(validate.errors)).toBe(true)
    expect(checkJobShape(FULL)).toEqual([])
    expect(compileJob(FULL).problems.filter((problem) => problem.severity === 'error')).toEqual([])
  })

  it('agree on every document with one thing changed', () => {
    let refused = 0
    let taken = 0
    for (const mutant of mutants(FULL)) {
      const bySchema = validate(mutant)
      const byUs = checkJobShape(mutant).length === 0
      if (bySchema !== byUs) expect.fail(`schema says ${bySchema}, validator ${byUs}: ${JSON.stringify(mutant)} ${JSON.stringify(validate.errors)}`)
      if (byUs) taken++
      else refused++
    }
    expect(refused).toBeGreaterThan(500)
    expect(taken).toBeGreaterThan(50)
  })

  it('never throw on a document with one thing changed: compiling gives problems', () => {
    for (const mutant of mutants(FULL)) {
      const { graph, problems } = compileJob(mutant)
      expect(graph !== null || problems.some((problem) => problem.severity === 'error')).toBe(true)
    }
  })
})

describe('the built-in jobs', () => {
  it.each(Object.entries(BUILTIN_JOBS))('%s fits the schema and compiles without a warning', (_name, document) => {
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true)
    const { graph, problems } = compileJob(document)
    expect(problems).toEqual([])
    expect(graph).not.toBeNull()
  })
})

describe('docs/JOB-DOCUMENT.md', () => {
  const text = readFileSync(new URL('../../../docs/JOB-DOCUMENT.md', import.meta.url), 'utf8')

  it('has an example that compiles without a warning', () => {
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '') as unknown
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true)
    expect(compileJob(example).problems).toEqual([])
  })

  it('names every type, every parameter, and every built-in job', () => {
    for (const { type, parameters } of OPERATOR_TYPES) {
      const row = text.split('\n').find((line) => line.startsWith(`| \`${type}\` |`)) ?? ''
      expect(row, type).not.toBe('')
      for (const { name } of parameters) expect(row, `${type}: ${name}`).toContain(`\`${name}\``)
    }
    for (const name of Object.keys(BUILTIN_JOBS)) expect(text).toContain(`\`${name}\``)
  })
})
