/** Heavy backpressure: what aligned barriers do behind full queues, what unaligned ones do, and what the page shows of both. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type {} from '../../src/cluster/console-api.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

const C = 'execution.checkpointing.'

/** Small buffers of some twenty words: what fits before the counter is twenty seconds of work there at 50 ms a word. */
function wordsJob(config: Readonly<Record<string, string | number | boolean>>, cost: string | null = '50 ms'): JobDocument {
  return {
    weir: 'job@1',
    name: 'Words, slowly counted',
    config: {
      'execution.checkpointing.dir': 'file:///checkpoints',
      [`${C}interval`]: '500 ms',
      [`${C}timeout`]: '2 s',
      [`${C}tolerable-failed-checkpoints`]: 1000,
      'taskmanager.memory.segment-size': '256 b',
      'execution.buffer-timeout.interval': '5 ms',
      ...config,
    },
    playground: { taskManagers: 1, slotsPerTaskManager: 1 },
    topics: [{ name: 'words', partitions: 1, rows: Array.from({ length: 20_000 }, (_, i) => [`k${i % 7}`]), schema: { kind: 'tuple', fields: { word: 'String' } } }],
    operators: [
      { uid: 'source', type: 'log', params: { topic: 'words', rate: 500, bounded: false } },
      { uid: 'count', type: 'process-count', params: { emitEvery: 100 }, ...(cost === null ? {} : { cost }) },
      { uid: 'sink', type: 'print' },
    ],
    edges: [
      { from: 'source', to: 'count', ship: 'hash', by: ['word'] },
      { from: 'count', to: 'sink', ship: 'rebalance' },
    ],
  }
}

/** Two ways from one source, each behind full queues in its turn: barriers overtake on the hash edge, and never on the pointwise one, though the job is unaligned. */
const BRANCHES: JobDocument = {
  ...wordsJob({ [`${C}unaligned.enabled`]: true }, null),
  operators: [
    { uid: 'source', type: 'log', params: { topic: 'words', rate: 500, bounded: false } },
    { uid: 'label', type: 'map', params: { function: 'upper-case', field: 'word' }, cost: '50 ms' },
    { uid: 'labels', type: 'print' },
    { uid: 'count', type: 'process-count', params: { emitEvery: 100 } },
    { uid: 'counts', type: 'print' },
  ],
  edges: [
    { from: 'source', to: 'label', ship: 'forward' },
    { from: 'label', to: 'labels', ship: 'rebalance' },
    { from: 'source', to: 'count', ship: 'hash', by: ['word'] },
    { from: 'count', to: 'counts', ship: 'rebalance' },
  ],
}

/** In the place of what the page runs by itself. Answers where in the log the job begins. */
const start = (page: Page, job: JobDocument): Promise<number> =>
  page.evaluate(async (document) => {
    const { weir } = window
    await weir.pace(1)
    weir.load(document)
    const id = await weir.start()
    const submitted = await weir.until(({ body }) => body.type === 'JobSubmitted' && body.job === id, { since: 0 })
    return 'position' in submitted ? submitted.position : 0
  }, job)

/** The clock stands from then on, so that the history keeps what it shows. */
const expiredIn = (page: Page, from: number): Promise<number> =>
  page.evaluate(async (since) => {
    const { weir } = window
    const aborted = await weir.until({ event: 'CheckpointAborted', reason: 'CHECKPOINT_EXPIRED' }, { since })
    await weir.pace(0)
    return 'body' in aborted && aborted.body.type === 'CheckpointAborted' ? aborted.body.checkpointId : 0
  }, from)

async function historyRow(page: Page, checkpoint: number) {
  if ((await page.getByRole('region', { name: 'Checkpoints', exact: true }).count()) === 0) await page.keyboard.press('2')
  await page.getByRole('tab', { name: /^History/ }).click()
  return page.locator(`.ck-history tr[data-checkpoint="${checkpoint}"]`)
}

