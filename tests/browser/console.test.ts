import { describe, expect, it } from 'vitest'
import type { ScenarioDocument } from '../../workers/model/scenario-document.ts'
import { flightsJob, startFlights } from './flights.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

describe('window.weir', () => {
  it('a job with mistakes is refused with the place and the cure, and the running job goes on', async () => {
    const page = await tabs.open()
    await startFlights(page, { rate: 100 })
    const before = await page.evaluate(async () => {
      await window.weir.until({ status: 'RUNNING' })
      return window.weir.status().job
    })
    const job = flightsJob({ rate: 100 })
    const wrong = { ...job, operators: job.operators.map((operator) => (operator.uid === 'delay' ? { ...operator, type: 'agregate' } : operator)) }
    const refusal = await page.evaluate(async (document) => {
      window.weir.load(document)
      return window.weir.start().catch((error: unknown) => String(error))
    }, wrong)
    expect(refusal).toContain('/operators/1/type')
    expect(refusal).toContain('"agregate" is not a type of operator')
    expect(await page.evaluate(() => window.weir.status().job)).toEqual(before)
  })

  it('a profile of the browser shows whose worker a thread is, by the name that Flink gives to the thread of a task', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: 100 })
    await page.evaluate((since) => window.weir.until({ event: 'CheckpointCompleted' }, { since }), from)
    const marks = await Promise.all(page.workers().map((worker) => worker.evaluate(() => performance.getEntriesByType('mark').map(({ name }) => name))))
    const ofTasks = marks.filter(({ length }) => length > 0)
    expect(ofTasks.map((names) => names.join()).toSorted()).toEqual([
      'Delay per airport (1/2)#0',
      'Delay per airport (2/2)#0',
      'Flights (1/2)#0',
      'Flights (2/2)#0',
      'Results (1/1)#0',
    ])
  })

  it('an unknown built-in job, operator or fault target is named', async () => {
    const page = await tabs.open()
    await startFlights(page, { rate: 100 })
    const messages = await page.evaluate(async () => {
      const { weir } = window
      await weir.until({ status: 'RUNNING' })
      const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))
      let builtin = ''
      try {
        weir.load('no-such-job')
      } catch (error) {
        builtin = message(error)
      }
      return [
        builtin,
        await weir.sink('nowhere').then(() => '', message),
        await weir.state('nowhere').then(() => '', message),
        await weir.inject({ kind: 'kill-subtask', uid: 'delay', subtask: 7 }).then(() => '', message),
        await weir.pace(-1).then(() => '', message),
        await weir.rest('/jobs/nothing').then(() => '', message),
      ]
    })
    for (const [message, part] of messages.map((text, i) => [text, ['no-such-job', 'nowhere', 'nowhere', 'subtask 7', 'pace', 'jobid'][i] ?? ''] as const)) {
      expect(message).toContain(part)
    }
  })

  it('what is no fault is refused with the place and the kinds there are, and nothing is logged', async () => {
    const page = await tabs.open()
    await startFlights(page, { rate: 100 })
    const { messages, logged } = await page.evaluate(async () => {
      const { weir } = window
      await weir.until({ status: 'RUNNING' })
      const since = (await weir.events()).at(-1)?.position ?? 0
      const faults = [
        {}, null, { kind: 'x' }, { kind: 'kill-subtask', subtask: 0 }, { kind: 'kill-subtask', uid: 'nowhere', subtask: 0 },
        { kind: 'kill-subtask', uid: 'delay', subtask: 7 }, { kind: 'kill-subtask', uid: 'delay', subtask: -1 }, { kind: 'kill-task-manager', index: 9 },
        { kind: 'kill-task-manager' }, { kind: 'fail-storage', reason: 'x' }, { kind: 'stall-storage', for: 'long' },
      ]
      const messages: string[] = []
      for (const fault of faults) {
        messages.push(await weir.inject(fault as never).then(() => 'injected', (error: unknown) => (error instanceof Error ? error.message : String(error))))
      }
      return { messages, logged: (await weir.events({ since })).filter(({ body }) => body.type === 'FaultInjected') }
    })
    const known = /\/kind: unknown fault; one of kill-subtask, kill-task-manager, .*set-cost/
    const expected = [
      known, known, known, /"uid" is missing/, /\/uid: .*"nowhere"; there are: .*delay/, /\/subtask: .*subtask 7 .*0 to \d/, /\/subtask: not a whole number/,
      /\/index: there is no TaskManager number 9; there are \d/, /"index" is missing/, /\/reason: unknown value "x"; one of "QUOTA_EXCEEDED"/, /\/for: not a duration/,
    ]
    expected.forEach((pattern, i) => expect(messages[i]).toMatch(pattern))
    expect(logged).toEqual([])
  })

  it('load refuses what is no job with the place and the cure, and keeps the document that was there', async () => {
    const page = await tabs.open()
    const { messages, kept, job } = await page.evaluate(() => {
      const { weir } = window
      const before = JSON.stringify(weir.job())
      const messages = [{}, null, [], 7, { weir: 'job@1', name: 'x', operators: [{}], edges: [] }].map((wrong) => {
        try {
          return JSON.stringify(weir.load(wrong as never))
        } catch (error) {
          return error instanceof Error ? error.message : String(error)
        }
      })
      return { messages, kept: JSON.stringify(weir.job()) === before, job: weir.load('flights-delay').weir }
    })
    for (const message of messages) expect(message).toMatch(/^not a job document.*:\n\/[^:]*: .+; .+/)
    expect(messages[4]).toContain('/operators/0')
    expect(kept).toBe(true)
    expect(job).toBe('job@1')
  })

  it('rest answers as Flink does, and a checkpoint can be triggered by it', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: 100 })
    const seen = await page.evaluate(async (since) => {
      const { weir } = window
      const id = (await weir.until({ status: 'RUNNING' }), weir.status().job?.id)
      const first = await weir.until({ event: 'CheckpointCompleted' }, { since })
      const trigger = await weir.rest(`/jobs/${id}/checkpoints`, { method: 'POST', body: { checkpointType: 'CONFIGURED' } })
      if (!('position' in first)) throw new Error('not an event')
      await weir.until({ event: 'CheckpointCompleted' }, { since: first.position })
      return { id, trigger, overview: await weir.rest('/jobs/overview'), checkpoints: await weir.rest(`/jobs/${id}/checkpoints`) }
    }, from)
    expect(seen.trigger).toHaveProperty('request-id')
    expect(seen.overview).toMatchObject({ jobs: expect.arrayContaining([expect.objectContaining({ jid: seen.id, name: 'Delay per airport', state: 'RUNNING' })]) })
    expect(seen.checkpoints).toMatchObject({ latest: { completed: { status: 'COMPLETED' } } })
  })

  it('pace 0 stops data and timers, not control; the clock stands', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: 500 })
    const seen = await page.evaluate(async (since) => {
      const { weir } = window
      await weir.until({ event: 'CheckpointCompleted' }, { since })
      await weir.pace(0)
      const paused = await weir.events()
      const state = JSON.stringify(await weir.state('delay'))
      await weir.cancel()
      return { state, after: await weir.state('delay').catch(() => []), status: weir.status().job?.status, at: paused.at(-1)?.at ?? 0, last: (await weir.events()).at(-1)?.at ?? 0 }
    }, from)
    expect(seen.status).toBe('CANCELED')
    expect(JSON.parse(seen.state)).not.toEqual([])
    // A moment passes until every host has heard of the pause.
    expect(seen.last - seen.at).toBeLessThan(1_000_000)
  })

  it('databases that are deleted under the running page: a banner says which, the checkpoint fails with its reason, the tasks go on', async () => {
    const page = await tabs.open()
    const since = await startFlights(page, { rate: 100 })
    const seen = await page.evaluate(async (from) => {
      const { weir } = window
      const drop = (name: string): Promise<void> =>
        new Promise((resolve, reject) => {
          const request = indexedDB.deleteDatabase(name)
          request.onsuccess = () => resolve()
          request.onerror = () => reject(request.error ?? new Error(name))
        })
      const first = await weir.until({ event: 'CheckpointCompleted' }, { since: from })
      if (!('position' in first)) throw new Error('not an event')
      await drop('weir-files')
      await weir.until({ event: 'CheckpointAborted' }, { since: first.position })
      const { notices } = weir.status()
      await drop('weir-outside')
      return { notices, events: (await weir.events({ since: first.position })).map(({ body }) => body) }
    }, since)
    expect(seen.notices.join()).toContain('Nothing can be stored any more (storage): the database weir-files was deleted while it was in use')
    // A task's file or, where all state is small, the metadata: which comes first depends on the moment.
    const aborted = seen.events.find(({ type }) => type === 'CheckpointAborted')
    expect(['IO_EXCEPTION', 'FINALIZE_CHECKPOINT_FAILURE']).toContain(aborted?.type === 'CheckpointAborted' ? aborted.reason : null)
    await page.waitForFunction(() => window.weir.status().notices.some((notice) => notice.includes('the database weir-outside was deleted')))
    for (const name of ['weir-files', 'weir-outside']) await page.locator('.banner', { hasText: `${name} was deleted` }).waitFor()
    const status = await page.evaluate(() => window.weir.status())
    expect(status).toMatchObject({ dead: null, leader: 'running' })
    expect(await page.evaluate(() => window.weir.sink('results', { isolation: 'uncommitted' }))).not.toEqual([])
  })

  it('a checkpoint that was subsumed is not retained any more, and those that are retained are named', async () => {
    const page = await tabs.open()
    const since = await startFlights(page, { rate: 100 })
    const { message, last, read } = await page.evaluate(async (from) => {
      const { weir } = window
      let position = from
      for (let i = 0; i < 2; i++) {
        const event = await weir.until({ event: 'CheckpointCompleted' }, { since: position })
        if ('position' in event) position = event.position
      }
      await weir.until({ event: 'CheckpointSubsumed' }, { since: from })
      // No checkpoint comes meanwhile.
      await weir.pace(0)
      let message = ''
      for (let tries = 0; tries < 100 && !message.includes('retained'); tries++) {
        message = await weir.inspect(1).then(() => '', (error: unknown) => (error instanceof Error ? error.message : String(error)))
      }
      const last = Number(/\d+$/.exec(message)?.[0])
      return { message, last, read: (await weir.inspect(last)).checkpointId }
    }, since)
    expect(message).toMatch(/^checkpoint 1 is not retained any more; retained: \d+$/)
    expect(last).toBeGreaterThan(1)
    expect(read).toBe(last)
  })

  it('run: a scenario on live workers, with what depends on the host not compared', async () => {
    const page = await tabs.open()
    const scenario: ScenarioDocument = {
      weir: 'scenario@1',
      name: 'a kill in the middle of a checkpoint, live',
      job: flightsJob({ rate: 2500, linkLatency: '20 ms' }),
      steps: [
        { pace: 1 },
        { wait: { completed: 1 } },
        { pace: 0.05 },
        { trigger: 'checkpoint' },
        { wait: { event: { type: 'BarrierArrived', uid: 'delay' } } },
        { inject: { kind: 'kill-subtask', uid: 'delay', subtask: 0 } },
        { pace: 1 },
        { wait: { event: { type: 'CheckpointRestored' } } },
        { wait: { tasks: 'RUNNING' } },
        { wait: { sources: 'idle' } },
        { wait: { event: { type: 'CheckpointCompleted', count: 2 } } },
      ],
      expect: [
        { job: 'RUNNING' },
        { restarts: { atLeast: 1, atMost: 1 } },
        { restored: 'latest-completed' },
        { sink: { uid: 'results', rows: 20_000 } },
        { exactlyOnce: true },
        { checkpoint: 1, status: 'COMPLETED' },
      ],
    }
    const report = await page.evaluate((document) => window.weir.run(document), scenario)
    expect(report.steps.filter((step) => !step.ok)).toEqual([])
    expect(report.expectations.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(report).toMatchObject({ host: 'live', runHash: null, ok: true })
    expect(report.expectations.at(-1)).toMatchObject({ class: 'simulator', outcome: 'not compared' })
  })
})
