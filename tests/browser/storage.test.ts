/** Where checkpoints lie, on live workers: with the JobManager, and as copies at the TaskManagers. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type {} from '../../src/cluster/console-api.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { flightsJob } from './flights.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

function job(config: JobDocument['config'], dir: string | null): JobDocument {
  const base = flightsJob({ rate: 200 })
  const { 'execution.checkpointing.dir': _, ...rest } = base.config ?? {}
  return { ...base, config: { ...rest, ...(dir === null ? {} : { 'execution.checkpointing.dir': dir }), ...config } }
}

/** Started, one checkpoint completed, one subtask killed, and restored. Answers the sums of bytes that keyed state was restored from. */
const killAndRestore = (page: Page, document: JobDocument) =>
  page.evaluate(async (it) => {
    const { weir } = window
    await weir.pace(1)
    weir.load(it)
    const id = await weir.start()
    const submitted = await weir.until(({ body }) => body.type === 'JobSubmitted' && body.job === id, { since: 0 })
    const since = 'position' in submitted ? submitted.position : 0
    const completed = await weir.until({ event: 'CheckpointCompleted' }, { since })
    await weir.inject({ kind: 'kill-subtask', uid: 'delay', subtask: 0 })
    const from = 'position' in completed ? completed.position : 0
    const back = await weir.until({ event: 'CheckpointRestored' }, { since: from })
    await weir.until({ event: 'CheckpointCompleted' }, { since: 'position' in back ? back.position : from })
    await weir.pace(0)
    const events = await weir.events({ since })
    const restored = events.flatMap(({ body }) => (body.type === 'StateRestored' && body.keys > 0 ? [{ bytes: body.bytes, local: body.localBytes ?? 0 }] : []))
    const held = events.flatMap(({ body }) => (body.type === 'SnapshotMemoryChanged' ? [body.totalBytes] : []))
    const path = 'body' in completed && completed.body.type === 'CheckpointCompleted' ? completed.body.externalPath : ''
    const files = (await weir.files('/')).map((file) => file.path)
    return { restored, held, path, files }
  }, document)

describe('checkpoints with the JobManager', () => {
  it('have no directory, come back after a failure, and the overview shows what they hold', async () => {
    const page = await tabs.open()
    const { restored, held, path, files } = await killAndRestore(page, job({}, null))
    expect(path).toBe('<checkpoint-not-externally-addressable>')
    expect(files.filter((file) => !file.startsWith('/ha/'))).toEqual([])
    expect(files.some((file) => /^\/ha\/[0-9a-f]{32}\/completed-checkpoint-\d+$/.test(file))).toBe(true)
    expect(restored.length).toBeGreaterThan(0)
    expect(held.at(-1)).toBeGreaterThan(0)
    await page.keyboard.press('2')
    await page.getByRole('region', { name: 'Held by the JobManager' }).getByText('State in Memory').waitFor()
  })
})

describe('task-local recovery', () => {
  it('a task that is restarted on its TaskManager reads the copies kept there', async () => {
    const page = await tabs.open()
    const config = { 'state.backend.local-recovery': true, 'execution.checkpointing.data-inline-threshold': '0 b' }
    const { restored } = await killAndRestore(page, job(config, 'file:///checkpoints'))
    expect(restored.length).toBeGreaterThan(0)
    expect(restored.map(({ local }) => local)).toEqual(restored.map(({ bytes }) => bytes))
  })
})
