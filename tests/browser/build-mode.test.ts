/** Build mode as a person uses it: no call of the console but to look at what came of it. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type {} from '../../src/cluster/console-api.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

const card = (page: Page, name: string): Locator => page.locator('.op-card').filter({ has: page.locator('strong', { hasText: new RegExp(`^${name}$`) }) })
const problems = (page: Page): Promise<number> => page.locator('.problem-list .mistake').count()

async function dragPort(page: Page, from: string, to: string): Promise<void> {
  const start = await card(page, from).getByLabel('output').boundingBox()
  const end = await card(page, to).getByLabel('input 1').boundingBox()
  if (start === null || end === null) throw new Error('no such port')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 })
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 4 })
  await page.mouse.up()
}

/** Two checkpoints: one may have been under way when it was looked for. */
const nextCheckpoint = (page: Page) =>
  page.evaluate(async () => {
    const submitted = (await window.weir.events()).findLast(({ body }) => body.type === 'JobSubmitted')
    await window.weir.pace(20)
    return window.weir.until({ event: 'CheckpointCompleted' }, { since: submitted?.position ?? 0, timeout: 60_000 })
  })

describe('build mode', () => {
  it('adds a filter between source and aggregate, sees the mistakes vanish, undoes and redoes, starts it, and shares it by link', async () => {
    const page = await tabs.open()
    await page.getByRole('button', { name: 'Build your own' }).click()
    await card(page, 'Flights').waitFor()
    expect(await problems(page)).toBe(0)

    // From the palette by keyboard; the new card has the focus and E connects it.
    await page.keyboard.press('a')
    await page.keyboard.type('filter')
    await page.keyboard.press('Enter')
    await card(page, 'Filter').waitFor()
    expect(await problems(page)).toBeGreaterThan(0)
    await page.waitForFunction(() => document.activeElement?.classList.contains('react-flow__node'))
    await page.keyboard.press('e')
    const menu = page.getByRole('menu', { name: 'Connect Filter' })
    await menu.getByRole('menuitem', { name: 'Flights' }).press('Enter')
    await menu.waitFor({ state: 'detached' })

    const form = page.locator('.build-form')
    await form.getByLabel('Field').selectOption('delay')
    await form.getByLabel('Comparison').selectOption('>')
    await form.getByLabel('Value').fill('15')

    // The other edge by dragging from port to port; the old one goes.
    await dragPort(page, 'Filter', 'Delay per airport')
    await form.getByLabel('Shipped').selectOption('hash')
    await form.getByLabel('origin').waitFor()
    if (!(await form.getByLabel('origin').isChecked())) await form.getByLabel('origin').check()
    for (const other of ['date', 'delay', 'distance', 'destination']) if (await form.getByLabel(other, { exact: true }).isChecked()) await form.getByLabel(other, { exact: true }).uncheck()
    await page.getByLabel('Flights to Delay per airport, hash by origin').press('Enter')
    await page.keyboard.press('Delete')
    await page.getByLabel('Flights to Delay per airport, hash by origin').waitFor({ state: 'detached' })
    expect(await problems(page)).toBe(0)
    const built = await page.evaluate(() => window.weir.job())
    expect(built.edges.map(({ from, to, ship }) => [from, to, ship])).toEqual([
      ['delay', 'results', 'rebalance'],
      ['flights', 'filter', undefined],
      ['filter', 'delay', 'hash'],
    ])

    await page.getByRole('button', { name: 'Undo' }).click()
    expect((await page.evaluate(() => window.weir.job())).edges).toHaveLength(4)
    await page.getByRole('button', { name: 'Redo' }).click()
    expect(await page.evaluate(() => window.weir.job())).toEqual(built)

    const before = (await page.evaluate(() => window.weir.status())).job?.id
    await page.keyboard.press('Control+Enter')
    await page.waitForFunction((old) => window.weir.status().job?.id !== old && window.weir.status().job?.status === 'RUNNING', before)
    await page.locator('.build').waitFor({ state: 'detached' })
    await page.getByText('Filter').first().waitFor()
    const completed = await nextCheckpoint(page)
    expect(completed).toHaveProperty('body.type', 'CheckpointCompleted')
    const passed = await page.evaluate(() => window.weir.state('delay'))
    expect(passed.length).toBeGreaterThan(0)

    await page.getByRole('button', { name: 'Copy link' }).click()
    const { hash } = new URL(page.url())
    expect(hash).toContain('#job=')
    const other = await tabs.open({ hash, elsewhere: true })
    await other.locator('.build').waitFor()
    expect(await other.evaluate(() => window.weir.job())).toEqual(built)
  })

  it('shows a job that came by link and starts it only when asked; a damaged link says so', async () => {
    const page = await tabs.open()
    await page.getByRole('button', { name: /More jobs/ }).click()
    await page.getByRole('menuitem', { name: /Sum beside upper case/ }).click()
    await page.waitForFunction(() => window.weir.status().job?.name === 'Sum beside upper case' && window.weir.status().job?.status === 'RUNNING')
    await page.getByRole('button', { name: 'Copy link' }).click()
    const { hash } = new URL(page.url())

    const fresh = await tabs.open({ hash, elsewhere: true })
    await fresh.locator('.build').waitFor()
    await fresh.waitForFunction(() => window.weir.status().leader === 'running')
    expect(await fresh.evaluate(() => window.weir.status().job)).toBeNull()
    await fresh.getByRole('button', { name: 'Start' }).click()
    await fresh.waitForFunction(() => window.weir.status().job?.status === 'RUNNING')

    const damaged = await tabs.open({ hash: hash.slice(0, 60), elsewhere: true })
    await damaged.getByRole('dialog', { name: 'Not opened' }).getByText('The link is damaged').waitFor()
  })

  it('refuses a malformed file with its places and keeps what was there', async () => {
    const page = await tabs.open()
    const before = await page.evaluate(() => window.weir.job())
    await page.getByRole('button', { name: /More jobs/ }).click()
    await page.locator('input[type=file]').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"weir":"job@1","name":"x",\n"operators":[{"uid":"a"}],\n"edges":[]}') })
    const sheet = page.getByRole('dialog', { name: 'Not opened' })
    await sheet.getByText('/operators/0/type, line 2').waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => window.weir.job())).toEqual(before)
  })

  it('takes no focus and no reader below itself, and Esc closes the sheet over it first', async () => {
    const page = await tabs.open()
    await page.getByRole('button', { name: 'Build your own' }).click()
    await page.locator('.build').waitFor()
    expect(await page.evaluate(() => ['.stage', '.bench-slot', '.dock-slot', '.side'].map((part) => document.querySelector<HTMLElement>(part)?.inert))).toEqual([true, true, true, true])
    await page.getByRole('navigation', { name: 'Modes' }).getByRole('button', { name: 'Options' }).click()
    await page.getByRole('dialog', { name: 'Options' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Options' }).waitFor({ state: 'detached' })
    expect(await page.locator('.build').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.locator('.build').waitFor({ state: 'detached' })
  })
})

describe('the second built-in job', () => {
  it('shows a table of state in the lanes of the sum and the dash "no state" in that of the map', async () => {
    const page = await tabs.open()
    await page.getByRole('button', { name: /More jobs/ }).click()
    await page.getByRole('menuitem', { name: /Sum beside upper case/ }).click()
    await page.waitForFunction(() => window.weir.status().job?.name === 'Sum beside upper case')
    const lanes = (name: string): Locator => page.getByRole('article', { name, exact: true }).locator('.lane')
    await lanes('Sum per key').first().locator('.state-table').first().waitFor()
    await lanes('Upper case').getByText('no state').waitFor()
    expect(await lanes('Upper case').locator('.state-table').count()).toBe(0)
  })
})
