import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../../workers/model/scenario-parser.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const fits = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(read('public/schema/scenario.schema.json') as object)

const good = (change: Record<string, unknown> = {}): Record<string, unknown> => ({ weir: 'scenario@1', name: 'one', job: 'flights-delay', steps: [], expect: [], ...change })

describe('the scenarios of the playground', () => {
  for (const name of readdirSync(join(ROOT, 'public/scenarios'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))) {
    it(`${name} fits the parser and the schema`, () => {
      const scenario = read(`public/scenarios/${name}`)
      expect(parseScenario(scenario)).toMatchObject({ ok: true })
      expect(fits(scenario), JSON.stringify(fits.errors)).toBe(true)
    })
  }
})

/** A mistake, and the pointer to its place. */
const MISTAKES: readonly (readonly [string, unknown, string])[] = [
  ['no object', [], ''],
  ['no version', { ...good(), weir: undefined }, '/weir'],
  ['another version', good({ weir: 'scenario@2' }), '/weir'],
  ['no name', good({ name: '' }), '/name'],
  ['a field that is not known', good({ stepps: [] }), '/stepps'],
  ['a job that is no job', good({ job: 3 }), '/job'],
  ['a seed that is no seed', good({ seed: -1 }), '/seed'],
  ['steps that are no list', good({ steps: {} }), '/steps'],
  ['an unknown step', good({ steps: [{ jump: 1 }] }), '/steps/0'],
  ['a step with more than one meaning', good({ steps: [{ cancel: true, trigger: 'checkpoint' }] }), '/steps/0/cancel'],
  ['a wait for nothing', good({ steps: [{ wait: {} }] }), '/steps/0/wait'],
  ['a broken duration', good({ steps: [{ wait: { for: 'soon' } }] }), '/steps/0/wait/for'],
  ['an unknown fault', good({ steps: [{ inject: { kind: 'earthquake' } }] }), '/steps/0/inject/kind'],
  ['a fault without its target', good({ steps: [{ inject: { kind: 'kill-subtask', uid: 'x' } }] }), '/steps/0/inject'],
  ['a cost without a unit that is known', good({ steps: [{ inject: { kind: 'set-cost', uid: 'x', cost: '3 moons' } }] }), '/steps/0/inject/cost'],
  ['a fault after an event of an operator', good({ steps: [{ inject: { kind: 'kill-job-manager' }, after: { type: 'X', uid: 'y' } }] }), '/steps/0/after/uid'],
  ['a subtask below 0', good({ steps: [{ inject: { kind: 'kill-subtask', uid: 'x', subtask: -1 } }] }), '/steps/0/inject/subtask'],
  ['an unknown savepoint format', good({ steps: [{ trigger: 'savepoint', format: 'RAW' }] }), '/steps/0/format'],
  ['a stop that is half told', good({ steps: [{ stop: { drain: 'yes' } }] }), '/steps/0/stop/drain'],
  ['a check of nothing that is known', good({ steps: [{ check: [{ mood: 'fine' }] }] }), '/steps/0/check/0'],
  ['an unknown claim mode', good({ steps: [{ start: { claimMode: 'MINE' } }] }), '/steps/0/start/claimMode'],
  ['a job to start that is no job', good({ steps: [{ start: { job: 'flights-delay' } }] }), '/steps/0/start/job'],
  ['a disposal of nothing', good({ steps: [{ dispose: '' }] }), '/steps/0/dispose'],
  ['a copy without its target', good({ steps: [{ files: { copy: ['a'] } }] }), '/steps/0/files/copy'],
  ['two things done with files at once', good({ steps: [{ files: { delete: 'a', move: ['a', 'b'] } }] }), '/steps/0/files/delete'],
  ['a channel without a rate', good({ steps: [{ inject: { kind: 'limit-channel', from: 'a', to: 'b' } }] }), '/steps/0/inject'],
  ['a rate of 0', good({ steps: [{ inject: { kind: 'limit-channel', from: 'a', to: 'b', rate: '0 kb' } }] }), '/steps/0/inject/rate'],
  ['a rate in no unit', good({ steps: [{ inject: { kind: 'limit-channel', from: 'a', to: 'b', rate: '5 miles' } }] }), '/steps/0/inject/rate'],
  ['files below nothing', good({ expect: [{ files: { atLeast: 1 } }] }), '/expect/0/files'],
  ['an order of no events', good({ expect: [{ order: [{ uid: 'x' }] }] }), '/expect/0/order/0'],
  ['sizes of nothing', good({ expect: [{ sizes: { equal: true } }] }), '/expect/0/sizes'],
  ['elements of no kind', good({ expect: [{ elements: { uid: 'x', checkpoint: 1 } }] }), '/expect/0/elements'],
  ['a failure without its words', good({ expect: [{ failure: {} }] }), '/expect/0/failure'],
  ['a verdict that is neither', good({ expect: [{ verdict: { from: 'a' } }] }), '/expect/0/verdict'],
  ['an event that contains nothing', good({ expect: [{ events: { pattern: { type: 'X', contains: 3 } } }] }), '/expect/0/events/pattern/contains'],
  ['an unknown status', good({ expect: [{ job: 'FINE' }] }), '/expect/0/job'],
  ['an unknown reason', good({ expect: [{ checkpoint: 1, status: 'FAILED', reason: 'BAD_LUCK' }] }), '/expect/0/reason'],
  ['checkpoint 0', good({ expect: [{ checkpoint: 0, status: 'FAILED' }] }), '/expect/0/checkpoint'],
  ['rows that are no list', good({ expect: [{ sink: { uid: 'x', content: 1 } }] }), '/expect/0/sink/content'],
  ['an unknown class', good({ expect: [{ job: 'RUNNING', class: 'never' }] }), '/expect/0/class'],
]

