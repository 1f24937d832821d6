/** Stop with savepoint (behaviour 13.2) on the whole simulated cluster. */
import { describe, expect, it } from 'vitest'
import { all, C, ended, indexOf, located, metadataOf, read, ROWS, runner, SECOND, waitFor } from './harness.ts'

const AWAY = { [`${C}interval`]: '1 h', [`${C}min-pause`]: '1 h' }

describe.each([
  ['aligned', {}],
  ['unaligned', { [`${C}unaligned.enabled`]: true }],
  ['at least once', { [`${C}mode`]: 'AT_LEAST_ONCE' }],
  ['without periodic checkpoints', { [`${C}interval`]: '0 s' }],
] as const)('stop with savepoint, %s', (_, config) => {
  it.each([[1], [2], [3]])('without drain: sources stop, all is committed, nothing is ended, the job is FINISHED, seed %i', (seed) => {
    const simulator = runner(config, seed)
    simulator.runTo(3 * SECOND)
    const location = located(ended(simulator, simulator.stopWithSavepoint('/savepoints')))
    expect(simulator.status).toBe('FINISHED')
    const offsets = all(simulator, 'SyncSnapshotEnded').flatMap(({ parts }) => parts.flatMap((part) => part.offsets ?? [])).slice(-2)
    expect(simulator.sink('out').committedTotal).toBe(offsets.reduce((sum, { offset }) => sum + offset, 0))
    expect(all(simulator, 'EndOfDataReached')).toEqual([])
    expect(all(simulator, 'SourceStopped').map(({ drain }) => drain)).toEqual([false, false])
    expect(all(simulator, 'SynchronousSavepointAwaited')).toHaveLength(5)
    expect(metadataOf(simulator, location).properties?.type).toEqual({ kind: 'savepoint', name: 'Suspend Savepoint', formatType: 'CANONICAL', postCheckpointAction: 'SUSPEND' })
    expect(all(simulator, 'JobStoppedWithSavepoint')).toEqual([{ type: 'JobStoppedWithSavepoint', mode: 'SUSPEND', externalPath: location }])
    expect(simulator.watch.first).toBeNull()
  })

  it('with drain: the last watermark and the end of data come before the barrier, operators finish', () => {
    const simulator = runner(config)
    simulator.runTo(3 * SECOND)
    const location = located(ended(simulator, simulator.stopWithSavepoint('/savepoints', { drain: true, format: 'NATIVE' })))
    expect(simulator.status).toBe('FINISHED')
    expect(all(simulator, 'EndOfDataReached')).toHaveLength(5)
    expect(indexOf(simulator, 'EndOfDataReached')).toBeLessThan(indexOf(simulator, 'SynchronousSavepointAwaited'))
    // A sink that has finished opens no transaction any more.
    expect(simulator.sink('out').transactions.filter(({ state }) => state !== 'COMMITTED')).toEqual([])
    expect(metadataOf(simulator, location).properties?.type).toEqual({ kind: 'savepoint', name: 'Terminate Savepoint', formatType: 'NATIVE', postCheckpointAction: 'TERMINATE' })
    expect(simulator.watch.first).toBeNull()
  })
})

