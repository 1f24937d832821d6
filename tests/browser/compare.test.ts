/** The Compare view in a real browser: both runs, their costs, and that the live job is left alone. */
import { describe, expect, it } from 'vitest'
import type {} from '../../src/cluster/console-api.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

describe('the Compare view', () => {
  it('runs the job aligned and unaligned on one seed, and the same again gives the same hashes', async () => {
    const page = await tabs.open()
    await page.getByRole('button', { name: 'All controls' }).click()
    await page.getByRole('button', { name: 'Compare' }).click()
    const job = await page.evaluate(() => window.weir.status().job?.id)
    await page.getByRole('button', { name: 'Run both' }).click()
    await page.getByRole('row', { name: /In flight, persisted/ }).waitFor()
    const cells = await page.getByRole('row', { name: /In flight, persisted/ }).getByRole('cell').allTextContents()
    expect(cells).toHaveLength(6)
    expect(cells.filter((_, i) => i % 2 === 0)).toEqual(['0 B', '0 B', '0 B'])
    for (const unaligned of cells.filter((_, i) => i % 2 === 1)) expect(Number.parseFloat(unaligned)).toBeGreaterThan(0)

    const hashes = async (): Promise<string[]> => (await page.locator('.compare-truth').textContent())?.match(/[0-9a-f]{16}/g) ?? []
    const first = await hashes()
    expect(new Set(first).size).toBe(2)
    await page.getByRole('button', { name: 'Run both' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    expect(await hashes()).toEqual(first)
    expect(await page.evaluate(() => window.weir.status().job?.id)).toBe(job)
    await page.getByText('the job’s own interval').waitFor()

    await page.getByText('The live job goes on.').waitFor()
    await page.evaluate(() => window.weir.cancel())
    await page.getByText('The live job was CANCELED and does not go on.').waitFor()
  })
})

describe('the cost of a record', () => {
  it('is changed while the job runs, and the operator gets busy', async () => {
    const page = await tabs.open()
    await page.getByRole('button', { name: 'All controls' }).click()
    const lane = page.getByRole('article', { name: 'Delay per airport', exact: true }).locator('.lane').first()
    await lane.click()
    const slider = page.getByLabel('cost of a record')
    await slider.focus()
    await page.keyboard.press('End')
    await page.waitForFunction(() => window.weir.status().costs['delay'] === 1_000_000)
    await page.evaluate(() => window.weir.pace(5))
    await lane.getByText('100').waitFor()
    await page.getByRole('button', { name: 'Back to 14 ms' }).click()
    await page.waitForFunction(() => window.weir.status().costs['delay'] === 14_000)
  })
})
