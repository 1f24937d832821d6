import { describe, expect, it } from 'vitest'
import { flightsJob, startFlights } from './flights.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

describe('the desk', () => {
  it('a savepoint is taken, opened, copied, packed, opened in another browser, and both restore from theirs', async () => {
    const page = await tabs.open()
    await startFlights(page, { rate: 2000 })
    const here = await page.evaluate(async () => {
      const { weir } = window
      await weir.until({ event: 'CheckpointCompleted' }, { since: 0 })
      const path = await weir.savepoint()
      const view = await weir.open(path)
      const shares: number[] = []
      await weir.desk.open({ kind: 'stored', path }, (share) => void shares.push(share))
      const kept = `/checkpoints/${weir.status().job!.id}`
      const needed = await weir.desk.needing([kept])
      await weir.desk.copy(path, '/backup/mine')
      await weir.dispose(path)
      const { nodes, quota } = await weir.desk.tree()
      const { zip } = await weir.desk.download('/backup/mine')
      const stopped = await weir.stop()
      return {
        path, stopped, needed, shares, job: weir.status().job,
        keys: view.operators.find(({ uid }) => uid === 'delay')!.states.reduce((sum, state) => sum + state.entries, 0),
        problems: view.problems,
        isDisposed: nodes.every((node) => node.path !== path),
        copy: nodes.find((node) => node.path === '/backup/mine'),
        usedBytes: quota?.usedBytes ?? 0,
        zip: [...new Uint8Array(await zip.arrayBuffer())],
      }
    })
    expect(here.path).toMatch(/^\/savepoints\/savepoint-[0-9a-f]{6}-[0-9a-f]{12}$/)
    expect(here.keys).toBeGreaterThan(10)
    expect(here.problems).toEqual([])
    expect(here.shares.at(-1)).toBe(1)
    expect(here.needed).toHaveLength(1)
    expect(here.isDisposed).toBe(true)
    expect(here.copy).toMatchObject({ kind: 'savepoint', snapshot: { kind: 'canonical savepoint', isRestorable: true, absoluteHandles: 0 } })
    expect(here.usedBytes).toBeGreaterThan(0)
    expect(here.job?.status).toBe('FINISHED')

    const restored = (document: unknown, from: string) => ({ document: document as ReturnType<typeof flightsJob>, from })
    const goOn = async ({ document, from }: ReturnType<typeof restored>): Promise<unknown> => {
      const { weir } = window
      weir.load(document)
      const job = await weir.start({ fromSavepoint: from })
      const submitted = await weir.until(({ body }) => body.type === 'JobSubmitted' && body.job === job, { since: 0 })
      const event = await weir.until({ event: 'CheckpointRestored' }, { since: 'position' in submitted ? submitted.position : 0 })
      await weir.until({ status: 'RUNNING' })
      return 'body' in event ? event.body : null
    }
    expect(await page.evaluate(goOn, restored(flightsJob({ rate: 2000 }), '/backup/mine'))).toMatchObject({ type: 'CheckpointRestored' })

    const elsewhere = await tabs.open({ elsewhere: true })
    const found = await elsewhere.evaluate(async (bytes) => {
      const zip = new File([new Uint8Array(bytes)], 'mine.zip')
      const view = await window.weir.desk.open({ kind: 'dropped', name: 'mine.zip', files: [{ path: 'mine.zip', file: zip }] })
      const garbage = new Blob([new Uint8Array(5000).fill(7)])
      const refused = await window.weir.desk.open({ kind: 'dropped', name: 'x', files: [{ path: '_metadata', file: garbage }] }).then(() => '', String)
      return { operators: view.operators.length, refused, paths: await window.weir.desk.upload(zip, '/from-elsewhere') }
    }, here.zip)
    expect(found).toMatchObject({ operators: 3, paths: ['/from-elsewhere/mine'] })
    expect(found.refused).toContain('Unexpected magic number')
    expect(await elsewhere.evaluate(goOn, restored(flightsJob({ rate: 2000 }), '/from-elsewhere/mine'))).toMatchObject({ type: 'CheckpointRestored' })
  })

  it('a tab that only watches may read and not change', async () => {
    const leader = await tabs.open()
    await startFlights(leader, { rate: 2000 })
    await leader.evaluate(() => window.weir.until({ event: 'CheckpointCompleted' }, { since: 0 }))
    const watching = await tabs.open()
    const seen = await watching.evaluate(async () => {
      const { nodes } = await window.weir.desk.tree()
      const snapshot = nodes.find((node) => node.snapshot !== null)
      const refused = await window.weir.desk.remove([snapshot?.path ?? '/']).then(() => 'removed', String)
      return { role: window.weir.status().role, kind: snapshot?.kind, refused }
    })
    expect(seen).toMatchObject({ role: 'watching', kind: 'checkpoint' })
    expect(seen.refused).toContain('another tab leads')
  })

  it('what is no way to start or to save is refused with the place', async () => {
    const page = await tabs.open()
    const messages = await page.evaluate(async () => {
      const { weir } = window
      const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))
      const calls: Promise<unknown>[] = [
        weir.start({ allowNonRestoredState: true }),
        weir.start({ fromSavePoint: '/x' } as never),
        weir.start({ fromSavepoint: '/x', claimMode: 'MINE' as never }),
        weir.savepoint({ format: 'ZIP' as never }),
        weir.run({ weir: 'scenario@1', name: 'x', job: 'flights-delay', steps: [{ stopp: {} }], expect: [] } as never),
      ]
      return Promise.all(calls.map((call) => call.then(() => 'done', message)))
    })
    ;['/allowNonRestoredState', '/fromSavePoint: unknown field', '/claimMode: unknown value "MINE"', '/format: unknown value "ZIP"', '/steps/0'].forEach((part, i) => expect(messages[i]).toContain(part))
  })

  it('the first second: whoever waits for an event then waits for the engine', async () => {
    const page = await tabs.open({ ready: false })
    const event = await page.evaluate(() => window.weir.until({ event: 'LeadershipGranted' }, { since: 0 }))
    expect(event).toMatchObject({ body: { type: 'LeadershipGranted' } })
  })
})
