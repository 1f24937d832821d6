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
  it('an aligned checkpoint expires, an unaligned one of the same job completes with in-flight data, and the history shows both', async () => {
    const page = await tabs.open()
    const expired = await expiredIn(page, await start(page, wordsJob({})))
    const failed = await historyRow(page, expired)
    await failed.getByText('FAILED').waitFor()
    await failed.getByText('CHECKPOINT_EXPIRED').waitFor()

    const from = await start(page, wordsJob({ [`${C}unaligned.enabled`]: true }))
    const completed = await page.evaluate(async (since) => {
      const { weir } = window
      const persisted = await weir.until(({ body }) => body.type === 'InFlightPersisted' && body.inputBytes + body.outputBytes > 0, { since })
      if (!('body' in persisted) || persisted.body.type !== 'InFlightPersisted') throw new Error('not an event')
      const { checkpointId } = persisted.body
      await weir.until({ event: 'CheckpointCompleted', checkpointId }, { since })
      await weir.pace(0)
      return { id: checkpointId, rest: (await weir.rest(`/jobs/${weir.status().job?.id}/checkpoints/details/${checkpointId}`)) as { readonly persisted_data: number } }
    }, from)
    expect(completed.rest.persisted_data).toBeGreaterThan(0)
    const row = await historyRow(page, completed.id)
    await row.getByText('COMPLETED').waitFor()
    const persisted = await row.locator('td').last().innerText()
    expect(persisted).toMatch(/\([1-9]/)
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
