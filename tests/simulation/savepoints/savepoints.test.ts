/** Savepoints that nothing stops for, cancel with savepoint, disposal (behaviour 13.1, 13.3, 13.4) on the whole simulated cluster. */
import { describe, expect, it } from 'vitest'
import type { SavepointFormat } from '../../../workers/model/checkpoint.ts'
import { all, C, ended, located, metadataOf, ROWS, runner, SECOND, waitFor } from './harness.ts'

const NONE = { [`${C}interval`]: '0 s' }
const AWAY = { [`${C}interval`]: '1 h', [`${C}min-pause`]: '1 h' }

describe('a savepoint by hand', () => {
  it.each<[SavepointFormat, number]>([['CANONICAL', 7], ['NATIVE', 12]])('%s: handles of type %i, all of its own and relative, also with periodic checkpoints off', (format, type) => {
    const simulator = runner({ ...NONE, [`${C}data-inline-threshold`]: '0 b' })
    simulator.runTo(3 * SECOND)
    const location = located(ended(simulator, simulator.triggerSavepoint('/savepoints', format)))
    const savepoint = metadataOf(simulator, location)
    expect(savepoint.properties).toMatchObject({ discardFinished: false, discardSubsumed: false, forced: true, type: { name: 'Savepoint', formatType: format, postCheckpointAction: 'NONE' } })
    const keyed = savepoint.operators.flatMap((operator) => operator.subtasks.flatMap(({ managedKeyed }) => (managedKeyed === null ? [] : [managedKeyed])))
    expect(keyed.map((handle) => handle.type)).toEqual([type, type])
    const streams = savepoint.operators.flatMap((operator) => operator.subtasks.flatMap(({ managedKeyed, managedOperator }) => [managedKeyed?.kind === 'key-groups' ? managedKeyed.stream : null, managedOperator?.stream ?? null]))
    expect(new Set(streams.filter((stream) => stream !== null).map((stream) => stream.kind))).toEqual(new Set(['relative']))
    expect(simulator.files(`${location}/`).length).toBeGreaterThan(1)
    expect(simulator.files('/checkpoints/')).toEqual([])
    expect(simulator.inspection.compared).toBe(1)
    expect(simulator.watch.first).toBeNull()
  })

  it('is aligned, without a time-out, whatever the mode of checkpoints is', () => {
    const simulator = runner({ ...AWAY, [`${C}unaligned.enabled`]: true, [`${C}aligned-checkpoint-timeout`]: '1 ms' })
    simulator.runTo(3 * SECOND)
    ended(simulator, simulator.triggerSavepoint('/savepoints'))
    expect(all(simulator, 'UnalignedSnapshotStarted')).toEqual([])
    expect(all(simulator, 'BarrierEmitted').every(({ overtakes, timesOut }) => overtakes === undefined && timesOut === undefined)).toBe(true)
  })

  it('FC-082: it commits nothing and is no recovery point: 30 rows in the end, none twice', () => {
    const simulator = runner(AWAY)
    simulator.runTo(2 * SECOND)
    simulator.triggerCheckpoint()
    waitFor(simulator, 'TransactionCommitted')
    const committed = simulator.sink('out').committedTotal
    simulator.runTo(3 * SECOND)
    const location = located(ended(simulator, simulator.triggerSavepoint('/savepoints')))
    simulator.runTo(4 * SECOND)
    expect(simulator.sink('out').committedTotal).toBe(committed)
    simulator.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
    simulator.runTo(30 * SECOND)
    expect(all(simulator, 'CheckpointRestored')).toMatchObject([{ checkpointId: 1 }])
    simulator.triggerCheckpoint()
    waitFor(simulator, 'TransactionCommitted')
    expect(simulator.sink('out').committedTotal).toBe(ROWS)
    expect(simulator.files(`${location}/`).length).toBeGreaterThan(0)
    expect(simulator.watch.first).toBeNull()
  })

  it.each([['FINISHED'], ['CANCELED'], ['FAILED']] as const)('its files stay when the job ends %s', (end) => {
    const config = end === 'FAILED' ? { ...AWAY, 'restart-strategy.type': 'none' } : AWAY
    const simulator = runner(config)
    simulator.runTo(2 * SECOND)
    const location = located(ended(simulator, simulator.triggerSavepoint('/savepoints')))
    const files = simulator.files(`${location}/`).length
    if (end === 'FINISHED') simulator.stopWithSavepoint('/other')
    if (end === 'CANCELED') simulator.cancel()
    if (end === 'FAILED') simulator.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
    simulator.runTo(6 * SECOND)
    expect(simulator.status).toBe(end)
    expect(simulator.files(`${location}/`)).toHaveLength(files)
  })

  it('its files stay also where they lie in the directory of the job, whose checkpoints go', () => {
    const simulator = runner({ [`${C}data-inline-threshold`]: '0 b' })
    simulator.runTo(3 * SECOND)
    const directory = all(simulator, 'CheckpointCompleted')[0]!.externalPath.replace(/\/chk-\d+$/, '')
    const location = located(ended(simulator, simulator.triggerSavepoint(directory)))
    const files = simulator.files(`${location}/`)
    expect(files.length).toBeGreaterThan(1)
    simulator.stopWithSavepoint('/other')
    simulator.runTo(simulator.now + 3 * SECOND)
    expect(simulator.status).toBe('FINISHED')
    expect(simulator.files(`${directory}/`)).toEqual(files)
  })

  it('an aborted one leaves nothing behind', () => {
    const simulator = runner({ ...AWAY, [`${C}timeout`]: '500 ms', [`${C}data-inline-threshold`]: '0 b' })
    simulator.runTo(2 * SECOND)
    const id = simulator.triggerSavepoint('/savepoints')
    waitFor(simulator, 'SyncSnapshotEnded')
    simulator.inject({ kind: 'stall-storage', for: '1 s' })
    expect(ended(simulator, id)).toMatchObject({ status: 'FAILED', message: 'Checkpoint expired before completing.' })
    simulator.triggerCheckpoint()
    simulator.runTo(10 * SECOND)
    expect(simulator.files('/savepoints/')).toEqual([])
    expect(simulator.status).toBe('RUNNING')
    expect(simulator.watch.first).toBeNull()
  })

  it('goes where the job says, else it is refused with the name of the option', () => {
    const configured = runner({ ...AWAY, [`${C}savepoint-dir`]: 's3://bucket/saved' })
    configured.runTo(2 * SECOND)
    expect(located(ended(configured, configured.triggerSavepoint(null)))).toMatch(/^\/s3\/bucket\/saved\/savepoint-[0-9a-f]{6}-[0-9a-f]{12}$/)
    const bare = runner(AWAY)
    bare.runTo(2 * SECOND)
    expect(ended(bare, bare.triggerSavepoint(null))).toMatchObject({ status: 'FAILED', message: expect.stringContaining("No savepoint directory configured") })
    expect(all(bare, 'RequestFailed')).toMatchObject([{ request: 'savepoint' }])
  })

  it('with JobManager storage its state lies in its metadata, where it was asked for', () => {
    const simulator = runner({ ...AWAY, [`${C}storage`]: 'jobmanager' })
    simulator.runTo(2 * SECOND)
    const location = located(ended(simulator, simulator.triggerSavepoint('/savepoints')))
    expect(simulator.files('/savepoints/').map(({ path }) => path)).toEqual([`${location}/_metadata`])
    expect(simulator.watch.first).toBeNull()
  })

  it('at the start of a job it fails: not all tasks run', () => {
    const simulator = runner(AWAY)
    waitFor(simulator, 'JobStatusChanged')
    simulator.runUntil(() => simulator.status === 'RUNNING', SECOND)
    expect(ended(simulator, simulator.triggerSavepoint('/savepoints'))).toEqual({ status: 'FAILED', message: expect.stringContaining('Not all required tasks are currently running.') })
    expect(simulator.files('/savepoints/')).toEqual([])
  })
})

