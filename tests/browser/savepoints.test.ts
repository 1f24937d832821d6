import { describe, expect, it } from 'vitest'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()
const ROWS = 2400

const JOB: JobDocument = {
  weir: 'job@1',
  name: 'stopped in the middle',
  config: { 'execution.checkpointing.interval': '1 s', 'execution.checkpointing.dir': '/checkpoints' },
  playground: { taskManagers: 2, slotsPerTaskManager: 1 },
  topics: [{ name: 'in', partitions: 2, schema: { fields: { key: 'String', value: 'Int' } }, rows: Array.from({ length: ROWS }, (_, index) => [`k${index % 7}`, index] as const) }],
  operators: [
    { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'in', rate: 100 } },
    { uid: 'count', type: 'process-count', parallelism: 2 },
    { uid: 'out', type: 'two-phase-commit' },
  ],
  edges: [
    { from: 'source', to: 'count', ship: 'hash', by: ['key'] },
    { from: 'count', to: 'out' },
  ],
}

describe('stop with savepoint on live workers', () => {
  it.each([[false], [true]])('drain %s: all that was read is committed, and a job from the savepoint goes on behind it, nothing lost and nothing doubled', async (drain) => {
    const page = await tabs.open()
    const stopped = await page.evaluate(async ([document, drained]) => {
      const { weir } = window
      await weir.pace(1)
      weir.load(document)
      const job = await weir.start()
      const submitted = await weir.until(({ body }) => body.type === 'JobSubmitted' && body.job === job, { since: 0 })
      const since = 'position' in submitted ? submitted.position : 0
      await weir.until({ event: 'TransactionCommitted' }, { since })
      const plain = await weir.savepoint({ format: 'NATIVE' })
      const path = await weir.stop({ drain: drained })
      const events = (await weir.events({ since })).map(({ body }) => body)
      const savepoint = events.findLast((body) => body.type === 'CheckpointCompleted')
      const id = savepoint?.type === 'CheckpointCompleted' ? savepoint.checkpointId : 0
      const offsets = events.flatMap((body) => (body.type === 'SyncSnapshotEnded' && body.checkpointId === id ? body.parts.flatMap((part) => part.offsets ?? []) : []))
      const checkpoints = (await weir.rest(`/jobs/${job}/checkpoints`)) as { readonly latest: { readonly savepoint: unknown } }
      return {
        plain, path, status: weir.status().job?.status, savepoint: checkpoints.latest.savepoint,
        read: offsets.reduce((sum, { offset }) => sum + offset, 0),
        committed: (await weir.sink('out')).length,
        files: (await weir.files('/')).map((file) => file.path),
        waiting: events.filter((body) => body.type === 'SynchronousSavepointAwaited').length,
        ended: events.filter((body) => body.type === 'EndOfDataReached').length,
        job,
      }
    }, [JOB, drain] as const)
    expect(stopped.status).toBe('FINISHED')
    expect(stopped.savepoint).toMatchObject({ is_savepoint: true, savepointFormat: 'CANONICAL', checkpoint_type: 'SYNC_SAVEPOINT', external_path: stopped.path })
    expect([stopped.waiting, stopped.ended]).toEqual([5, drain ? 5 : 0])
    expect(stopped.read).toBeGreaterThan(0)
    expect(stopped.read).toBeLessThan(ROWS)
    expect(stopped.committed).toBe(stopped.read)
    for (const path of [stopped.plain, stopped.path]) expect(stopped.files).toContain(`${path}/_metadata`)
    expect(stopped.files.filter((path) => path.startsWith(`/checkpoints/${stopped.job}/`) && path.endsWith('_metadata'))).toEqual([])

    const values = await page.evaluate(async ([path, rows]) => {
      const { weir } = window
      const job = await weir.start({ fromSavepoint: path })
      const submitted = await weir.until(({ body }) => body.type === 'JobSubmitted' && body.job === job, { since: 0 })
      const since = 'position' in submitted ? submitted.position : 0
      for (;;) {
        await weir.until({ event: 'TransactionCommitted' }, { since })
        const committed = await weir.sink('out')
        if (committed.length >= rows) return committed.map((row) => JSON.stringify(row))
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }, [stopped.path, ROWS] as const)
    expect(values).toHaveLength(ROWS)
    expect(new Set(values).size).toBe(ROWS)
  })
})
