import { describe, expect, it } from 'vitest'
import { Cluster, JOB, testJob } from './harness.ts'

describe('leadership is lost (behaviour 3.3, 5.1)', () => {
  const lost = (config: Record<string, string>): Cluster => {
    const cluster = new Cluster().running(testJob(config))
    cluster.checkpoint()
    cluster.trigger()
    cluster.input({ type: 'revoke-leadership' })
    return cluster
  }

  it('what is pending is aborted with CHECKPOINT_COORDINATOR_SUSPEND, which does not count', () => {
    const cluster = lost({})
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: 2, reason: 'CHECKPOINT_COORDINATOR_SUSPEND' }])
    expect(cluster.statuses.at(-1)).toBe('SUSPENDED')
    expect(cluster.all('RestartScheduled')).toEqual([])
  })

  it('with high availability the completed checkpoints are kept, and the next leader goes on from the latest', () => {
    const cluster = lost({})
    expect(cluster.storageSystem.paths(`/checkpoints/${JOB}/chk-1/`)).not.toEqual([])
    const next = new Cluster(cluster.storageSystem).lead(2)
    expect(next.all('CheckpointRestored')).toMatchObject([{ checkpointId: 1 }])
    next.register('tm-1', 'tm-2').tasksRun()
    expect(next.checkpoint()).toBeGreaterThan(2)
  })

  it.each([
    ['NO_EXTERNALIZED_CHECKPOINTS', false],
    ['DELETE_ON_CANCELLATION', false],
    ['RETAIN_ON_CANCELLATION', true],
  ] as const)('without high availability the retention policy decides: %s', (retention, isKept) => {
    const cluster = lost({ 'high-availability.type': 'NONE', 'execution.checkpointing.externalized-checkpoint-retention': retention })
    expect(cluster.storageSystem.paths(`/checkpoints/${JOB}/chk-1/`).length > 0).toBe(isKept)
    expect(new Cluster(cluster.storageSystem).lead(2).all('LeadershipGranted')).toMatchObject([{ recoveredJob: null }])
  })
})
