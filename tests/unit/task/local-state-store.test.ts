import { describe, expect, it } from 'vitest'
import { jobId } from '../../../workers/model/ids.ts'
import { LocalStateStore } from '../../../workers/task/local-state-store.ts'

const JOB = jobId('1'.repeat(32))
const write = (path: string, localCopy?: number) => ({ path, bytes: new Uint8Array([1]), createNew: true, ...(localCopy === undefined ? {} : { localCopy }) })

describe('the copies that a TaskManager keeps (task-local recovery)', () => {
  it('are those that are asked for', () => {
    const store = new LocalStateStore()
    store.keep(JOB, [write('/keyed', 1), write('/operator')])
    expect([store.read('/keyed'), store.read('/operator')]).toEqual([new Uint8Array([1]), null])
  })

  it('stay until a newer checkpoint has completed', () => {
    const store = new LocalStateStore()
    store.keep(JOB, [write('/1', 1), write('/2', 2), write('/3', 3)])
    store.onCommand({ type: 'notify-checkpoint-complete', checkpointId: 2 })
    expect(['/1', '/2', '/3'].map((path) => store.read(path) !== null)).toEqual([false, true, true])
  })

  it('of an aborted checkpoint go at once', () => {
    const store = new LocalStateStore()
    store.keep(JOB, [write('/1', 1), write('/2', 2)])
    store.onCommand({ type: 'notify-checkpoint-aborted', checkpointId: 2, latestCompleted: 1 })
    expect(['/1', '/2'].map((path) => store.read(path) !== null)).toEqual([true, false])
  })

  it('older than the completed checkpoint that an abort notice tells of go too', () => {
    const store = new LocalStateStore()
    store.keep(JOB, [write('/1', 1), write('/2', 2), write('/3', 3)])
    store.onCommand({ type: 'notify-checkpoint-aborted', checkpointId: 3, latestCompleted: 2 })
    expect(['/1', '/2', '/3'].map((path) => store.read(path) !== null)).toEqual([false, true, false])
  })

  it('go when the TaskManager works for another job', () => {
    const store = new LocalStateStore()
    store.keep(JOB, [write('/1', 1)])
    store.serve(JOB)
    expect(store.read('/1')).not.toBeNull()
    store.serve(jobId('2'.repeat(32)))
    expect(store.read('/1')).toBeNull()
  })
})
