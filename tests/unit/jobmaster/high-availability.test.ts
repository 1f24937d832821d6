import { describe, expect, it } from 'vitest'
import { counterPath, parseFile } from '../../../workers/jobmaster/high-availability/ha-files.ts'
import type { StoredCounter } from '../../../workers/jobmaster/high-availability/ha-files.ts'
import { Cluster, JOB, TestStorage, testJob } from './harness.ts'

/** A second JobManager on the same storage, with fresh TaskManagers. */
const successor = (old: Cluster, token = 2): Cluster => new Cluster(old.storageSystem).lead(token)

describe('JobManager failover (behaviour 12.3)', () => {
  it('recovers the job from its latest completed checkpoint', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.checkpoint()
    const next = successor(cluster)
    expect(next.all('LeadershipGranted')).toEqual([{ type: 'LeadershipGranted', token: 2, recoveredJob: JOB }])
    expect(next.statuses).toEqual(['CREATED', 'RUNNING'])
    expect(next.all('CheckpointRestored')).toMatchObject([{ checkpointId: 2 }])
    expect(next.machine.document).toEqual(testJob())
    expect(next.requested.at(-1)).toBe(2)
    next.register('tm-a', 'tm-b')
    expect(next.deployed[0]!.map((task) => task.restore?.checkpointId)).toEqual([2, 2, 2, 2, 2])
    expect(next.deployed[0]!.map((task) => task.token)).toEqual([2, 2, 2, 2, 2])
  })

  it('waits for TaskManagers to register', () => {
    const next = successor(new Cluster().running())
    expect(next.states()).toEqual(Array(5).fill('SCHEDULED'))
    next.register('tm-a')
    expect(next.deployed).toEqual([])
    next.register('tm-b')
    expect(next.deployed).toHaveLength(1)
  })

  it('the checkpoint counter goes on, also over one that never completed', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.trigger()
    const next = successor(cluster).register('tm-a', 'tm-b').tasksRun()
    expect(next.checkpoint()).toBe(3)
    expect(next.storageSystem.paths(`/checkpoints/${JOB}/chk-1/`)).toEqual([])
  })

  it('attempt ids of the earlier leader are not used again', () => {
    const cluster = new Cluster().running()
    const used = cluster.machine.executions.map((execution) => execution.attempt)
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    used.push(...cluster.machine.executions.map((execution) => execution.attempt))
    const next = successor(cluster)
    for (const { attempt } of next.machine.executions) expect(used).not.toContain(attempt)
  })

  it('without a completed checkpoint: from empty state, and says so', () => {
    const next = successor(new Cluster().running())
    expect(next.all('RestoredEmpty')).toHaveLength(1)
    expect(next.machine.status).toBe('RUNNING')
  })

  it('a newest checkpoint that does not read back: the one before, and says so', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.num-retained': 2 }))
    cluster.checkpoint()
    cluster.checkpoint()
    cluster.storageSystem.files.damage(`/checkpoints/${JOB}/chk-2/_metadata`, 'flip')
    const next = successor(cluster)
    expect(next.all('StoredCheckpointUnreadable')).toMatchObject([{ checkpointId: 2 }])
    expect(next.all('CheckpointRestored')).toMatchObject([{ checkpointId: 1 }])
    next.register('tm-a', 'tm-b').tasksRun()
    expect(next.checkpoint()).toBe(3)
  })

  it('a state file that is cut short makes its checkpoint unusable', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.num-retained': 2 }))
    cluster.checkpoint()
    cluster.checkpoint()
    const file = cluster.storageSystem.paths(`/checkpoints/${JOB}/chk-2/`).find((path) => !path.endsWith('_metadata'))!
    cluster.storageSystem.files.damage(file, 'truncate')
    expect(successor(cluster).all('StoredCheckpointUnreadable')[0]?.message).toContain(file)
  })

  it('no readable checkpoint at all: SUSPENDED with the reason, nothing is touched', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.storageSystem.files.damage(`/checkpoints/${JOB}/chk-1/_metadata`, 'flip')
    const before = cluster.storageSystem.paths()
    const next = successor(cluster)
    expect(next.all('JobStatusChanged')).toMatchObject([{ to: 'SUSPENDED' }])
    expect(next.storageSystem.paths()).toEqual(before)
  })

  it('sweeps what a crash left behind', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.trigger()
    cluster.writeState(2, cluster.machine.executions[0]!.vertex, 0)
    const next = successor(cluster)
    expect(new Set(next.storageSystem.paths('/checkpoints/').map((path) => path.split('/')[3]))).toEqual(new Set(['chk-1']))
  })

  it('sweeps no savepoint that was put into the directory of the job', () => {
    const cluster = new Cluster().running()
    cluster.ackAll(cluster.savepoint('e'.repeat(32), `/checkpoints/${JOB}/mine`))
    const files = cluster.storageSystem.paths(`/checkpoints/${JOB}/mine/`)
    expect(files.some((path) => path.endsWith('/_metadata'))).toBe(true)
    expect(successor(cluster).storageSystem.paths(`/checkpoints/${JOB}/`)).toEqual(files)
  })

  it('a job that ended never comes back', () => {
    const cluster = new Cluster().running()
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    const next = successor(cluster)
    expect(next.all('LeadershipGranted')).toMatchObject([{ recoveredJob: null }])
    expect(next.machine.status).toBeNull()
  })

  it('high-availability.type NONE: the job is lost', () => {
    const cluster = new Cluster().running(testJob({ 'high-availability.type': 'NONE' }))
    cluster.checkpoint()
    expect(cluster.all('CheckpointCompleted')).toHaveLength(1)
    expect(cluster.storageSystem.paths('/ha/')).toEqual([])
    expect(successor(cluster).machine.status).toBeNull()
  })

  it('a fenced leader is SUSPENDED, does nothing more, and discards nothing', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    successor(cluster)
    cluster.trigger()
    expect(cluster.machine.status).toBe('SUSPENDED')
    expect(cluster.machine.token).toBeNull()
    expect(cluster.timers.has('checkpoint-periodic')).toBe(false)
    expect(cluster.storageSystem.paths(`/checkpoints/${JOB}/chk-1/`)).toHaveLength(6)
  })
})