describe('cancel with savepoint (behaviour 13.3)', () => {
  it('an ordinary savepoint, then the job is cancelled; nothing is committed by it', () => {
    const simulator = runner(AWAY)
    simulator.runTo(3 * SECOND)
    const location = located(ended(simulator, simulator.triggerSavepoint('/savepoints', 'CANONICAL', true)))
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.status).toBe('CANCELED')
    expect(metadataOf(simulator, location).properties?.type).toMatchObject({ name: 'Savepoint' })
    expect(simulator.sink('out').committedTotal).toBe(0)
    expect(all(simulator, 'SourceStopped')).toEqual([])
    expect(all(simulator, 'StopWithSavepointStarted')).toMatchObject([{ mode: 'CANCEL' }])
    expect(simulator.watch.first).toBeNull()
  })

  it('if the savepoint fails, periodic checkpoints begin again and the job goes on', () => {
    const simulator = runner({ [`${C}timeout`]: '500 ms', [`${C}data-inline-threshold`]: '0 b', [`${C}tolerable-failed-checkpoints`]: 10 })
    simulator.runTo(3 * SECOND)
    const id = simulator.triggerSavepoint('/savepoints', 'CANONICAL', true)
    simulator.runUntilEvent(({ body }) => body.type === 'CheckpointTriggered' && body.savepoint === true, 10 * SECOND)
    simulator.inject({ kind: 'stall-storage', for: '2 s' })
    expect(ended(simulator, id)).toMatchObject({ status: 'FAILED' })
    const before = all(simulator, 'CheckpointCompleted').length
    simulator.runTo(simulator.now + 20 * SECOND)
    expect(simulator.status).toBe('RUNNING')
    expect(all(simulator, 'CheckpointCompleted').length).toBeGreaterThan(before)
    expect(simulator.sink('out').committedTotal).toBe(ROWS)
    expect(simulator.watch.first).toBeNull()
  })
})

