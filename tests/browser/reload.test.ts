import { describe, expect, it } from 'vitest'
import { checkpointBehindAll, compareCheckpoint, startFlights, wrongUpdates } from './flights.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

describe('closing the tab is a failure of the JobManager', () => {
  it('after a reload the job is recovered from IndexedDB and goes on to its right answer', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: 2500 })
    const job = await page.evaluate(async (since) => {
      await window.weir.until({ event: 'CheckpointCompleted' }, { since })
      return window.weir.status().job?.id
    }, from)
    const clock = await page.evaluate(async () => (await window.weir.events()).at(-1)?.at ?? 0)
    await page.reload()
    const restored = await page.evaluate(async () => {
      const event = await window.weir.until({ event: 'CheckpointRestored' }, { since: 0 })
      await window.weir.until({ status: 'RUNNING' })
      await window.weir.pace(1)
      return { job: window.weir.status().job?.id, event }
    })
    expect(restored.job).toBe(job)
    expect(restored.event).toMatchObject({ body: { type: 'CheckpointRestored' } })
    // Engine time stands still while no tab is open, and never goes back.
    expect('at' in restored.event && restored.event.at).toBeGreaterThanOrEqual(clock)
    expect(compareCheckpoint(await checkpointBehindAll(page, 0)).differences).toEqual([])
    expect(wrongUpdates(await page.evaluate(() => window.weir.sink('results')))).toEqual([])
  })

  it('IndexedDB holds the files of the retained checkpoint in Flink\'s layout, and none of the one before', async () => {
    const page = await tabs.open()
    const from = await startFlights(page, { rate: null })
    const { checkpointId, path } = await checkpointBehindAll(page, from)
    await page.evaluate(() => window.weir.pace(0))
    const stored = await page.evaluate(async () => {
      const open = indexedDB.open('weir-files')
      await new Promise((resolve, reject) => {
        open.onsuccess = resolve
        open.onerror = reject
      })
      const read = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const transaction = open.result.transaction(['files', 'contents'])
      const files = (await read(transaction.objectStore('files').getAll())) as { path: string; size: number }[]
      const contents = await Promise.all(
        files.map(async ({ path }) => (await read(open.result.transaction('contents').objectStore('contents').get(path))) as Uint8Array | Blob),
      )
      return files.map((file, i) => {
        const bytes = contents[i]
        return { ...file, head: bytes instanceof Uint8Array ? Array.from(bytes.subarray(0, 8)) : [] }
      })
    })
    const below = stored.filter((file) => file.path.startsWith('/checkpoints/'))
    const newest = below.find((file) => file.path.endsWith('/_metadata'))
    // Another one may have completed before the clock stood.
    expect(Number(/\/chk-(\d+)\/_metadata$/.exec(newest?.path ?? '')?.[1])).toBeGreaterThanOrEqual(checkpointId)
    expect(newest?.path.split('/').slice(0, 3)).toEqual(path.split('/').slice(0, 3))
    expect(newest?.head).toEqual([0x49, 0x60, 0x67, 0x2d, 0, 0, 0, 6])
    expect(below.filter((file) => file.path.endsWith('/_metadata'))).toHaveLength(1)
  })
})
