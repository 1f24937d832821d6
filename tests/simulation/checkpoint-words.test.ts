/** What a checkpoint failed of at a task, in Flink's words, as far as it is told: failure of the job, exceptions, history (behaviour 4). */
import { describe, expect, it } from 'vitest'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import { C, SECOND, all, checkpoint, countJob, start } from './checkpoint-storage/storage-jobs.ts'

/** Up to a second behind the first checkpoint. */
function running(config: JobDocument['config']): Simulator {
  const simulator = start(countJob({ [`${C}dir`]: '/checkpoints', 'restart-strategy.type': 'none', ...config }))
  simulator.runTo(SECOND)
  expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
  simulator.runTo(2 * SECOND)
  return simulator
}

const failed = (simulator: Simulator): string => {
  simulator.runUntil(() => simulator.status === 'FAILED', simulator.now + 60 * SECOND)
  return all(simulator, 'JobStatusChanged').find(({ to }) => to === 'FAILING')?.cause ?? 'the job did not fail'
}
const entries = (simulator: Simulator): unknown => simulator.rest({ path: `/jobs/${simulator.job}/exceptions` }).body

describe('a sink that cannot pre-commit', () => {
  const PERFORM = 'Could not perform checkpoint 2 for operator Two-phase-commit sink (1/1)#0.'
  const COMPLETE = 'Could not complete snapshot 2 for operator Two-phase-commit sink (1/1)#0. Failure reason: Checkpoint was declined.'

  it('fails its task, whatever number of failures is tolerated: Flink\'s sentences stand in the failure of the job, in the exceptions and in the state of the task', () => {
    const simulator = running({ [`${C}tolerable-failed-checkpoints`]: 100 })
    simulator.inject({ kind: 'outside-outage', for: '10 s' })
    simulator.triggerCheckpoint()
    const cause = failed(simulator)
    expect(cause).toContain(`${PERFORM} Caused by: ${COMPLETE} Caused by: `)
    expect(entries(simulator)).toMatchObject({
      exceptionHistory: { entries: [{ exceptionName: PERFORM, stacktrace: expect.stringContaining(`${PERFORM}\nCaused by: ${COMPLETE}\nCaused by: `) as string }] },
    })
    expect(all(simulator, 'TaskStateChanged').find(({ to }) => to === 'FAILED')?.cause).toContain(PERFORM)
    expect(all(simulator, 'CheckpointAborted')).toMatchObject([{ checkpointId: 2, reason: 'CHECKPOINT_COORDINATOR_SUSPEND' }])
  })
})

describe('a state file that cannot be stored', () => {
  it('declines: Flink\'s sentences stand in the failure of the checkpoint, in its history, and in the failure of the job if it is not tolerated', () => {
    const simulator = running({ [`${C}tolerable-failed-checkpoints`]: 0, [`${C}data-inline-threshold`]: '0 b' })
    simulator.triggerCheckpoint()
    simulator.runUntilEvent(({ body }) => body.type === 'SyncSnapshotStarted', simulator.now + SECOND)
    simulator.inject({ kind: 'fail-storage', reason: 'UNAVAILABLE' })
    const cause = failed(simulator)
    const words = /Asynchronous task checkpoint failed\. Caused by: Could not materialize checkpoint 2 for operator [\w -]+ \(\d\/\d\)#0\. Caused by: UNAVAILABLE/
    expect(cause).toMatch(words)
    expect(cause).toContain('Exceeded checkpoint tolerable failure threshold.')
    expect(all(simulator, 'CheckpointDeclined')).toMatchObject([{ reason: 'CHECKPOINT_ASYNC_EXCEPTION', message: expect.stringMatching(words) as string }])
    const { body } = simulator.rest({ path: `/jobs/${simulator.job}/checkpoints` })
    expect(body).toMatchObject({ latest: { failed: { id: 2, failure_message: expect.stringMatching(words) as string } } })
    expect(entries(simulator)).toMatchObject({
      exceptionHistory: { entries: [{ stacktrace: expect.stringContaining('\nCaused by: Could not materialize checkpoint 2 for operator ') as string }] },
    })
  })
})
