/** Steps and expectations of scenarios that concern savepoints, on the simulator. */
import { describe, expect, it } from 'vitest'
import { runScenario } from '../../../workers/hosts/simulator/scenario-runner.ts'
import type { ScenarioReport } from '../../../workers/model/scenario-document.ts'
import { parseScenario } from '../../../workers/model/scenario-parser.ts'
import { jobDocument } from './harness.ts'

function run(steps: readonly unknown[], expected: readonly unknown[]): ScenarioReport {
  const document = jobDocument()
  const scenario = parseScenario({ weir: 'scenario@1', name: 'steps', job: document, steps, expect: expected })
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.error))
  const rows = document.topics?.[0]?.rows as readonly (readonly [string, number])[]
  const partitions = [0, 1].map((partition) => rows.filter((_, index) => index % 2 === partition).map((row) => [...row]))
  return runScenario({ scenario: scenario.value, document, topics: [{ name: 'in', partitions }] }).report
}

const outcomes = (report: ScenarioReport): readonly string[] => report.expectations.map(({ outcome, actual }) => (outcome === 'met' ? 'met' : `${outcome}: ${actual}`))
const messages = (report: ScenarioReport): readonly string[] => report.steps.map(({ ok, message }) => (ok ? 'ok' : (message ?? '')))

