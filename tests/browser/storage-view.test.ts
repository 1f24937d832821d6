import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

/** Pauses the job once this many checkpoints have completed, so that what is looked at stays. */
async function afterCheckpoints(page: Page, completed: number): Promise<void> {
  await page.evaluate(async (wanted) => {
    await window.weir.pace(20)
    await window.weir.until({ event: 'CheckpointCompleted', checkpointId: wanted }, { since: 0, timeout: 60_000 })
  }, completed)
  await page.keyboard.press('Shift+Space')
}

const row = (page: Page, name: RegExp) => page.getByRole('tree', { name: 'Files in storage' }).getByRole('treeitem', { name })

describe('the Storage view', () => {
  it('shows a checkpoint as it completes, its keys and values, and where a key lies', async () => {
    const page = await tabs.open()
    await page.keyboard.press('4')
    await afterCheckpoints(page, 1)
    await row(page, /^chk-\d+, checkpoint, .*would restore/).waitFor()

    const tree = page.getByRole('tree', { name: 'Files in storage' })
    await tree.focus()
    await page.keyboard.press('Home')
    for (let step = 0; step < 8 && (await row(page, /^chk-\d+, checkpoint/).getAttribute('aria-selected')) !== 'true'; step++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')

    const snapshot = page.getByRole('article', { name: /^Snapshot chk-/ })
    await snapshot.getByRole('heading', { name: /^aggregate VALUE/ }).waitFor()
    const listed = await snapshot.locator('.entries tbody tr').first().innerText()
    const [subtask = '', group = '', , key = ''] = listed.split(/\s+/)

    await snapshot.getByRole('tab', { name: 'Search a key' }).click()
    await snapshot.getByRole('searchbox', { name: 'Key' }).fill(key)
    await page.keyboard.press('Enter')
    await snapshot.getByRole('heading', { name: `1 entry of ${key}` }).waitFor()
    const place = snapshot.getByRole('table', { name: /Where such a key lies/ }).getByRole('row').nth(1)
    expect((await place.innerText()).split(/\s+/).slice(0, 3)).toEqual(['delay', group, subtask])
  })

  it('copies, names who still needs what is to be deleted, and deletes only what was confirmed', async () => {
    const page = await tabs.open()
    await page.keyboard.press('4')
    await afterCheckpoints(page, 1)
    await row(page, /^chk-\d+, checkpoint/).click()
    await page.getByRole('button', { name: 'Copy…' }).click()
    await page.getByRole('textbox', { name: 'To' }).fill('/mine/kept')
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click()
    await row(page, /^kept, checkpoint, .*would restore/).waitFor()

    await row(page, /^chk-\d+, checkpoint/).click()
    await page.getByRole('tree').focus()
    await page.keyboard.press('Delete')
    const sheet = page.getByRole('dialog', { name: /^Delete chk-/ })
    await sheet.getByRole('alert').getByText('Still needed by 1 job.').waitFor()
    expect(await sheet.getByRole('listitem').innerText()).toContain('Delay per airport')
    await sheet.getByRole('button', { name: 'Keep it' }).click()
    await sheet.waitFor({ state: 'detached' })
    expect(await row(page, /^chk-\d+, checkpoint/).count()).toBe(1)

    await row(page, /^kept/).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const unneeded = page.getByRole('dialog', { name: 'Delete kept?' })
    await unneeded.getByText('Nobody needs it.').waitFor()
    await unneeded.getByRole('button', { name: 'Delete', exact: true }).click()
    await row(page, /^kept/).waitFor({ state: 'detached' })
    expect(await page.evaluate(async () => (await window.weir.files('/mine')).length)).toBe(0)
  })

  it('opens what is dropped anywhere without storing it, and says why what is no snapshot is not opened', async () => {
    const page = await tabs.open()
    await afterCheckpoints(page, 1)
    await page.evaluate(async () => {
      const { job } = window.weir.status()
      const [metadata] = (await window.weir.files(`/checkpoints/${job?.id ?? ''}`)).filter(({ path }) => path.endsWith('/_metadata'))
      const dropped = new DataTransfer()
      dropped.items.add(new File([(metadata?.bytes ?? new Uint8Array()) as Uint8Array<ArrayBuffer>], '_metadata'))
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: dropped }))
    })
    const snapshot = page.getByRole('article', { name: 'Snapshot _metadata' })
    await snapshot.getByText('dropped, not stored').waitFor()
    await snapshot.getByRole('button', { name: 'Details of delay' }).waitFor()
    await snapshot.getByRole('button', { name: 'Put into storage…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Store' }).click()
    await page.getByRole('tree').getByRole('treeitem', { name: /^savepoints/ }).waitFor()

    await page.evaluate(() => {
      const dropped = new DataTransfer()
      dropped.items.add(new File(['no snapshot at all'], '_metadata'))
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: dropped }))
    })
    await page.getByRole('alert').filter({ hasText: 'It could not be opened. Unexpected magic number' }).waitFor()
  })

  it('exports for an older Flink with its losses told before, and what was exported opens again: its ids are known as hashes of the job’s uids', async () => {
    const page = await tabs.open()
    await page.keyboard.press('4')
    await afterCheckpoints(page, 1)
    await row(page, /^chk-\d+, checkpoint/).dblclick()
    const snapshot = page.getByRole('article', { name: /^Snapshot chk-/ })
    await snapshot.getByRole('tab', { name: 'Export' }).click()
    await snapshot.getByRole('button', { name: '1.16 to 1.20' }).click()
    await snapshot.getByRole('button', { name: 'See what it can hold' }).click()
    await snapshot.getByText(/names and uids of 3 operators/).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), snapshot.getByRole('button', { name: 'Download all the same' }).click()])
    expect(download.suggestedFilename()).toMatch(/^chk-\d+-flink-1\.16-to-1\.20\.zip$/)

    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Open file…' }).click()])
    await chooser.setFiles({ name: download.suggestedFilename(), mimeType: 'application/zip', buffer: await readFile(await download.path()) })
    const opened = page.getByRole('article', { name: `Snapshot ${download.suggestedFilename()}` })
    await opened.getByText('Flink 1.16 to 1.20').waitFor()
    await opened.getByRole('tab', { name: 'Operators' }).click()
    await opened.getByRole('button', { name: /hash of delay/ }).waitFor()
  })
})
