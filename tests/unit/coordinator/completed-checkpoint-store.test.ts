import { describe, expect, it } from 'vitest'
import { CompletedCheckpointStore, retainsCheckpoints } from '../../../workers/coordinator/completed-checkpoint-store.ts'
import type { JobStatus } from '../../../workers/model/execution.ts'

const checkpoint = (checkpointId: number) => ({ checkpointId, location: `/c/chk-${checkpointId}`, operatorStates: [] })

describe('the completed checkpoint store (behaviour 5.1, 5.2)', () => {
  it.each([
    [1, [1, 2, 3], [3]],
    [2, [1, 2, 3], [2, 3]],
    [5, [1, 2, 3], [1, 2, 3]],
    [1, [2, 1], [2]],
  ])('num-retained %i after %j keeps %j', (numRetained, added, kept) => {
    const store = new CompletedCheckpointStore(numRetained)
    const subsumed = added.flatMap((id) => store.add(checkpoint(id)))
    expect(store.all.map((one) => one.checkpointId)).toEqual(kept)
    expect(subsumed).toHaveLength(added.length - kept.length)
    expect(store.latest?.checkpointId).toBe(Math.max(...added))
  })

  it('a preview changes nothing', () => {
    const store = new CompletedCheckpointStore(1, [checkpoint(1)])
    expect(store.preview(checkpoint(2)).retained.map((one) => one.checkpointId)).toEqual([2])
    expect(store.latest?.checkpointId).toBe(1)
  })

  it.each<['NO_EXTERNALIZED_CHECKPOINTS' | 'DELETE_ON_CANCELLATION' | 'RETAIN_ON_CANCELLATION', Partial<Record<JobStatus, boolean>>]>([
    ['NO_EXTERNALIZED_CHECKPOINTS', { FINISHED: false, CANCELED: false, FAILED: false, SUSPENDED: false }],
    ['DELETE_ON_CANCELLATION', { FINISHED: false, CANCELED: false, FAILED: true, SUSPENDED: false }],
    ['RETAIN_ON_CANCELLATION', { FINISHED: false, CANCELED: true, FAILED: true, SUSPENDED: true }],
  ])('%s', (retention, kept) => {
    for (const [status, isKept] of Object.entries(kept)) expect([status, retainsCheckpoints(retention, status as JobStatus)]).toEqual([status, isKept])
  })
})