describe('a crash between any two storage operations leaves a usable checkpoint', () => {
  /** Two checkpoints, a failed one, a restart, a third checkpoint. Counts its storage operations. */
  function script(cluster: Cluster): void {
    cluster.running(testJob({ 'execution.checkpointing.tolerable-failed-checkpoints': 3 }))
    for (let step = 0; step < 2; step++) cluster.checkpoint()
    cluster.trigger()
    if (cluster.timers.has('checkpoint-timeout:3')) cluster.fire('checkpoint-timeout:3')
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    if (cluster.timers.has('restart')) cluster.fire('restart')
    cluster.tasksRun()
    cluster.checkpoint()
  }

  /** After the crash the script stumbles over what never happened; that is where it ends. */
  function runUntilCrash(budget: number): Cluster {
    const cluster = new Cluster(new TestStorage())
    cluster.storageSystem.budget = budget
    try {
      script(cluster)
    } catch {
      // The machine is cut off: the script cannot go on.
    }
    cluster.storageSystem.budget = Infinity
    return cluster
  }

  const complete = runUntilCrash(1000)
  const operations = 1000 - (() => {
    const cluster = new Cluster(new TestStorage())
    cluster.storageSystem.budget = 1000
    script(cluster)
    return cluster.storageSystem.budget
  })()

  it('the script completes checkpoints 1, 2 and 4', () => {
    expect(complete.all('CheckpointCompleted').map((event) => event.checkpointId)).toEqual([1, 2, 4])
    expect(operations).toBeGreaterThanOrEqual(30)
  })

  it.each(Array.from({ length: operations + 1 }, (_, budget) => budget))('after %i operations', (budget) => {
    const cluster = runUntilCrash(budget)
    const completed = cluster.all('CheckpointCompleted').at(-1)?.checkpointId ?? null
    const next = successor(cluster)
    if (cluster.storageSystem.paths('/ha/').length === 0) {
      expect(completed).toBeNull()
      return
    }
    expect(next.all('StoredCheckpointUnreadable')).toEqual([])
    expect(next.machine.status).toBe('RUNNING')
    const restored = next.all('CheckpointRestored').at(-1)?.checkpointId ?? null
    if (completed !== null) expect(restored).toBeGreaterThanOrEqual(completed)
    const counter = parseFile<StoredCounter>(readBytes(next, counterPath(JOB)))
    next.register('tm-a', 'tm-b').tasksRun()
    expect(next.checkpoint()).toBeGreaterThanOrEqual(Math.max(counter.nextCheckpointId, (restored ?? 0) + 1))
    expect(next.all('CheckpointCompleted')).toHaveLength(1)
    const directories = new Set(next.storageSystem.paths('/checkpoints/').map((path) => path.split('/')[3]))
    expect(directories.size).toBe(1)
  })
})

function readBytes(cluster: Cluster, path: string): Uint8Array {
  const result = cluster.storageSystem.files.execute({ type: 'read', path }, null)
  if (!result.ok) throw new Error(result.message)
  return result.bytes!
}
