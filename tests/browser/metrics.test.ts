/** Flink's metrics over REST from real workers, and the list of them on the page. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type {} from '../../src/cluster/console-api.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

/** The counters take far longer than the source, which is back-pressured, and the sink hears nothing. */
const SLOW: JobDocument = {
  weir: 'job@1',
  name: 'Words, slowly counted',
  config: { 'taskmanager.memory.segment-size': '256 b', 'execution.buffer-timeout.interval': '5 ms' },
  playground: { taskManagers: 1, slotsPerTaskManager: 2 },
  topics: [{ name: 'words', partitions: 1, rows: Array.from({ length: 20_000 }, (_, i) => [`k${i % 50}`]), schema: { kind: 'tuple', fields: { word: 'String' } } }],
  operators: [
    { uid: 'source', type: 'log', name: 'Words', params: { topic: 'words', rate: 1000, bounded: false } },
    { uid: 'count', type: 'process-count', name: 'Count', parallelism: 2, cost: '50 ms', params: { emitEvery: 1_000_000 } },
    { uid: 'sink', type: 'print' },
  ],
  edges: [{ from: 'source', to: 'count', ship: 'hash', by: ['word'] }, { from: 'count', to: 'sink', ship: 'rebalance' }],
}

/** Of the gauges: what the source, both counters and the sink are, most of their time. */
const figuresOf = (page: Page) =>
  page.evaluate(async () => {
    const { rest } = window.weir
    const { jobs } = (await rest('/jobs')) as { jobs: { id: string }[] }
    const { vertices } = (await rest(`/jobs/${jobs[0]?.id}`)) as { vertices: { id: string }[] }
    const [source, count, sink] = vertices.map(({ id }) => `/jobs/${jobs[0]?.id}/vertices/${id}`)
    const held = (await rest(`${source}/metrics?get=0.softBackPressuredTimeMsPerSecond`)) as { value: string }[]
    const [busy] = (await rest(`${count}/subtasks/metrics?get=busyTimeMsPerSecond&agg=min`)) as { min: number }[]
    const idle = (await rest(`${sink}/metrics?get=0.idleTimeMsPerSecond`)) as { value: string }[]
    return { sink: Number(idle[0]?.value) > 900 ? 'idle' : idle, source: Number(held[0]?.value) > 500 ? 'back-pressured' : held, count: (busy?.min ?? 0) > 900 ? 'busy' : busy }
  })

it('a slow operator is busy and its sender back-pressured, in REST and on the page, where names can be searched and copied by keyboard', async () => {
  const page = await tabs.open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(async (job) => {
    window.weir.load(job)
    await window.weir.start()
    await window.weir.until({ status: 'RUNNING' }, { since: 0 })
    await window.weir.pace(10)
  }, SLOW)
  // The gauges move every five seconds.
  await expect.poll(() => figuresOf(page), { timeout: 60_000 }).toEqual({ source: 'back-pressured', count: 'busy', sink: 'idle' })

  await page.getByText('All controls').click()
  await page.getByText('As a list').click()
  await page.getByRole('button', { name: 'Count 1', exact: true }).click()
  const search = page.getByLabel('Search metrics')
  await search.fill('busytimemsper')
  const row = page.locator('.metric-list li')
  await row.filter({ hasText: /0:\s*\d+.*1:\s*\d+/ }).waitFor()
  expect(await row.count()).toBe(1)
  await search.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('Copied busyTimeMsPerSecond').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('busyTimeMsPerSecond')
  await page.keyboard.press('ArrowUp')
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true)
  await search.fill('nothing like it')
  await page.getByText('No metric is called “nothing like it”.').waitFor()
})
