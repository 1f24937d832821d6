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

  it('a restored snapshot that is not claimed counts, is the fallback, and goes before the latest checkpoint of the job', () => {
    const store = new CompletedCheckpointStore(2)
    store.add({ ...checkpoint(5), isSavepoint: true, isUnclaimed: true })
    expect(store.latest?.checkpointId).toBe(5)
    expect(store.add(checkpoint(6))).toEqual([])
    expect(store.add(checkpoint(7)).map((one) => one.checkpointId)).toEqual([5])
    expect(store.lowestId).toBe(6)
  })

  it('the latest checkpoint of the job is never dropped, also where an unclaimed one is newer and num-retained is 1', () => {
    const store = new CompletedCheckpointStore(1, [checkpoint(1)])
    expect(store.add({ ...checkpoint(2), isUnclaimed: true })).toEqual([])
    expect(store.all.map((one) => one.checkpointId)).toEqual([1, 2])
    expect(store.add(checkpoint(3)).map((one) => one.checkpointId)).toEqual([1, 2])
  })

  it('a claimed savepoint counts as a checkpoint of the job', () => {
    const store = new CompletedCheckpointStore(1)
    store.add({ ...checkpoint(5), isSavepoint: true })
    expect(store.add(checkpoint(6)).map((one) => one.checkpointId)).toEqual([5])
  })

  it('at the end what is not kept leaves it', () => {
    const store = new CompletedCheckpointStore(3, [1, 2, 3].map(checkpoint))
    expect(store.shutdown(({ checkpointId }) => checkpointId === 2).map((one) => one.checkpointId)).toEqual([1, 3])
    expect(store.all.map((one) => one.checkpointId)).toEqual([2])
    expect(new CompletedCheckpointStore(1).lowestId).toBe(Infinity)
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
