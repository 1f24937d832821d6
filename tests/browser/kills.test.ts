import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Fault } from '../../workers/model/scenario-document.ts'
import { checkpointBehindAll, compareCheckpoint, startFlights, wrongUpdates } from './flights.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()
const RATE = 2500

async function killAfterFirstCheckpoint(page: Page, from: number, fault: Fault): Promise<void> {
  await page.evaluate(async ([since, target]) => {
    const completed = await window.weir.until({ event: 'CheckpointCompleted' }, { since })
    await window.weir.inject(target)
    if (!('position' in completed)) throw new Error('not an event')
    await window.weir.until({ event: 'CheckpointRestored' }, { since: completed.position })
    await window.weir.until({ status: 'RUNNING' })
  }, [from, fault] as const)
}

/** Nothing lost and nothing doubled, in state and in what outside readers see. */
async function expectExactlyOnce(page: Page, from: number): Promise<void> {
  const comparison = compareCheckpoint(await checkpointBehindAll(page, from))
  expect(comparison.differences).toEqual([])
  expect(wrongUpdates(await page.evaluate(() => window.weir.sink('results')))).toEqual([])
}

describe('kills are real, and the job comes back with nothing lost and nothing doubled', () => {
  it('a subtask in the middle of a checkpoint', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: RATE, linkLatency: '20 ms' })
    const seen = await page.evaluate(async (since) => {
      const { weir } = window
      await weir.until({ event: 'CheckpointCompleted' }, { since })
      // Two seconds for each hop, so that the kill comes in time however busy the machine is. A checkpoint of before is none that the kill can hit.
      await weir.pace(0.01)
      const slow = (await weir.events({ since })).at(-1)?.position ?? since
      await weir.rest(`/jobs/${weir.status().job?.id}/checkpoints`, { method: 'POST', body: { checkpointType: 'CONFIGURED' } })
      const triggered = await weir.until({ event: 'CheckpointTriggered' }, { since: slow })
      if (!('position' in triggered) || triggered.body.type !== 'CheckpointTriggered') throw new Error('not an event')
      const { checkpointId } = triggered.body
      // Workers tell of what they do each for themselves: the arrival may stand in the log before the trigger.
      await weir.until({ event: 'BarrierArrived', checkpointId }, { since: slow })
      await weir.inject({ kind: 'kill-subtask', uid: 'delay', subtask: 1 })
      await weir.pace(1)
      const aborted = await weir.until((event) => event.body.type === 'CheckpointAborted' && event.body.checkpointId === checkpointId, { since: slow })
      const restored = await weir.until({ event: 'CheckpointRestored' }, { since: slow })
      const completed = (await weir.events({ since })).flatMap(({ body }) => (body.type === 'CheckpointCompleted' && body.checkpointId < checkpointId ? [body.checkpointId] : []))
      return { aborted, restored, latest: Math.max(...completed) }
    }, from)
    expect(seen.aborted).toMatchObject({ body: { reason: 'CHECKPOINT_COORDINATOR_SUSPEND' } })
    expect(seen.restored).toMatchObject({ body: { checkpointId: seen.latest } })
    await expectExactlyOnce(page, from)
  })

  it('a TaskManager: its tasks die with it, and the page starts another', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: RATE })
    const before = await page.evaluate(() => window.weir.status().taskManagers.map(({ id }) => id))
    await killAfterFirstCheckpoint(page, from, { kind: 'kill-task-manager', index: 0 })
    const after = await page.evaluate(() => window.weir.status().taskManagers.map(({ id }) => id))
    expect(after).toHaveLength(2)
    expect(after).not.toContain(before[0])
    await expectExactlyOnce(page, from)
  })

  it('the JobManager: the next leader has a higher token and recovers the job from storage', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: RATE })
    await killAfterFirstCheckpoint(page, from, { kind: 'kill-job-manager' })
    const tokens = await page.evaluate(async () =>
      (await window.weir.events()).flatMap(({ body }) => (body.type === 'LeadershipGranted' ? [{ token: body.token, recovered: body.recoveredJob !== null }] : [])),
    )
    expect(tokens).toHaveLength(2)
    expect(tokens[1]?.token).toBeGreaterThan(tokens[0]?.token ?? Infinity)
    expect(tokens.map(({ recovered }) => recovered)).toEqual([false, true])
    await expectExactlyOnce(page, from)
  })
})
