import { describe, expect, it } from 'vitest'
import { checkpointBehindAll, compareCheckpoint, startFlights, wrongUpdates } from './flights.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

describe('the flights job on real workers', () => {
  it('runs at full speed to its right answer', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: null })
    const comparison = compareCheckpoint(await checkpointBehindAll(page, from))
    expect(comparison.differences).toEqual([])
    expect(comparison.exact).toBeGreaterThan(50)
    const rows = await page.evaluate(() => window.weir.sink('results'))
    expect(rows).toHaveLength(20_000)
    expect(wrongUpdates(rows)).toEqual([])
  })

  it('every completed checkpoint on the way is exact for its own offsets', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: 3000, retained: 10 })
    let partial = 0
    for (let since = from, left = 3; left > 0; left--) {
      const seen = await page.evaluate(async (position) => {
        const event = await window.weir.until({ event: 'CheckpointCompleted' }, { since: position })
        if (!('position' in event) || event.body.type !== 'CheckpointCompleted') throw new Error('not an event')
        return { position: event.position, checkpoint: await window.weir.inspect(event.body.checkpointId).catch(() => null) }
      }, since)
      since = seen.position
      if (seen.checkpoint === null) continue
      expect(seen.checkpoint.problems).toEqual([])
      expect(compareCheckpoint(seen.checkpoint).differences).toEqual([])
      partial++
    }
    expect(partial).toBeGreaterThan(0)
  })

  it('one worker per subtask: each reports under its own attempt, and the state of both is the whole', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: null })
    await checkpointBehindAll(page, from)
    const rows = await page.evaluate(() => window.weir.state('delay'))
    expect(new Set(rows.map((row) => row.subtask))).toEqual(new Set([0, 1]))
    expect(rows.reduce((sum, row) => sum + Number((row.value as readonly number[])[0]), 0)).toBe(20_000)
  })
})