describe('FC-110: savepoint first, cancel later, and stop with savepoint instead', () => {
  const resumed = (twoSteps: boolean): number => {
    const simulator = runner(AWAY)
    simulator.runTo(3 * SECOND)
    const id = twoSteps ? simulator.triggerSavepoint('/savepoints') : simulator.stopWithSavepoint('/savepoints')
    const path = located(ended(simulator, id))
    if (twoSteps) {
      simulator.runTo(4 * SECOND)
      simulator.triggerCheckpoint()
      waitFor(simulator, 'TransactionCommitted')
      simulator.runTo(5 * SECOND)
      simulator.cancel()
    }
    simulator.runTo(simulator.now + SECOND)
    simulator.submitNext({ restore: { path, allowNonRestoredState: false, claimMode: 'NO_CLAIM' } })
    simulator.runTo(simulator.now + 30 * SECOND)
    simulator.triggerCheckpoint()
    waitFor(simulator, 'TransactionCommitted')
    return simulator.sink('out').committedTotal - ROWS
  }

  it('what a checkpoint committed between savepoint and cancel comes twice; a stop with savepoint doubles nothing', () => {
    expect(resumed(true)).toBeGreaterThan(0)
    expect(resumed(false)).toBe(0)
  })
})

describe('dispose (behaviour 13.4)', () => {
  it('deletes the metadata and all state that it names', () => {
    const simulator = runner({ ...AWAY, [`${C}data-inline-threshold`]: '0 b' })
    simulator.runTo(2 * SECOND)
    const location = located(ended(simulator, simulator.triggerSavepoint('/savepoints')))
    const other = located(ended(simulator, simulator.triggerSavepoint('/savepoints')))
    expect(ended(simulator, simulator.disposeSavepoint(location))).toMatchObject({ status: 'COMPLETED' })
    expect(simulator.files(`${location}/`)).toEqual([])
    expect(simulator.files(`${other}/`).length).toBeGreaterThan(1)
    expect(all(simulator, 'SavepointDisposed')).toEqual([{ type: 'SavepointDisposed', externalPath: location }])
  })

  it('of what is not there fails with the path', () => {
    const simulator = runner(AWAY)
    simulator.runTo(2 * SECOND)
    expect(ended(simulator, simulator.disposeSavepoint('/savepoints/none'))).toEqual({ status: 'FAILED', message: "Cannot find checkpoint or savepoint file/directory '/savepoints/none'." })
    expect(all(simulator, 'RequestFailed')).toMatchObject([{ request: 'dispose-savepoint' }])
  })
})