describe('steps of a scenario', () => {
  it('a savepoint that is named ends when it is complete, and can be disposed of by its name', () => {
    const report = run([{ wait: { for: '2 s' } }, { trigger: 'savepoint', format: 'NATIVE', directory: '/kept', as: 'mine' }, { dispose: 'mine' }], [
      { events: { pattern: { type: 'CheckpointCompleted', where: { savepoint: true } }, atLeast: 1, atMost: 1 } },
      { events: { pattern: { type: 'SavepointDisposed' }, atLeast: 1 } },
      { job: 'RUNNING' },
    ])
    expect([...messages(report), ...outcomes(report)]).toEqual(['ok', 'ok', 'ok', 'met', 'met', 'met'])
  })

  it.each([[false], [true]])('stop ends when the job has FINISHED, drain %s; output is exactly once as far as the sources have read', (drain) => {
    const report = run([{ wait: { for: '2500 ms' } }, { stop: { drain }, as: 'end' }], [
      { job: 'FINISHED' },
      { jobStates: ['INITIALIZING', 'CREATED', 'RUNNING', 'FINISHED'] },
      { events: { pattern: { type: 'EndOfDataReached' }, ...(drain ? { atLeast: 5 } : { atMost: 0 }) } },
      { exactlyOnce: true },
    ])
    expect([...messages(report), ...outcomes(report)]).toEqual(['ok', 'ok', 'met', 'met', 'met', 'met'])
  })

  it('a check is judged when its turn comes, reported first, and does not end the steps', () => {
    const report = run([{ wait: { tasks: 'RUNNING' } }, { check: [{ job: 'RUNNING' }, { job: 'FAILED' }] }, { cancel: true }, { wait: { job: 'CANCELED' } }], [{ job: 'CANCELED' }])
    expect([...messages(report), ...outcomes(report)]).toEqual(['ok', 'ok', 'ok', 'ok', 'met', 'failed: RUNNING', 'met'])
    expect(report.ok).toBe(false)
  })

  it('an event may be known by words in one of its texts', () => {
    const report = run([{ wait: { tasks: 'RUNNING' } }, { dispose: '/nowhere' }], [
      { events: { pattern: { type: 'RequestFailed', contains: 'Cannot find' }, atLeast: 1 } },
      { events: { pattern: { type: 'RequestFailed', contains: 'something else' }, atMost: 0 } },
    ])
    expect(outcomes(report)).toEqual(['met', 'met'])
  })

  it('elements are counted by subtask, of the checkpoint that was triggered last with that number', () => {
    const report = run([{ wait: { for: '1 s' } }, { trigger: 'checkpoint', as: 'one' }], [
      { elements: { uid: 'count', checkpoint: 'latest-completed', kind: 'keyed', bySubtask: [] } },
      { elements: { uid: 'count', checkpoint: 99, kind: 'keyed', count: 1 } },
    ])
    expect(report.expectations.map(({ outcome, actual }) => [outcome, actual.replaceAll(/\d+/g, 'n')])).toEqual([['failed', '[n, n], n in all'], ['failed', 'no such state in that checkpoint']])
  })

  it('sizes are those of the completed checkpoint', () => {
    const sizes = (more: object): object => ({ sizes: { checkpoint: 'latest-completed', ...more } })
    const report = run([{ wait: { for: '1 s' } }, { trigger: 'checkpoint', as: 'one' }], [sizes({ equal: true }), sizes({ equal: false }), sizes({ state: { atMost: 10 } }), sizes({ checkpointed: { atLeast: 10 } }), { sizes: { checkpoint: 99 } }])
    expect(report.expectations.map(({ outcome }) => outcome)).toEqual(['met', 'failed', 'failed', 'met', 'failed'])
  })

  it('a name may have more behind it: files in the snapshot that it stands for; and all files are below the root', () => {
    const report = run([{ wait: { for: '1 s' } }, { trigger: 'savepoint', as: 'one' }, { files: { copy: ['one/_metadata', '/kept/one/_metadata'] } }, { files: { delete: 'one/_metadata' } }, { dispose: 'one/_metadata' }], [
      { verdict: { from: '/kept/one/_metadata', accepted: true } },
      { verdict: { from: 'one/_metadata', accepted: false, contains: 'Cannot find checkpoint or savepoint file/directory' } },
      { files: { below: 'one/_metadata', atMost: 0 } },
      { files: { below: '/', atLeast: 1 } },
    ])
    expect(messages(report).slice(0, 4)).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(outcomes(report)).toEqual(['met', 'met', 'met', 'met'])
  })

  it('a verdict is asked for words in its refusal, its notes, and what becomes of each operator', () => {
    const verdict = (more: object): object => ({ verdict: { from: 'one', accepted: true, ...more } })
    const report = run([{ wait: { for: '1 s' } }, { trigger: 'savepoint', as: 'one' }], [
      verdict({}), verdict({ contains: 'first checkpoint is a full one' }), verdict({ contains: '"count" state "count" as is' }), verdict({ contains: 'no such words' }), verdict({ accepted: false }),
      verdict({ change: { operators: { count: { type: 'aggregate', params: { aggregates: [{ fn: 'count', as: 'n' }], emitEvery: null } } } }, contains: 'state "count" carried' }),
    ])
    expect(report.expectations.map(({ outcome }) => outcome)).toEqual(['met', 'met', 'met', 'failed', 'failed', 'met'])
  })

  it('a step that is to fail does its part when it is told these words, and not otherwise', () => {
    const dispose = (fails: string): object => ({ dispose: '/nowhere', fails })
    expect(messages(run([{ wait: { tasks: 'RUNNING' } }, dispose('Cannot find'), dispose('something else')], []))).toEqual(['ok', 'ok', "Cannot find checkpoint or savepoint file/directory '/nowhere'."])
    expect(messages(run([{ wait: { for: '1 s' } }, { trigger: 'savepoint', as: 'x', fails: 'no' }], []))).toEqual(['ok', 'the step was to fail, and did not'])
  })

  it('a fault after an event comes while the steps go on; a job that was stopped is over for the waits when the next one starts', () => {
    const report = run(
      [
        { wait: { tasks: 'RUNNING' } }, { inject: { kind: 'kill-subtask', uid: 'count', subtask: 0 }, after: { type: 'CheckpointCompleted', count: 2 } }, { wait: { job: 'RESTARTING' } },
        { check: [{ completed: { atLeast: 2, atMost: 2 } }] }, { wait: { tasks: 'RUNNING' } }, { stop: {}, as: 'end' }, { start: { from: 'end' } }, { wait: { tasks: 'RUNNING' } },
      ],
      [{ job: 'RUNNING' }],
    )
    expect([...messages(report), ...outcomes(report)]).toEqual([...Array<string>(8).fill('ok'), 'met', 'met'])
  })

  it('a step that fails says why, and the failure can be expected', () => {
    const report = run([{ dispose: '/nowhere' }], [{ failure: { contains: 'Cannot find checkpoint or savepoint' } }, { failure: { contains: 'something else' } }])
    expect(messages(report)).toEqual(["Cannot find checkpoint or savepoint file/directory '/nowhere'."])
    expect(report.expectations.map(({ outcome }) => outcome)).toEqual(['met', 'failed'])
  })
})
