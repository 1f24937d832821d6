/** Files of aborted checkpoints that were still being written (behaviour 3.3). */
import { describe, expect, it } from 'vitest'
import { CheckpointCleaner } from '../../../workers/coordinator/checkpoint-cleaner.ts'
import type { CoordinatorPort } from '../../../workers/coordinator/coordinator-port.ts'
import type { StorageOp } from '../../../workers/model/storage.ts'

function cleaner() {
  const deleted: string[] = []
  const storage = (op: StorageOp): void => {
    if (op.type === 'delete-below') deleted.push(op.directory)
  }
  // The cleaner asks its port for storage alone.
  return { made: new CheckpointCleaner({ storage } as Partial<CoordinatorPort> as CoordinatorPort, '/job'), deleted }
}

describe('what may still be written when a checkpoint is aborted', () => {
  it('is deleted at the abort, and once more at the next completion', () => {
    const { made, deleted } = cleaner()
    made.clean(1, '/job/chk-1', true)
    made.clean(2, '/job/chk-2', false)
    expect(deleted).toEqual(['/job/chk-1', '/job/chk-2'])
    made.sweepLingering()
    made.sweepLingering()
    expect(deleted).toEqual(['/job/chk-1', '/job/chk-2', '/job/chk-1'])
  })

  it('is looked at once more for the 1,000 that were aborted last, where no checkpoint ever completes', () => {
    const { made, deleted } = cleaner()
    for (let id = 1; id <= 1005; id++) made.clean(id, `/job/chk-${id}`, true)
    deleted.length = 0
    made.sweepLingering()
    expect(deleted).toEqual(Array.from({ length: 1000 }, (_, i) => `/job/chk-${i + 6}`))
  })
})
