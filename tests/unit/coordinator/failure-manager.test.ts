import { describe, expect, it } from 'vitest'
import { FailureManager, UNLIMITED_TOLERABLE_FAILURES } from '../../../workers/coordinator/failure-manager.ts'
import { CHECKPOINT_FAILURE_REASONS } from '../../../workers/model/checkpoint.ts'
import type { CheckpointFailureReason } from '../../../workers/model/checkpoint.ts'

const COUNTED: readonly CheckpointFailureReason[] = [
  'IO_EXCEPTION', 'CHECKPOINT_ASYNC_EXCEPTION', 'CHECKPOINT_EXPIRED', 'CHECKPOINT_DECLINED', 'FINALIZE_CHECKPOINT_FAILURE',
]

describe('tolerable failures (behaviour 4)', () => {
  it.each(Object.keys(CHECKPOINT_FAILURE_REASONS) as CheckpointFailureReason[])('%s counts exactly if the table says so', (reason) => {
    expect(new FailureManager(0).failed(1, reason)).toBe(COUNTED.includes(reason))
  })

  it('0 tolerates none, n tolerates n in a row', () => {
    const manager = new FailureManager(2)
    expect([1, 2, 3].map((id) => manager.failed(id, 'CHECKPOINT_EXPIRED'))).toEqual([false, false, true])
  })

  it('one id counts once, however many tasks fail it', () => {
    const manager = new FailureManager(1)
    expect([7, 7, 7].map((id) => manager.failed(id, 'CHECKPOINT_ASYNC_EXCEPTION'))).toEqual([false, false, false])
    expect(manager.failures).toBe(1)
  })

  it('a completed checkpoint resets the counter, and failures at or below it are ignored', () => {
    const manager = new FailureManager(1)
    manager.failed(1, 'CHECKPOINT_EXPIRED')
    manager.succeeded(3)
    expect(manager.failures).toBe(0)
    expect(manager.failed(2, 'CHECKPOINT_EXPIRED')).toBe(false)
    expect(manager.failures).toBe(0)
  })

  it('tripping resets the counter', () => {
    const manager = new FailureManager(1)
    expect([1, 2, 3, 4].map((id) => manager.failed(id, 'CHECKPOINT_EXPIRED'))).toEqual([false, true, false, true])
  })

  it('the largest int is unlimited', () => {
    const manager = new FailureManager(UNLIMITED_TOLERABLE_FAILURES)
    expect(Array.from({ length: 50 }, (_, id) => manager.failed(id + 1, 'CHECKPOINT_EXPIRED'))).not.toContain(true)
  })
})
