/** Savepoints on live workers: as steps of scenarios, and what a JobManager's death and a second tab have to do with them. */
import { describe, expect, it } from 'vitest'
import { flightsJob, startFlights } from './flights.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

describe('scenarios on live workers', () => {
  it('save, stop, copy, dispose, and start again from the copy at another parallelism', async () => {
    const page = await tabs.open()
    const report = await page.evaluate(async (job) => {
      await window.weir.pace(1)
      return window.weir.run({
        weir: 'scenario@1',
        name: 'stop and go',
        job,
        steps: [
          { wait: { completed: 1 } },
          { trigger: 'checkpoint', as: 'by hand' },
          { trigger: 'savepoint', as: 'first' },
          { files: { copy: ['first', '/kept/first'] } },
          { dispose: 'first' },
          { stop: { drain: false, directory: '/kept' }, as: 'last' },
          { files: { move: ['last', '/kept/last'] } },
          { start: { from: '/kept/last', change: { operators: { delay: { parallelism: 1 } } } } },
          { wait: { completed: 2 } },
          { cancel: true },
          { files: { delete: '/kept/last' } },
          { start: { from: '/kept/last' } },
          { wait: { job: 'FAILED' } },
        ],
        expect: [
          { job: 'FAILED' },
          { completed: { atLeast: 5 } },
          { verdict: { from: '/kept/first', accepted: true } },
          { verdict: { from: '/kept/first', change: { operators: { delay: { maxParallelism: 256 } } }, accepted: false, contains: 'Max parallelism mismatch' } },
          { verdict: { from: 'first', accepted: false, contains: 'Cannot find checkpoint or savepoint' } },
          { class: 'always', files: { below: '/kept/first', atLeast: 1, bytesAtLeast: 100 } },
          { class: 'always', files: { below: 'first', atMost: 0 } },
        ],
      })
    }, flightsJob({ rate: 2000 }))
    expect(report.expectations.filter(({ outcome }) => outcome !== 'met')).toEqual([])
    expect(report.steps.filter(({ ok }) => !ok)).toEqual([])
    expect(report.ok).toBe(true)
  })

  it('a step that cannot be done ends the steps with its reason', async () => {
    const page = await tabs.open()
    const report = await page.evaluate(
      (job) => window.weir.run({ weir: 'scenario@1', name: 'x', job, steps: [{ files: { copy: ['/nowhere', '/x'] } }, { cancel: true }], expect: [] }),
      flightsJob({ rate: 100 }),
    )
    expect(report.ok).toBe(false)
    expect(report.steps).toMatchObject([{ step: 'copy /nowhere to /x', ok: false, message: 'there is nothing at /nowhere' }])
  })
})

describe('what outlives a JobManager', () => {
  it('the costs of records that were changed while the job runs', async () => {
    const page = await tabs.open()
    await startFlights(page, { rate: 2000 })
    const seen = await page.evaluate(async () => {
      const { weir } = window
      await weir.until({ event: 'CheckpointCompleted' }, { since: 0 })
      await weir.inject({ kind: 'set-cost', uid: 'delay', cost: '50 ms' })
      const since = (await weir.events()).at(-1)?.position ?? 0
      await weir.inject({ kind: 'kill-job-manager' })
      const led = await weir.until({ event: 'LeadershipGranted' }, { since })
      await weir.until({ event: 'CheckpointRestored' }, { since: 'position' in led ? led.position : since })
      await weir.until({ status: 'RUNNING' })
      const job = weir.status().job!.id
      interface Job {
        readonly vertices: readonly { readonly id: string; readonly name: string }[]
      }
      interface Pressure {
        readonly subtasks?: readonly { readonly busyRatio: number }[]
      }
      const { vertices } = (await weir.rest(`/jobs/${job}`)) as Job
      // Whoever works off records at 50 ms each while 2000 come a second is busy all the time.
      for (let round = 0; round < 100; round++) {
        for (const { id } of vertices) {
          const { subtasks = [] } = (await weir.rest(`/jobs/${job}/vertices/${id}/backpressure`)) as Pressure
          if (subtasks.length > 0 && subtasks.every(({ busyRatio }) => busyRatio > 0.8)) return { costs: weir.status().costs, isBusy: true }
        }
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      return { costs: weir.status().costs, isBusy: false }
    })
    expect(seen).toEqual({ costs: { delay: 50_000 }, isBusy: true })
  })
})

it('a watching tab learns of a job that the leader starts later', async () => {
  const leader = await tabs.open()
  await startFlights(leader, { rate: 100 })
  const watcher = await tabs.open()
  await watcher.waitForFunction(() => window.weir.status().role === 'watching')
  await leader.evaluate(async (job) => {
    window.weir.load({ ...job, operators: job.operators.map((operator) => (operator.uid === 'delay' ? { ...operator, name: 'told by the leader' } : operator)) })
    await window.weir.start()
  }, flightsJob({ rate: 100 }))
  await watcher.getByText('told by the leader').first().waitFor({ timeout: 20_000 })
})
