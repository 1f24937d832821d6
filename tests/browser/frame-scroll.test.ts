/** The frame stands still, whatever is brought into view in one of its panes. */
import { expect, it } from 'vitest'
import type {} from '../../src/cluster/console-api.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

/** Its edges stand behind thousands of lines. */
const LONG: JobDocument = {
  weir: 'job@1',
  name: 'a long document',
  topics: [{ name: 'words', partitions: 1, rows: Array.from({ length: 3000 }, (_, i) => `k${i % 7}`), schema: { kind: 'bare', fields: { word: 'String' } } }],
  operators: [
    { uid: 'source', type: 'log', name: 'Words', params: { topic: 'words', rate: 20 } },
    { uid: 'count', type: 'process-count', name: 'Count', parallelism: 2 },
    { uid: 'sink', type: 'print', name: 'Out' },
  ],
  edges: [{ from: 'source', to: 'count', ship: 'hash', by: ['word'] }, { from: 'count', to: 'sink', ship: 'rebalance' }],
}

it('an edge whose line is far down in the document scrolls the editor alone, also while the inspector holds a long list', async () => {
  const page = await tabs.open()
  await page.evaluate(async (job) => {
    window.weir.load(job)
    await window.weir.start()
    await window.weir.until({ status: 'RUNNING' }, { since: 0 })
  }, LONG)
  await page.getByText('All controls').click()
  await page.getByText('As a list').click()
  await page.getByRole('button', { name: 'Count 1', exact: true }).click()
  await page.locator('.metric-list li').nth(20).waitFor()
  // More than the window shows, and words for readers alone in it.
  expect(await page.locator('.inspector-body').evaluate((pane) => pane.scrollHeight > pane.clientHeight && pane.querySelectorAll('.sr').length > 20)).toBe(true)

  await page.getByRole('navigation', { name: 'Modes' }).getByRole('button', { name: 'Build' }).click()
  const editor = page.locator('.cm-scroller')
  await editor.waitFor()
  expect(await editor.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  await page.getByLabel('Count to Out, rebalance').press('Enter')
  await expect.poll(() => editor.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(10_000)
  const frame = await page.evaluate(() => [document.scrollingElement?.scrollTop, document.body.scrollTop, document.querySelector('.app')?.scrollTop, document.querySelector('.bar')?.getBoundingClientRect().top])
  expect(frame).toEqual([0, 0, 0, 0])
})