describe('stop with savepoint', () => {
  it('tasks wait for the completion and process nothing meanwhile', () => {
    const simulator = runner(AWAY)
    simulator.runTo(3 * SECOND)
    simulator.stopWithSavepoint('/savepoints')
    simulator.runUntil(() => all(simulator, 'SynchronousSavepointAwaited').length === 5, 10 * SECOND)
    simulator.inject({ kind: 'stall-storage', for: '2 s' })
    const before = read(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(read(simulator)).toBe(before)
    expect(simulator.tasks().map((task) => task.machine.report(simulator.now).activity)).toEqual(Array(5).fill('waiting-for-savepoint'))
    expect(simulator.sink('out').committedTotal).toBe(0)
    simulator.runTo(simulator.now + 3 * SECOND)
    expect(simulator.status).toBe('FINISHED')
    expect(simulator.sink('out').committedTotal).toBe(before)
  })

  it.each([['RETAIN_ON_CANCELLATION'], ['DELETE_ON_CANCELLATION']])('retained checkpoints go under %s, the savepoint stays', (retention) => {
    const simulator = runner({ [`${C}externalized-checkpoint-retention`]: retention })
    simulator.runTo(3 * SECOND)
    expect(simulator.files('/checkpoints/').length).toBeGreaterThan(0)
    const location = located(ended(simulator, simulator.stopWithSavepoint('/savepoints')))
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.files('/checkpoints/')).toEqual([])
    expect(simulator.files(`${location}/`).length).toBeGreaterThan(0)
  })

  it('pending checkpoints are aborted, and no periodic one is triggered any more', () => {
    const simulator = runner({ [`${C}interval`]: '100 ms' })
    simulator.runTo(3 * SECOND)
    waitFor(simulator, 'CheckpointTriggered')
    simulator.stopWithSavepoint('/savepoints')
    waitFor(simulator, 'StopWithSavepointStarted')
    const started = indexOf(simulator, 'StopWithSavepointStarted')
    waitFor(simulator, 'JobStoppedWithSavepoint')
    const since = simulator.events.slice(started).map(({ body }) => body)
    expect(since.filter((body) => body.type === 'CheckpointTriggered').map((body) => body.type === 'CheckpointTriggered' && body.stops)).toEqual(['SUSPEND'])
    expect(since.find((body) => body.type === 'CheckpointAborted')).toMatchObject({ reason: 'CHECKPOINT_COORDINATOR_SUSPEND' })
    expect(simulator.watch.first).toBeNull()
  })

  it('a savepoint that expires fails the tasks that have stopped for it: the job goes on from its last checkpoint, and periodic checkpoints with it', () => {
    const simulator = runner({ [`${C}timeout`]: '500 ms', [`${C}data-inline-threshold`]: '0 b' })
    simulator.runTo(3 * SECOND)
    const id = simulator.stopWithSavepoint('/savepoints')
    waitFor(simulator, 'SourceStopped')
    simulator.inject({ kind: 'stall-storage', for: '1 s' })
    const result = ended(simulator, id)
    expect(result).toMatchObject({ status: 'FAILED', message: expect.stringContaining('Checkpoint expired before completing.') })
    simulator.runTo(simulator.now + SECOND)
    expect(all(simulator, 'TaskStateChanged').some(({ to, cause }) => to === 'FAILED' && cause === 'Stop-with-savepoint failed.')).toBe(true)
    simulator.runTo(simulator.now + 30 * SECOND)
    expect(simulator.status).toBe('RUNNING')
    expect(simulator.sink('out').committedTotal).toBe(ROWS)
    expect(simulator.files('/savepoints/')).toEqual([])
    expect(all(simulator, 'CheckpointCompleted').filter(({ savepoint }) => savepoint === true)).toEqual([])
    expect(simulator.watch.first).toBeNull()
  })

  it('a savepoint that fails before any task has heard of it leaves the job alone, and periodic checkpoints go on', () => {
    const simulator = runner()
    simulator.runTo(3 * SECOND)
    simulator.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', 10 * SECOND)
    simulator.runTo(simulator.now + SECOND / 10)
    const id = simulator.stopWithSavepoint('/savepoints')
    waitFor(simulator, 'CheckpointTriggered')
    simulator.inject({ kind: 'fail-storage', reason: 'UNAVAILABLE' })
    expect(ended(simulator, id)).toMatchObject({ status: 'FAILED' })
    const before = all(simulator, 'CheckpointCompleted').length
    simulator.runTo(simulator.now + 30 * SECOND)
    expect(all(simulator, 'RestartScheduled')).toEqual([])
    expect(all(simulator, 'CheckpointCompleted').length).toBeGreaterThan(before)
    expect(simulator.sink('out').committedTotal).toBe(ROWS)
    expect(simulator.watch.first).toBeNull()
  })

  it('a task that fails its part of it fails the job over: Stop-with-savepoint failed.', () => {
    const simulator = runner({ ...AWAY, [`${C}data-inline-threshold`]: '0 b' })
    simulator.runTo(3 * SECOND)
    const id = simulator.stopWithSavepoint('/savepoints')
    waitFor(simulator, 'SourceStopped')
    simulator.inject({ kind: 'fail-storage', reason: 'QUOTA_EXCEEDED' })
    expect(ended(simulator, id)).toMatchObject({ status: 'FAILED', message: expect.stringContaining('QUOTA_EXCEEDED') })
    expect(all(simulator, 'RestartScheduled').at(-1)?.cause).toContain('Stop-with-savepoint failed.')
  })

  it('FC-081: the savepoint is fine and a commit fails: FAILED without a restart, and the message says where the savepoint lies; a job from it commits first', () => {
    const simulator = runner(AWAY)
    simulator.runTo(3 * SECOND)
    simulator.triggerCheckpoint()
    waitFor(simulator, 'TransactionCommitted')
    const committed = simulator.sink('out').committedTotal
    simulator.runTo(6 * SECOND)
    const id = simulator.stopWithSavepoint('/savepoints')
    simulator.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', 20 * SECOND)
    simulator.inject({ kind: 'outside-outage', for: '100 ms' })
    const result = ended(simulator, id)
    const location = all(simulator, 'CheckpointCompleted').at(-1)?.externalPath ?? ''
    expect(location).toContain('/savepoints/')
    expect(result).toMatchObject({ status: 'FAILED', message: expect.stringContaining(`A savepoint has been created at: ${location}`) })
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.status).toBe('FAILED')
    expect(all(simulator, 'JobStatusChanged').find(({ to }) => to === 'FAILING')?.cause).toContain(location)
    expect(all(simulator, 'CheckpointRestored')).toEqual([])
    expect(simulator.sink('out').committedTotal).toBe(committed)

    simulator.submitNext({ restore: { path: location, allowNonRestoredState: false, claimMode: 'NO_CLAIM' } })
    waitFor(simulator, 'TransactionCommitted')
    expect(simulator.sink('out').committedTotal).toBeGreaterThan(committed)
    simulator.runTo(simulator.now + 30 * SECOND)
    simulator.triggerCheckpoint()
    waitFor(simulator, 'TransactionCommitted')
    expect(simulator.sink('out').committedTotal).toBe(ROWS)
    expect(simulator.watch.first).toBeNull()
  })

  it.each([['SourceStopped'], ['SynchronousSavepointAwaited'], ['CheckpointCompleted']] as const)('a copy of the whole world, made at %s, goes on exactly alike', (moment) => {
    const simulator = runner(AWAY)
    simulator.runTo(3 * SECOND)
    simulator.stopWithSavepoint('/savepoints', { drain: true })
    waitFor(simulator, moment)
    const copy = simulator.clone()
    for (const world of [simulator, copy]) world.runTo(6 * SECOND)
    expect(copy.status).toBe('FINISHED')
    expect(copy.runHash).toBe(simulator.runHash)
  })

  it('one stop at a time: a second one is refused, and the first goes on', () => {
    const simulator = runner(AWAY)
    simulator.runTo(3 * SECOND)
    const first = simulator.stopWithSavepoint('/savepoints')
    waitFor(simulator, 'SourceStopped')
    const second = simulator.stopWithSavepoint('/savepoints')
    expect(ended(simulator, second)).toEqual({ status: 'FAILED', message: 'The job is being stopped with a savepoint already.' })
    expect(ended(simulator, first).status).toBe('COMPLETED')
  })

  it('FC-109: a source that is back-pressured stops when the sink drains, and nothing behind the savepoint is emitted', () => {
    const simulator = runner(AWAY, 1, (document) => ({ ...document, operators: document.operators.map((operator) => ({ ...operator, ...(operator.uid === 'out' ? { cost: '20 ms' } : {}), ...(operator.uid === 'source' ? { params: { topic: 'in' } } : {}) })) }))
    simulator.runTo(SECOND)
    const location = located(ended(simulator, simulator.stopWithSavepoint('/savepoints')))
    expect(simulator.status).toBe('FINISHED')
    expect(location).toContain('/savepoints/')
    const offsets = all(simulator, 'SyncSnapshotEnded').flatMap(({ parts }) => parts.flatMap((part) => part.offsets ?? []))
    expect(simulator.sink('out').committedTotal).toBe(offsets.reduce((sum, { offset }) => sum + offset, 0))
    expect(simulator.watch.first).toBeNull()
  })

  it('bounded sources that have ended take part: the savepoint ends their wait', () => {
    const simulator = runner({ [`${C}interval`]: '1 h', [`${C}min-pause`]: '1 h' }, 1, (document) => ({ ...document, operators: document.operators.map((operator) => (operator.uid === 'source' ? { ...operator, params: { topic: 'in', bounded: true } } : operator)) }))
    simulator.runUntil(() => all(simulator, 'EndOfDataReached').length === 5, 20 * SECOND)
    const result = ended(simulator, simulator.stopWithSavepoint('/savepoints'))
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.status).toBe('FINISHED')
    expect(simulator.sink('out').committedTotal).toBe(ROWS)
    expect(['COMPLETED', 'FAILED']).toContain(result.status)
    expect(simulator.watch.first).toBeNull()
  })
})
