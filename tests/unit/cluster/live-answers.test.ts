import { describe, expect, test } from 'vitest'
import type { Cluster } from '../../../src/cluster/cluster-types.ts'
import { DeadlineExceeded } from '../../../src/cluster/deadline.ts'
import { LiveView } from '../../../src/cluster/live-view.ts'
import { judge } from '../../../workers/invariants/scenario-expectations.ts'
import { FLIGHTS_DELAY } from '../../../workers/model/builtin-jobs/flights-delay.ts'
import type { Expectation, ExpectationBody, ScenarioStart } from '../../../workers/model/scenario-document.ts'

const ACCEPTED = { accepted: true, refusal: null, operators: [], notes: ['the first checkpoint is a full one'] }

/** A cluster with two files of a savepoint that a step named `first`; what its desk is asked is written down. */
function asked(answer: () => Promise<unknown> = async () => ACCEPTED) {
  const calls: unknown[] = []
  const cluster = {
    engineNow: () => 0,
    onLog: () => () => undefined,
    status: { job: null },
    files: async (prefix: string) => [['/s/1/_metadata', 10], ['/s/1/x', 5], ['/s/10/x', 7]].flatMap(([path, size]) => (String(path).startsWith(prefix) ? [{ path, size }] : [])),
    desk: { verdict: async (source: unknown, document: { readonly operators: readonly { readonly uid: string; readonly parallelism?: number }[] }, settings: unknown) => {
      calls.push([source, document.operators.find(({ uid }) => uid === 'delay')?.parallelism, settings])
      return answer()
    } },
  } as unknown as Cluster
  const places = {
    pathOf: (name: string) => (name === 'first' ? '/s/1' : name),
    restoreOf: async ({ from, allowNonRestoredState = false }: ScenarioStart) => {
      if (from === 'latest') throw new Error('no checkpoint of the job is retained')
      return from === undefined ? null : { path: from === 'first' ? '/s/1' : from, allowNonRestoredState, claimMode: 'NO_CLAIM' as const }
    },
  }
  const judged = async (...bodies: readonly ExpectationBody[]) => {
    const expectations = bodies as readonly Expectation[]
    const view = new LiveView(cluster, FLIGHTS_DELAY)
    await view.ask(expectations, places)
    return judge(expectations, view)
  }
  return { calls, judged }
}

describe('what a live scenario asks of files and snapshots', () => {
  test('files below a name or a path; how many there are depends on the host, so that nothing is compared unless it says so', async () => {
    const { judged } = asked()
    const below = async (name: string) => (await judged({ files: { below: name, atLeast: 3 } }))[0]
    expect(await below('first')).toMatchObject({ outcome: 'not compared', actual: '2 files, 15 bytes' })
    expect(await below('/s/')).toMatchObject({ actual: '3 files, 22 bytes' })
    expect(await below('/')).toMatchObject({ actual: '3 files, 22 bytes' })
    const always = { class: 'always', files: { below: 'first', atLeast: 3 } } as Expectation
    expect(await judged(always)).toMatchObject([{ outcome: 'failed' }])
  })

  test('the desk is asked for a verdict, with the document before changed, and it is compared', async () => {
    const { calls, judged } = asked()
    const verdict = { from: 'first', allowNonRestoredState: true, change: { operators: { delay: { parallelism: 4 } } } }
    const judgements = await judged({ verdict: { ...verdict, accepted: true, contains: 'a full one' } }, { verdict: { ...verdict, accepted: false } })
    expect(judgements).toMatchObject([{ class: 'always', outcome: 'met' }, { outcome: 'failed', actual: expect.stringContaining('accepted') }])
    expect(calls[0]).toEqual([{ kind: 'stored', path: '/s/1' }, 4, { allowNonRestoredState: true, claimMode: 'NO_CLAIM' }])
  })

  test('from nothing a job that compiles is accepted; one with mistakes and a snapshot that is not there are refused', async () => {
    const { calls, judged } = asked(() => Promise.reject(new Error("Cannot find checkpoint or savepoint file/directory '/x'")))
    const judgements = await judged(
      { verdict: { accepted: true } },
      { verdict: { from: 'first', change: { operators: { delay: { type: 'no-such-type' } } }, accepted: false } },
      { verdict: { from: 'latest', accepted: false, contains: 'no checkpoint of the job is retained' } },
      { verdict: { from: '/x', accepted: false, contains: 'Cannot find checkpoint or savepoint' } },
    )
    expect(judgements.map(({ outcome }) => outcome)).toEqual(['met', 'met', 'met', 'met'])
    expect(calls).toHaveLength(1)
  })

  test('no answer in time is no verdict', async () => {
    const { judged } = asked(() => Promise.reject(new DeadlineExceeded('checking the restore: no answer within 15 s')))
    await expect(judged({ verdict: { from: 'first', accepted: false } })).rejects.toThrow('no answer')
  })
})
