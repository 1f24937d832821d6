import { describe, expect, it } from 'vitest'
import { metadataPath } from '../../../workers/coordinator/completed-checkpoint.ts'
import { NOT_ADDRESSABLE } from '../../../workers/coordinator/checkpoint-directory.ts'
import { Cluster, JOB, testJob } from './harness.ts'
import { ackInMemory, memoryJob, snapshotMemory } from './memory-state.ts'

describe('JobManager storage (behaviour 10.2)', () => {
  it('a checkpoint without a directory has Flink’s pointer, and no file of its own', () => {
    const cluster = new Cluster().running(memoryJob({ 'high-availability.type': 'NONE' }))
    const id = ackInMemory(cluster, 100)
    expect(cluster.all('CheckpointCompleted')).toMatchObject([{ checkpointId: id, externalPath: '<checkpoint-not-externally-addressable>' }])
    expect(cluster.storageSystem.paths()).toEqual([])
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/config`).body).toMatchObject({ checkpoint_storage: 'JobManagerCheckpointStorage' })
  })

  it('tasks are told to keep their state in the acknowledgement, at most 5 MiB for each stream, and how large a message may be', () => {
    const cluster = new Cluster().running(memoryJob())
    expect(cluster.deployed[0]?.map(({ settings }) => [settings.memoryStateLimitBytes, settings.frameBytes])).toEqual(Array(5).fill([5_242_880, 10_485_760]))
    const files = new Cluster().running(testJob({ 'pekko.framesize': '1 mb' }))
    expect(files.deployed[0]?.map(({ settings }) => [settings.memoryStateLimitBytes, settings.frameBytes])).toEqual(Array(5).fill([undefined, 1_048_576]))
  })

  it('is restored from within the same JobManager', () => {
    const cluster = new Cluster().running(memoryJob({ 'high-availability.type': 'NONE' }))
    ackInMemory(cluster, 7)
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    expect(cluster.all('CheckpointRestored')).toMatchObject([{ checkpointId: 1, externalPath: NOT_ADDRESSABLE }])
    const restored = cluster.deployed.at(-1)?.flatMap(({ restore }) => restore?.operators ?? []) ?? []
    expect(restored.flatMap(({ operator }) => operator.map(({ stream }) => (stream.kind === 'bytes' ? stream.bytes.length : stream.kind)))).toEqual(Array(5).fill(7))
  })

  it('dies with the JobManager where there is no high availability', () => {
    const cluster = new Cluster().running(memoryJob({ 'high-availability.type': 'NONE' }))
    ackInMemory(cluster, 7)
    expect(new Cluster(cluster.storageSystem).lead(2).all('LeadershipGranted')).toMatchObject([{ recoveredJob: null }])
  })

  it('with high availability the whole checkpoint is written to its store, and a new leader goes on from it', () => {
    const cluster = new Cluster().running(memoryJob())
    ackInMemory(cluster, 30)
    ackInMemory(cluster, 40)
    expect(cluster.storageSystem.paths(`/ha/${JOB}/completed`)).toEqual([`/ha/${JOB}/completed-checkpoint-2`])
    const next = new Cluster(cluster.storageSystem).lead(2)
    expect(next.all('CheckpointRestored')).toMatchObject([{ checkpointId: 2, externalPath: NOT_ADDRESSABLE }])
    next.register('tm-a', 'tm-b').tasksRun()
    expect(ackInMemory(next, 50)).toBe(3)
    expect(next.storageSystem.paths(`/ha/${JOB}/completed`)).toEqual([`/ha/${JOB}/completed-checkpoint-3`])
    next.input({ type: 'cancel' })
    next.tasksCancel()
    expect(next.machine.status).toBe('CANCELED')
    expect(next.storageSystem.paths()).toEqual([])
  })

  it('a leader that crashed between the store and the deletion leaves nothing for ever', () => {
    const cluster = new Cluster().running(memoryJob())
    ackInMemory(cluster, 30)
    cluster.storageSystem.execute({ type: 'transact', writes: [{ path: `/ha/${JOB}/completed-checkpoint-9`, bytes: new Uint8Array(3), createNew: true }], deletes: [], durability: 'relaxed' }, null)
    const next = new Cluster(cluster.storageSystem).lead(2)
    expect(next.storageSystem.paths(`/ha/${JOB}/completed`)).toEqual([`/ha/${JOB}/completed-checkpoint-1`])
  })

  it('with a directory _metadata goes to chk-N with all state inline, so that it can be retained', () => {
    const config = { 'execution.checkpointing.dir': '/checkpoints', 'execution.checkpointing.storage': 'jobmanager', 'execution.checkpointing.externalized-checkpoint-retention': 'RETAIN_ON_CANCELLATION' }
    const cluster = new Cluster().running(memoryJob(config))
    ackInMemory(cluster, 1000)
    const location = `/checkpoints/${JOB}/chk-1`
    expect(cluster.storageSystem.paths('/checkpoints/')).toEqual([metadataPath(location)])
    expect(cluster.storageSystem.files.entries().find(({ path }) => path === metadataPath(location))?.size).toBeGreaterThan(5000)
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    expect(cluster.storageSystem.paths()).toEqual([metadataPath(location)])
  })

  it('a savepoint goes to its target, everything in the one _metadata', () => {
    const cluster = new Cluster().running(memoryJob())
    const id = cluster.savepoint()
    snapshotMemory(cluster, id, 500)
    expect(cluster.all('CheckpointCompleted')).toMatchObject([{ checkpointId: id, savepoint: true, externalPath: expect.stringMatching(/^\/savepoints\/savepoint-/) as string }])
    expect(cluster.storageSystem.paths('/savepoints/').map((path) => path.split('/').at(-1))).toEqual(['_metadata'])
  })

  it('the memory that retained snapshots hold is told, by checkpoint', () => {
    const cluster = new Cluster().running(memoryJob({ 'execution.checkpointing.num-retained': 2, 'high-availability.type': 'NONE' }))
    const coordinators = cluster.all('CoordinatorSnapshotTaken')
    for (const bytes of [10, 20, 30]) ackInMemory(cluster, bytes)
    const perCheckpoint = cluster.all('CoordinatorSnapshotTaken').slice(coordinators.length)
    const of = (id: number, bytes: number) => ({ checkpointId: id, bytes: 5 * bytes + perCheckpoint.filter(({ checkpointId }) => checkpointId === id).reduce((sum, taken) => sum + taken.bytes, 0) })
    const held = cluster.all('SnapshotMemoryChanged')
    expect(held.map(({ checkpoints }) => checkpoints)).toEqual([[of(1, 10)], [of(1, 10), of(2, 20)], [of(2, 20), of(3, 30)]])
    expect(held.at(-1)?.totalBytes).toBe(of(2, 20).bytes + of(3, 30).bytes)
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    expect(cluster.all('SnapshotMemoryChanged').at(-1)).toEqual({ type: 'SnapshotMemoryChanged', checkpoints: [], totalBytes: 0 })
  })

  it('filesystem storage holds no more of it than what stands inline', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    const coordinators = cluster.all('CoordinatorSnapshotTaken').reduce((sum, { bytes }) => sum + bytes, 0)
    expect(cluster.all('SnapshotMemoryChanged').at(-1)?.totalBytes).toBe(coordinators)
  })
})
