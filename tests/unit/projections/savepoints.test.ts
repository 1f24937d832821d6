import { expect, test } from 'vitest'
import type { EngineEvent, EventBody } from '../../../workers/model/events.ts'
import type { ExecutionAttemptId, VertexId } from '../../../workers/model/ids.ts'
import { EMPTY_JOB_VIEW } from '../../../workers/projections/job-view.ts'
import { narrate } from '../../../workers/projections/narration.ts'
import { reduceJob } from '../../../workers/projections/reduce-job.ts'

const event = (at: number, body: EventBody): EngineEvent => ({ at, source: 'jobmanager', sequence: at, body })
const TASK = { attempt: 'v_0_0' as ExecutionAttemptId, vertex: 'v' as VertexId, subtask: 0 }
const said = (body: EventBody): string => narrate(event(1, body), null)?.text ?? ''

test('a job is being stopped from the request on, and where the savepoint lies is known when it has been', () => {
  const begun = reduceJob(EMPTY_JOB_VIEW, event(3, { type: 'StopWithSavepointStarted', mode: 'TERMINATE', format: 'CANONICAL' }))
  expect(begun.stop).toEqual({ mode: 'TERMINATE', since: 3, path: null })
  expect(reduceJob(begun, event(5, { type: 'JobStoppedWithSavepoint', mode: 'TERMINATE', externalPath: '/s/x' })).stop).toEqual({ mode: 'TERMINATE', since: 3, path: '/s/x' })
})

test('a stop that fails leaves a job that runs; another request that fails does not end the stop', () => {
  const begun = reduceJob(EMPTY_JOB_VIEW, event(3, { type: 'StopWithSavepointStarted', mode: 'CANCEL', format: 'NATIVE' }))
  expect(reduceJob(begun, event(4, { type: 'RequestFailed', request: 'savepoint', message: 'x' })).stop).not.toBeNull()
  expect(reduceJob(begun, event(4, { type: 'RequestFailed', request: 'cancel-with-savepoint', message: 'x' })).stop).toBeNull()
})

test('every event of savepoints has its sentence', () => {
  expect(said({ type: 'StopWithSavepointStarted', mode: 'SUSPEND', format: 'CANONICAL' })).toContain('stopped with a savepoint')
  expect(said({ type: 'StopWithSavepointStarted', mode: 'TERMINATE', format: 'CANONICAL' })).toContain('drained')
  expect(said({ type: 'CheckpointTriggered', checkpointId: 4, periodic: false, tasks: 2, savepoint: true, format: 'CANONICAL', stops: 'SUSPEND' })).toContain('triggers savepoint 4, which stops the job')
  expect(said({ type: 'SourceStopped', checkpointId: 4, drain: false, ...TASK })).toContain('stops reading for savepoint 4.')
  expect(said({ type: 'SynchronousSavepointAwaited', checkpointId: 4, ...TASK })).toContain('waits, with nothing more to process')
  expect(said({ type: 'JobStoppedWithSavepoint', mode: 'SUSPEND', externalPath: '/s/x' })).toContain('/s/x')
  expect(said({ type: 'SavepointDisposed', externalPath: '/s/x' })).toContain('/s/x is deleted')
  expect(said({ type: 'RequestFailed', request: 'stop-with-savepoint', message: 'Checkpoint expired before completing.' })).toBe('The stop with savepoint that was asked for fails: Checkpoint expired before completing.')
})
