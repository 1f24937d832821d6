import { describe, expect, test } from 'vitest'
import type { Cluster } from '../../../src/cluster/cluster-types.ts'
import { LiveSteps } from '../../../src/cluster/live-steps.ts'
import type { LiveView } from '../../../src/cluster/live-view.ts'
import { FLIGHTS_DELAY } from '../../../workers/model/builtin-jobs/flights-delay.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'

const JOB = 'ab'.repeat(16)

/** A cluster that writes down what it is asked, and has these snapshots in storage. */
function recorded(snapshots: readonly (readonly [string, number])[] = [], history: readonly unknown[] = []) {
  const calls: unknown[] = []
  const note = (...call: unknown[]): Promise<never> => {
    calls.push(call)
    return Promise.resolve(undefined as never)
  }
  const cluster = {
    status: { job: { id: JOB, name: '', status: 'CANCELED' } },
    start: (document: JobDocument, options: unknown) => {
      calls.push(['start', document.operators.map(({ uid, parallelism }) => `${uid}/${parallelism ?? ''}`).join(' '), options])
      return Promise.resolve({ ok: true, job: JOB })
    },
    triggerSavepoint: (options: unknown) => note('savepoint', options).then(() => '/savepoints/s-1'),
    stopWithSavepoint: (options: unknown) => note('stop', options).then(() => '/savepoints/s-2'),
    disposeSavepoint: (path: string) => note('dispose', path),
    rest: async () => ({ status: 200, body: { history } }),
    desk: {
      tree: async () => ({ nodes: snapshots.map(([path, checkpointId]) => ({ path, snapshot: { checkpointId } })) }),
      copy: (from: string, to: string) => note('copy', from, to),
      rename: (from: string, to: string) => note('rename', from, to),
      remove: (paths: readonly string[]) => note('remove', ...paths),
    },
  } as unknown as Cluster
  const view = { now: 0, status: 'CANCELED', started: () => undefined } as unknown as LiveView
  return { calls, steps: new LiveSteps(cluster, view, FLIGHTS_DELAY, 7) }
}

describe('steps on live workers', () => {
  test('what `as` named stands for its path in every later step', async () => {
    const { calls, steps } = recorded()
    for (const step of [
      { trigger: 'savepoint', format: 'NATIVE', as: 'first' },
      { stop: { drain: true }, as: 'last' },
      { files: { copy: ['first', '/kept'] } },
      { files: { move: ['first/_metadata', '/x'] } },
      { files: { delete: 'first' } },
      { dispose: 'last' },
    ] as const) expect(await steps.carryOut(step)).toBeNull()
    expect(calls).toEqual([
      ['savepoint', { directory: '/savepoints', format: 'NATIVE' }],
      ['stop', { drain: true, directory: '/savepoints' }],
      ['copy', '/savepoints/s-1', '/kept'],
      ['rename', '/savepoints/s-1/_metadata', '/x'],
      ['remove', '/savepoints/s-1'],
      ['dispose', '/savepoints/s-2'],
    ])
  })

  test('a fault right behind an event is left to the simulator', async () => {
    const { calls, steps } = recorded()
    expect(await steps.carryOut({ inject: { kind: 'kill-job-manager' }, after: { type: 'CheckpointCompleted' } })).toContain('only a simulated cluster')
    expect(calls).toEqual([])
  })

  test('the next job: the document before, changed, from nothing or from a snapshot, with the seed before', async () => {
    const { calls, steps } = recorded()
    const uid = FLIGHTS_DELAY.operators[1]!.uid
    expect(await steps.begin()).toBeNull()
    await steps.carryOut({ start: { change: { operators: { [uid]: { parallelism: 3 } } } } })
    await steps.carryOut({ start: { from: '/s', claimMode: 'CLAIM', seed: 9 } })
    await steps.carryOut({ start: { from: '/s', allowNonRestoredState: true } })
    expect(calls.map((call) => (call as unknown[])[2])).toEqual([
      { seed: 7 },
      { seed: 7 },
      { seed: 9, restore: { path: '/s', allowNonRestoredState: false, claimMode: 'CLAIM' } },
      { seed: 9, restore: { path: '/s', allowNonRestoredState: true, claimMode: 'NO_CLAIM' } },
    ])
    expect((calls[3] as unknown[])[1], 'a change stays').toContain(`${uid}/3`)
  })

  test('`latest` is the newest retained checkpoint of the job before, and no savepoint', async () => {
    const retained = [[`/checkpoints/${JOB}/chk-9`, 9], [`/checkpoints/${JOB}/chk-10`, 10], ['/flat/chk-11', 11], ['/savepoints/s', 12], ['/checkpoints/other/chk-13', 13]] as const
    const history = [{ external_path: '/flat/chk-11', is_savepoint: false }, { external_path: '/savepoints/s', is_savepoint: true }]
    const { calls, steps } = recorded(retained, history)
    expect(await steps.carryOut({ start: { from: 'latest' } })).toBeNull()
    expect(calls[0]).toMatchObject(['start', expect.any(String), { restore: { path: '/flat/chk-11' } }])
    expect(await recorded().steps.carryOut({ start: { from: 'latest' } })).toBe(`no checkpoint of job ${JOB} is retained`)
  })
})
