import { describe, expect, it } from 'vitest'
import { startFlights } from './flights.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

describe('two tabs', () => {
  it('one leads, the other watches and says so', async () => {
    const leader = await tabs.open()
    await startFlights(leader, { rate: 100 })
    await leader.evaluate(() => window.weir.until({ status: 'RUNNING' }))
    const watcher = await tabs.open()
    await watcher.waitForFunction(() => window.weir.status().job?.status === 'RUNNING')
    const seen = await watcher.evaluate(async () => ({
      role: window.weir.status().role,
      job: window.weir.status().job?.id,
      refusals: await Promise.all(
        [
          () => window.weir.start(),
          () => window.weir.cancel(),
          () => window.weir.pace(2),
          () => window.weir.inject({ kind: 'kill-job-manager' }),
          () => window.weir.rest('/overview'),
        ].map((act) => act().then(() => 'accepted', String)),
      ),
    }))
    expect(seen.role).toBe('watching')
    expect(seen.job).toBe(await leader.evaluate(() => window.weir.status().job?.id))
    for (const refusal of seen.refusals) expect(refusal).toContain('another tab leads')
  })

  it('when the leading tab closes the other one leads, and the job goes on from its checkpoint', async () => {
    const leader = await tabs.open()
    const from = await startFlights(leader, { rate: 1000 })
    const job = await leader.evaluate(async (since) => {
      await window.weir.until({ event: 'CheckpointCompleted' }, { since })
      return window.weir.status().job?.id
    }, from)
    const watcher = await tabs.open()
    await watcher.waitForFunction(() => window.weir.status().role === 'watching')
    await leader.close()
    await watcher.waitForFunction(() => window.weir.status().role === 'leading')
    const next = await watcher.evaluate(async () => {
      await window.weir.until({ event: 'CheckpointRestored' }, { since: 0 })
      await window.weir.until({ status: 'RUNNING' })
      return window.weir.status().job?.id
    })
    expect(next).toBe(job)
  })
})