describe('a job under heavy backpressure', () => {
  it('of one job an aligned checkpoint expires and an unaligned one completes with in-flight data, and its history shows both', async () => {
    const page = await tabs.open()
    const from = await start(page, BRANCHES)
    const seen = await page.evaluate(async (since) => {
      const { weir } = window
      const aborted = await weir.until({ event: 'CheckpointAborted', reason: 'CHECKPOINT_EXPIRED' }, { since })
      if (!('body' in aborted) || aborted.body.type !== 'CheckpointAborted') throw new Error('not an event')
      // The load moves from the one branch to the other; the source stays back-pressured.
      await weir.inject({ kind: 'set-cost', uid: 'count', cost: '50 ms' })
      await weir.inject({ kind: 'set-cost', uid: 'label', cost: '0 ms' })
      // The checkpoint that was under way while it moved may expire too.
      const withInFlight = new Set<number>()
      const done = await weir.until(({ body }) => {
        if (body.type === 'InFlightPersisted' && body.inputBytes + body.outputBytes > 0) withInFlight.add(body.checkpointId)
        return body.type === 'CheckpointCompleted' && withInFlight.has(body.checkpointId)
      }, { since: aborted.position })
      if (!('body' in done) || done.body.type !== 'CheckpointCompleted') throw new Error('not an event')
      const { checkpointId } = done.body
      // The clock stands from now on, so that the history keeps what it shows.
      await weir.pace(0)
      const details = (id: number) => weir.rest(`/jobs/${weir.status().job?.id}/checkpoints/details/${id}`) as Promise<{ readonly status: string; readonly persisted_data: number }>
      const until = aborted.body.checkpointId
      return { expired: until, completed: checkpointId, details: [await details(until), await details(checkpointId)], jobs: ((await weir.rest('/jobs')) as { readonly jobs: readonly unknown[] }).jobs.length }
    }, from)
    expect(seen.details).toMatchObject([{ status: 'FAILED', persisted_data: 0 }, { status: 'COMPLETED' }])
    expect(seen.details[1]?.persisted_data).toBeGreaterThan(0)

    const failed = await historyRow(page, seen.expired)
    await failed.getByText('FAILED').waitFor()
    await failed.getByText('CHECKPOINT_EXPIRED').waitFor()
    const row = await historyRow(page, seen.completed)
    await row.getByText('COMPLETED').waitFor()
    expect(await row.locator('td').last().innerText()).toMatch(/\([1-9]/)
    // At the same time, in the one history of the one job.
    expect(await failed.isVisible()).toBe(true)
  })

  it('an operator that is made slow while the job runs lets checkpoints expire', async () => {
    const page = await tabs.open()
    const from = await start(page, wordsJob({}, null))
    const slow = await page.evaluate(async (since) => {
      const { weir } = window
      await weir.until({ event: 'CheckpointCompleted' }, { since })
      await weir.inject({ kind: 'set-cost', uid: 'count', cost: '50 ms' })
      const injected = await weir.until({ event: 'FaultInjected', fault: 'set-cost', target: 'count' }, { since })
      return 'position' in injected ? injected.position : 0
    }, from)
    expect(await expiredIn(page, slow)).toBeGreaterThan(0)
  })

  it('a channel that is made slow while the job runs delays the barriers by as much', async () => {
    const page = await tabs.open()
    const from = await start(page, wordsJob({ [`${C}timeout`]: '1 min' }, null))
    const slowest = await page.evaluate(async (since) => {
      const { weir } = window
      await weir.until({ event: 'CheckpointCompleted' }, { since })
      await weir.inject({ kind: 'slow-channel', from: 'source', to: 'count', by: '3 s' })
      const injected = await weir.until({ event: 'FaultInjected', fault: 'slow-channel', target: 'source to count' }, { since })
      // One that was triggered in the same moment may have gone ahead of the delay.
      const end = await weir.until(({ body }) => body.type === 'CheckpointCompleted' && body.durationMicros >= 3_000_000, { since: 'position' in injected ? injected.position : 0 })
      return 'body' in end && end.body.type === 'CheckpointCompleted' ? end.body.durationMicros : 0
    }, from)
    expect(slowest).toBeGreaterThanOrEqual(3_000_000)
    const refused = await page.evaluate(() => window.weir.inject({ kind: 'slow-channel', from: 'sink', to: 'source', by: '1 s' }).catch(String))
    expect(refused).toContain('no channel leads from "sink" to "source"')
  })
})

describe('the rate of a channel', () => {
  it('that is limited while the job runs is what gets through, holds after a restart, and can be taken away', async () => {
    const page = await tabs.open()
    const from = await start(page, wordsJob({ [`${C}timeout`]: '1 min' }, null))
    const told = await page.evaluate(async (since) => {
      const { weir } = window
      await weir.until({ event: 'CheckpointCompleted' }, { since })
      await weir.inject({ kind: 'limit-channel', from: 'source', to: 'count', rate: '1 kb' })
      const limited = await weir.until({ event: 'ChannelRateChanged', bytesPerSecond: 1024 }, { since })
      const position = 'position' in limited ? limited.position : 0
      // At 500 words a second, some ten kilobytes: what comes waits at the sender, and the barrier behind it.
      const slow = await weir.until(({ body }) => body.type === 'CheckpointCompleted' && body.durationMicros >= 1_000_000, { since: position })
      await weir.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
      await weir.until({ event: 'CheckpointRestored' }, { since: position })
      await weir.until(({ body }) => body.type === 'CheckpointCompleted' && body.durationMicros >= 1_000_000, { since: 'position' in slow ? slow.position : 0 })
      return { position, rates: weir.status().rates }
    }, from)
    expect(told.rates).toEqual({ '0:0>0': 1024 })
    await page.getByRole('button', { name: 'All controls' }).click()
    await page.getByRole('button', { name: /^Keyed process: count 0,/ }).focus()
    await page.keyboard.press('Enter')
    const knobs = page.getByRole('group', { name: 'Channel from Log source 0' })
    await knobs.getByText('1.00 KB/s').waitFor()
    await knobs.getByRole('button', { name: 'Back to no limit' }).click()
    const after = await page.evaluate(async (since) => {
      const { weir } = window
      const freed = await weir.until({ event: 'ChannelRateChanged', bytesPerSecond: null }, { since })
      await weir.until(({ body }) => body.type === 'CheckpointCompleted' && body.durationMicros < 500_000, { since: 'position' in freed ? freed.position : 0 })
      return weir.status().rates
    }, told.position)
    expect(after).toEqual({ '0:0>0': null })
    const refused = await page.evaluate(() => window.weir.inject({ kind: 'limit-channel', from: 'source', to: 'count', rate: '0 kb' }).catch(String))
    expect(refused).toContain('no rate: "0 kb"')
  })
})

describe('the record trace', () => {
  it('of a task that works flat out ends with its budget, and the log says how many records went by untraced', async () => {
    const page = await tabs.open()
    const job = wordsJob({ 'taskmanager.memory.segment-size': '32 kb' }, null)
    const operators = job.operators.map((operator) => (operator.uid === 'source' ? { ...operator, params: { topic: 'words', rate: null, bounded: false } } : operator))
    const from = await start(page, { ...job, operators })
    const dropped = await page.evaluate(async (since) => {
      const { weir } = window
      const told = await weir.until(({ source, body }) => body.type === 'EventsDropped' && body.level === 'trace' && source.endsWith('_0_0'), { since })
      return 'body' in told && told.body.type === 'EventsDropped' ? told.body.count : 0
    }, from)
    expect(dropped).toBeGreaterThan(0)
  })
})
