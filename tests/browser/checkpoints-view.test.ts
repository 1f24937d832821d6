/** The Checkpoints view while checkpoints come fast: what stands under an id is of that checkpoint, and rows stay the same nodes. */
import { expect, it } from 'vitest'
import { flightsJob, startFlights } from './flights.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

it('never shows a detail under the id of another checkpoint, and keeps the rows that are there', async () => {
  const page = await tabs.open()
  const from = await startFlights(page, { rate: 50 })
  await page.evaluate(async (since) => {
    await window.weir.pace(2)
    await window.weir.until({ event: 'CheckpointCompleted' }, { since })
  }, from)
  await page.keyboard.press('2')
  const latest = page.getByRole('region', { name: 'Latest Completed Checkpoint' })
  await latest.getByRole('button', { name: /^Subtasks of/ }).first().click()
  await latest.getByText('Minimum').waitFor()
  const seen = await latest.evaluate(async (section) => {
    const mixed: string[] = []
    const kept = [section.querySelector('.operators button'), section.querySelector('.subtask-block tbody tr')]
    await new Promise<void>((resolve) => {
      const ids = new Set<string>()
      new MutationObserver((_, observer) => {
        const id = /ID:(\d+)/.exec(section.textContent)?.[1] ?? 'none'
        const path = /\/chk-(\d+)/.exec(section.textContent)?.[1] ?? 'none'
        if (id !== path) mixed.push(`${id} over ${path}`)
        if (ids.add(id).size < 4) return
        observer.disconnect()
        resolve()
      }).observe(section, { subtree: true, childList: true, characterData: true })
    })
    return { mixed, kept: kept.map((node) => node !== null && section.contains(node)) }
  })
  expect(seen).toEqual({ mixed: [], kept: [true, true] })
})

it('says of a savepoint that has left the history that it has, and not that it could not be found', async () => {
  const page = await tabs.open()
  const job = flightsJob({ rate: 50 })
  await page.evaluate(async (document) => {
    const { weir } = window
    await weir.pace(2)
    weir.load(document)
    await weir.start()
    const running = await weir.until({ event: 'CheckpointCompleted' })
    await weir.savepoint()
    const since = 'position' in running ? running.position : 0
    const taken = await weir.until({ event: 'CheckpointCompleted', savepoint: true }, { since })
    await weir.until({ event: 'CheckpointCompleted' }, { since: 'position' in taken ? taken.position : 0 })
  }, { ...job, config: { ...job.config, 'web.checkpoints.history': 1 } })
  await page.keyboard.press('2')
  const savepoint = page.getByRole('region', { name: 'Latest Savepoint' })
  await savepoint.getByText('It has left the history that the JobManager keeps (web.checkpoints.history)').waitFor()
  expect(await savepoint.getByText('Could not find').count()).toBe(0)
})