it('every step and expectation of snapshots fits the parser and the schema', () => {
  const steps = [
    { trigger: 'savepoint', format: 'NATIVE', directory: '/elsewhere', as: 'a', fails: 'x' }, { stop: { drain: true, format: 'CANONICAL' }, as: 'b', fails: 'x' }, { dispose: 'a', fails: 'x' }, { start: {}, fails: 'x' }, { stop: {} },
    { start: { from: 'a', allowNonRestoredState: true, claimMode: 'CLAIM', seed: 3, change: { operators: { count: { parallelism: 3 }, old: null } } } },
    { inject: { kind: 'limit-channel', from: 'a', to: 'b', rate: '64 kb' } }, { inject: { kind: 'limit-channel', from: 'a', to: 'b', rate: null } },
    { inject: { kind: 'kill-job-manager' }, after: { type: 'CheckpointCompleted', count: 2, where: { savepoint: true } } }, { start: { job: { weir: 'job@1' } } }, { check: [{ restored: 1 }] }, { dispose: 'a' }, { files: { copy: ['a', '/b'] } }, { files: { move: ['a', '/b'] } }, { files: { delete: '/b' } },
  ]
  const expected = [{ order: [{ type: 'X' }, { type: 'X', uid: 'x', count: 2 }] }, { figures: { checkpoint: 1, uid: 'x', persistedInAll: { atMost: 9 } } }, { sizes: { checkpoint: 3, checkpointed: { atMost: 9 }, state: { atLeast: 1 }, equal: true } }, { elements: { uid: 'x', checkpoint: 'latest-completed', kind: 'operator', count: 3, bySubtask: [1, 2] } }, { files: { below: 'a', atLeast: 1, bytesAtMost: 10 } }, { failure: { contains: 'x' }, class: 'simulator' }, { verdict: { from: 'a', accepted: false, contains: 'y' } }]
  const scenario = good({ steps, expect: expected })
  expect(parseScenario(scenario)).toMatchObject({ ok: true })
  expect(fits(scenario), JSON.stringify(fits.errors)).toBe(true)
})

describe('a mistake in a scenario', () => {
  it.each(MISTAKES)('%s: the parser names its place, and the schema refuses it too', (_name, value, path) => {
    const plain = JSON.parse(JSON.stringify(value)) as unknown
    const parsed = parseScenario(plain)
    expect(parsed.ok).toBe(false)
    if (parsed.ok) return
    const paths = parsed.error.map((problem) => problem.path)
    expect(path === '/weir' && !('weir' in (plain as object)) ? paths.includes('') : paths.includes(path), paths.join()).toBe(true)
    for (const problem of parsed.error) expect(problem.cure).not.toBe('')
    expect(fits(plain)).toBe(false)
  })
})
