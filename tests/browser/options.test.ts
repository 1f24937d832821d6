import { describe, expect, it } from 'vitest'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()
const C = 'execution.checkpointing.'

describe('the form of options', () => {
  it('sets an option, flags a contradiction before the start, takes over a pasted text, and closes by the keyboard', async () => {
    const page = await tabs.open()
    await page.getByRole('button', { name: 'Build' }).first().click()
    await page.locator('.build').getByRole('button', { name: 'Options' }).click()
    const sheet = page.getByRole('dialog', { name: 'Options' })
    await sheet.waitFor()
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('search')

    await sheet.getByLabel(`${C}max-concurrent-checkpoints`, { exact: true }).fill('2')
    await sheet.getByLabel(`${C}unaligned.enabled`, { exact: true }).selectOption('true')
    const contradiction = sheet.getByRole('list', { name: 'Contradictions' }).getByRole('button', { name: /cannot be used with 2/ })
    await contradiction.waitFor()
    expect(await page.locator('.build-bar .btn.primary').isDisabled()).toBe(true)
    await sheet.getByRole('searchbox').fill('interval')
    await contradiction.click()
    await page.waitForFunction((id) => document.activeElement?.id === id, `option-${C}max-concurrent-checkpoints`)

    await sheet.getByLabel('Paste configuration').fill('env.enableCheckpointing(2000);\nenv.getCheckpointConfig().setMaxConcurrentCheckpoints(1);\nenv.getCheckpointConfig().setNothingKnown(1);')
    await sheet.getByRole('button', { name: 'Apply 2' }).click()
    expect(await sheet.getByRole('row', { name: /unknown/ }).count()).toBe(1)
    expect(await sheet.getByRole('list', { name: 'Contradictions' }).count()).toBe(0)
    expect(await sheet.getByLabel('Copy as').inputValue()).toBe(`${C}interval: 2 s\n${C}dir: file:///checkpoints\n${C}max-concurrent-checkpoints: 1\n${C}unaligned.enabled: true\n`)

    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(await page.locator('.build').count()).toBe(1)
  })
})
