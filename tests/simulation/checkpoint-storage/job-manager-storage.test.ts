/** JobManager storage on the whole simulated cluster (behaviour 10.2; cases FC-032). */
import { describe, expect, it } from 'vitest'
import { SimulatorView } from '../../../workers/hosts/simulator/simulator-view.ts'
import { C, SECOND, all, checkpoint, countJob, start } from './storage-jobs.ts'

const kill = { kind: 'kill-subtask', uid: 'count', subtask: 0 } as const

describe('FC-032: state larger than the limit, in the JobManager', () => {
  const small = { playground: { maxMemoryStateSize: '8 kb' } }
  const tolerant = { [`${C}tolerable-failed-checkpoints`]: 10 }

  it('below it: complete, with all of the state', () => {
    const simulator = start(countJob(tolerant, small))
    simulator.runTo(2 * SECOND)
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted', externalPath: '<checkpoint-not-externally-addressable>' })
  })

  it('above it: each such subtask declines in its asynchronous part, naming size and limit; the others acknowledge', () => {
    const simulator = start(countJob(tolerant, { ...small, wide: 1000 }))
    simulator.runTo(2 * SECOND)
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointAborted', reason: 'CHECKPOINT_ASYNC_EXCEPTION' })
    expect(all(simulator, 'CheckpointDeclined')[0]?.message).toMatch(/#0\. Caused by: Size of the state is larger than the maximum permitted memory-backed state. Size=\d+, maxSize=8192\./)
    expect(all(simulator, 'CheckpointAcknowledged').length).toBeGreaterThan(0)
    expect(simulator.status).toBe('RUNNING')
  })

  it('with no tolerance it restarts the job from the last good one', () => {
    const simulator = start(countJob({}, { ...small, wide: 1000 }))
    simulator.runUntil((cluster) => all(cluster, 'TaskStateChanged').filter(({ to }) => to === 'RUNNING').length === 5, SECOND)
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
    simulator.runTo(4 * SECOND)
    expect(checkpoint(simulator)).toMatchObject({ reason: 'CHECKPOINT_ASYNC_EXCEPTION' })
    const restored = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointRestored', simulator.now + 10 * SECOND)
    expect(restored?.body).toMatchObject({ checkpointId: 1 })
    expect(all(simulator, 'RestartScheduled')[0]?.cause).toContain('Exceeded checkpoint tolerable failure threshold.')
  })

  it('with file storage the same state is no matter', () => {
    const simulator = start(countJob({ ...tolerant, [`${C}dir`]: 'file:///checkpoints' }, { ...small, wide: 1000 }))
    simulator.runTo(2 * SECOND)
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
  })

  it('the limit holds for each stream, not for the checkpoint', () => {
    const simulator = start(countJob(tolerant, { playground: { maxMemoryStateSize: '30 kb' }, wide: 1000 }))
    simulator.runTo(2 * SECOND)
    const completed = checkpoint(simulator)
    expect(completed.type === 'CheckpointCompleted' && completed.stateBytes).toBeGreaterThan(30 * 1024)
  })
})

describe('an acknowledgement larger than a message may be (pekko.framesize)', () => {
  it('never arrives: the checkpoint expires, and the task has said why', () => {
    const simulator = start(countJob({ 'pekko.framesize': '8 kb', [`${C}timeout`]: '5 s', [`${C}tolerable-failed-checkpoints`]: 10 }, { wide: 1000 }))
    simulator.runTo(2 * SECOND)
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointAborted', reason: 'CHECKPOINT_EXPIRED' })
    expect(all(simulator, 'AcknowledgementDropped')[0]).toMatchObject({ checkpointId: 1, limit: 8192 })
    expect(all(simulator, 'AcknowledgementDropped')[0]?.bytes).toBeGreaterThan(8192)
    expect(simulator.status).toBe('RUNNING')
  })

  it('with file storage handles alone travel', () => {
    const simulator = start(countJob({ 'pekko.framesize': '8 kb', [`${C}dir`]: 'file:///checkpoints', [`${C}data-inline-threshold`]: '0 b' }, { wide: 1000 }))
    simulator.runTo(2 * SECOND)
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
  })
})

describe.each([[1], [2], [3], [4], [5], [6]])('state in memory, seed %i', (seed) => {
  it('comes back after lost subtasks, TaskManagers and, with high availability, the JobManager: exactly once, nothing left in storage', () => {
    const simulator = start(countJob({ [`${C}interval`]: '300 ms', [`${C}min-pause`]: '0 ms', [`${C}num-retained`]: 2 }), seed)
    for (const fault of [kill, { kind: 'kill-job-manager' }, { kind: 'kill-task-manager', index: 0 }, { kind: 'kill-job-manager' }] as const) {
      simulator.runTo(simulator.now + SECOND)
      simulator.inject(fault)
    }
    simulator.runTo(simulator.now + 30 * SECOND)
    expect(all(simulator, 'CheckpointRestored').length).toBeGreaterThan(2)
    expect(new SimulatorView(simulator).exactlyOnce()).toBeNull()
    expect(simulator.watch.first).toBeNull()
    expect(simulator.inspection.compared).toBeGreaterThan(0)
    expect(simulator.files('/ha/').filter(({ path }) => path.includes('completed-checkpoint'))).toHaveLength(2)
    simulator.cancel()
    simulator.runTo(simulator.now + 5 * SECOND)
    expect(simulator.files()).toEqual([])
  })

  it('is lost with the JobManager without high availability', () => {
    const simulator = start(countJob({ 'high-availability.type': 'NONE', [`${C}interval`]: '300 ms', [`${C}min-pause`]: '0 ms' }), seed)
    simulator.runTo(SECOND)
    expect(all(simulator, 'CheckpointCompleted').length).toBeGreaterThan(0)
    expect(simulator.files()).toEqual([])
    simulator.inject(kill)
    simulator.runTo(2 * SECOND)
    expect(all(simulator, 'CheckpointRestored').length).toBeGreaterThan(0)
    simulator.inject({ kind: 'kill-job-manager' })
    simulator.runTo(10 * SECOND)
    expect(all(simulator, 'LeadershipGranted').at(-1)).toMatchObject({ recoveredJob: null })
  })
})
