/** What storage can do to a checkpoint (behaviour 4): a named failure with Flink's reason, and those before it untouched. */
import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import { SimulatorView } from '../../../workers/hosts/simulator/simulator-view.ts'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import { C, SECOND, all, checkpoint, countJob, start } from './storage-jobs.ts'

const FILES = { [`${C}dir`]: 'file:///checkpoints', [`${C}data-inline-threshold`]: '0 b', [`${C}tolerable-failed-checkpoints`]: 100 }
const REASONS = ['QUOTA_EXCEEDED', 'ABORTED', 'UNAVAILABLE'] as const

const snapshotOf = (simulator: Simulator): readonly (readonly [string, number])[] => simulator.files('/checkpoints/').map(({ path, size }) => [path, size] as const)

function withFirst(): { readonly simulator: Simulator; readonly before: ReturnType<typeof snapshotOf> } {
  const simulator = start(countJob(FILES))
  simulator.runTo(SECOND)
  expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
  simulator.runTo(2 * SECOND)
  return { simulator, before: snapshotOf(simulator) }
}

/** Afterwards the job goes on, and goes back to the first checkpoint if it has to. */
function expectFirstUsable(simulator: Simulator, before: ReturnType<typeof snapshotOf>): void {
  simulator.runTo(simulator.now + SECOND)
  expect(snapshotOf(simulator)).toEqual(before)
  simulator.inject({ kind: 'kill-subtask', uid: 'count', subtask: 1 })
  expect(simulator.runUntilEvent(({ body }) => body.type === 'CheckpointRestored', simulator.now + 10 * SECOND)?.body).toMatchObject({ checkpointId: 1 })
  simulator.runTo(simulator.now + SECOND)
  expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
  simulator.runTo(simulator.now + 20 * SECOND)
  expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
  simulator.runTo(simulator.now + SECOND)
  expect(new SimulatorView(simulator).exactlyOnce()).toBeNull()
  expect(simulator.watch.first).toBeNull()
}

describe.each(REASONS)('storage answers %s', (reason) => {
  it('to a state file of a task: declined as CHECKPOINT_ASYNC_EXCEPTION, and what the others have written goes', () => {
    const { simulator, before } = withFirst()
    simulator.triggerCheckpoint()
    simulator.runUntilEvent(({ body }) => body.type === 'SyncSnapshotStarted', simulator.now + SECOND)
    simulator.inject({ kind: 'fail-storage', reason, count: 1 })
    const aborted = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointAborted', simulator.now + 10 * SECOND)
    expect(aborted?.body).toMatchObject({ checkpointId: 2, reason: 'CHECKPOINT_ASYNC_EXCEPTION', message: expect.stringContaining(reason) as string })
    expectFirstUsable(simulator, before)
  })

  it('to _metadata: FINALIZE_CHECKPOINT_FAILURE', () => {
    const { simulator, before } = withFirst()
    simulator.triggerCheckpoint()
    const [last] = all(simulator, 'CheckpointAcknowledged').slice(-1)
    simulator.runUntilEvent(({ body }) => body.type === 'CheckpointAcknowledged' && body.checkpointId === 2 && body.acknowledged === must(last, 'acknowledged').tasks - 1, simulator.now + 10 * SECOND)
    simulator.inject({ kind: 'fail-storage', reason, count: 1 })
    const aborted = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointAborted', simulator.now + 10 * SECOND)
    expect(aborted?.body).toMatchObject({ checkpointId: 2, reason: 'FINALIZE_CHECKPOINT_FAILURE', message: expect.stringContaining(reason) as string })
    expectFirstUsable(simulator, before)
  })

  it('to the preparation: IO_EXCEPTION', () => {
    const { simulator, before } = withFirst()
    simulator.inject({ kind: 'fail-storage', reason, count: 1 })
    expect(checkpoint(simulator)).toMatchObject({ checkpointId: 2, reason: 'IO_EXCEPTION', message: expect.stringContaining(reason) as string })
    expectFirstUsable(simulator, before)
  })
})

describe('a checkpoint is complete only when its files are durable', () => {
  it('no task acknowledges before its files are stored', () => {
    const { simulator } = withFirst()
    simulator.inject({ kind: 'stall-storage', for: '3 s' })
    simulator.triggerCheckpoint()
    const stalledUntil = simulator.now + 3 * SECOND
    const first = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointAcknowledged' && body.checkpointId === 2 && body.metrics.checkpointedBytes > 0, simulator.now + 60 * SECOND)
    expect(must(first, 'an acknowledgement').at).toBeGreaterThanOrEqual(stalledUntil)
  })

  it('whenever the JobManager dies, the checkpoint that the next one restores has all of its files', () => {
    for (let step = 0; step < 40; step++) {
      const { simulator } = withFirst()
      simulator.triggerCheckpoint()
      simulator.runTo(simulator.now + step * 300)
      simulator.inject({ kind: 'kill-job-manager' })
      const restored = must(simulator.runUntilEvent(({ body }) => body.type === 'CheckpointRestored', simulator.now + 20 * SECOND), 'a restore').body
      expect(restored.type === 'CheckpointRestored' && [1, 2].includes(restored.checkpointId)).toBe(true)
      expect(all(simulator, 'StoredCheckpointUnreadable')).toEqual([])
      simulator.runTo(simulator.now + SECOND)
      // Nothing of the other one is left.
      expect(new Set(simulator.files('/checkpoints/').map(({ path }) => path.split('/')[3])).size).toBe(1)
      expect(simulator.watch.first).toBeNull()
    }
  })

  it('files of an aborted checkpoint that arrive later go too', () => {
    const { simulator, before } = withFirst()
    simulator.inject({ kind: 'stall-storage', for: '4 s' })
    simulator.triggerCheckpoint()
    simulator.runUntilEvent(({ body }) => body.type === 'SyncSnapshotEnded', simulator.now + 20 * SECOND)
    simulator.inject({ kind: 'kill-subtask', uid: 'source', subtask: 0 })
    simulator.runTo(simulator.now + 15 * SECOND)
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
    simulator.runTo(simulator.now + SECOND)
    const directories = new Set(simulator.files('/checkpoints/').map(({ path }) => path.split('/')[3]))
    expect(directories.size).toBe(1)
    expect(before.length).toBeGreaterThan(0)
  })
})
