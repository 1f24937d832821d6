import { describe, expect, it } from 'vitest'
import { EXCEEDED_TOLERABLE_MESSAGE, FailureManager, STOP_WITH_SAVEPOINT_FAILED_MESSAGE, UNLIMITED_TOLERABLE_FAILURES } from '../../../workers/coordinator/failure-manager.ts'
import { CHECKPOINT_FAILURE_REASONS } from '../../../workers/model/checkpoint.ts'
import type { CheckpointFailure } from '../../../workers/coordinator/failure-manager.ts'
import type { CheckpointFailureReason } from '../../../workers/model/checkpoint.ts'

const COUNTED: readonly CheckpointFailureReason[] = [
  'IO_EXCEPTION', 'CHECKPOINT_ASYNC_EXCEPTION', 'CHECKPOINT_EXPIRED', 'CHECKPOINT_DECLINED', 'FINALIZE_CHECKPOINT_FAILURE',
]

const failure = (id: number | null, reason: CheckpointFailureReason, over: Partial<CheckpointFailure> = {}): CheckpointFailure => ({
  id, reason, savepoint: false, synchronous: false, atTask: false, ...over,
})
/** True: the job must fail. */
const fails = (manager: FailureManager, id: number | null, reason: CheckpointFailureReason, over: Partial<CheckpointFailure> = {}): boolean =>
  manager.failed(failure(id, reason, over)) !== null

describe('tolerable failures (behaviour 4)', () => {
  it.each(Object.keys(CHECKPOINT_FAILURE_REASONS) as CheckpointFailureReason[])('%s counts exactly if the table says so', (reason) => {
    expect(fails(new FailureManager(0), 1, reason)).toBe(COUNTED.includes(reason))
  })

  it('0 tolerates none, n tolerates n in a row', () => {
    const manager = new FailureManager(2)
    expect([1, 2, 3].map((id) => fails(manager, id, 'CHECKPOINT_EXPIRED'))).toEqual([false, false, true])
  })

  it('one id counts once, however many tasks fail it', () => {
    const manager = new FailureManager(1)
    expect([7, 7, 7].map((id) => fails(manager, id, 'CHECKPOINT_ASYNC_EXCEPTION'))).toEqual([false, false, false])
    expect(manager.failures).toBe(1)
  })

  it('a completed checkpoint resets the counter, and failures at or below it are ignored', () => {
    const manager = new FailureManager(1)
    fails(manager, 1, 'CHECKPOINT_EXPIRED')
    manager.succeeded(3)
    expect(manager.failures).toBe(0)
    for (const id of [2, 3]) expect(fails(manager, id, 'CHECKPOINT_EXPIRED')).toBe(false)
    expect(manager.failures).toBe(0)
    fails(manager, 4, 'CHECKPOINT_EXPIRED')
    expect(manager.failures).toBe(1)
  })

  it('tripping resets the counter', () => {
    const manager = new FailureManager(1)
    expect([1, 2, 3, 4].map((id) => fails(manager, id, 'CHECKPOINT_EXPIRED'))).toEqual([false, true, false, true])
  })

  it('the largest int is unlimited', () => {
    const manager = new FailureManager(UNLIMITED_TOLERABLE_FAILURES)
    expect(Array.from({ length: 50 }, (_, id) => fails(manager, id + 1, 'CHECKPOINT_EXPIRED'))).not.toContain(true)
  })

  it('a failure without an id counts too', () => {
    const manager = new FailureManager(1)
    expect([fails(manager, null, 'IO_EXCEPTION'), fails(manager, null, 'IO_EXCEPTION')]).toEqual([false, true])
  })

  it('the message says which limit was passed', () => {
    expect(new FailureManager(0).failed(failure(1, 'CHECKPOINT_EXPIRED'))).toBe(EXCEEDED_TOLERABLE_MESSAGE)
  })

  it('a savepoint that fails at the JobManager counts for nothing', () => {
    const manager = new FailureManager(0)
    expect([1, 2, 3].map((id) => fails(manager, id, 'CHECKPOINT_EXPIRED', { savepoint: true }))).toEqual([false, false, false])
    expect(fails(manager, 4, 'CHECKPOINT_EXPIRED', { savepoint: true, synchronous: true })).toBe(false)
  })

  it('a savepoint that fails at a task counts like a checkpoint', () => {
    const manager = new FailureManager(0)
    expect(fails(manager, 1, 'CHECKPOINT_ASYNC_EXCEPTION', { savepoint: true, atTask: true })).toBe(true)
    expect(fails(manager, 2, 'CHECKPOINT_DECLINED_TASK_NOT_READY', { savepoint: true, atTask: true })).toBe(false)
  })

  it('a stop-with-savepoint that fails at a task fails the job, whatever the reason and the tolerable number', () => {
    const manager = new FailureManager(UNLIMITED_TOLERABLE_FAILURES)
    const over = { savepoint: true, synchronous: true, atTask: true }
    expect(manager.failed(failure(1, 'CHECKPOINT_DECLINED_TASK_NOT_READY', over))).toBe(STOP_WITH_SAVEPOINT_FAILED_MESSAGE)
  })
})
