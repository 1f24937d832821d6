import { describe, expect, it } from 'vitest'
import { periodicRequest, savepointRequest } from '../../../workers/coordinator/checkpoint-request.ts'
import type { CheckpointRequest } from '../../../workers/coordinator/checkpoint-request.ts'
import { MAX_QUEUED_REQUESTS, RequestDecider } from '../../../workers/coordinator/request-decider.ts'
import type { DeciderEnvironment } from '../../../workers/coordinator/request-decider.ts'

const request = (over: Partial<CheckpointRequest> = {}): CheckpointRequest => ({
  ...periodicRequest(0), ...over,
})
const free: DeciderEnvironment = {
  now: 100, isTriggering: false, pending: 0, cleaning: 0, maxConcurrent: 1, minPauseMicros: 0, lastCompletion: -Infinity,
}
const byHand = (over: Partial<CheckpointRequest> = {}): CheckpointRequest => request({ periodic: false, ...over })
const forced = (): CheckpointRequest => byHand({ savepoint: true, forced: true })

describe('the request decider (behaviour 2.2)', () => {
  it.each<[string, CheckpointRequest, Partial<DeciderEnvironment>, 'execute' | 'wait' | 'too-early']>([
    ['nothing in the way', request(), {}, 'execute'],
    ['another trigger is being prepared', request(), { isTriggering: true }, 'wait'],
    ['another trigger is being prepared, even when forced', forced(), { isTriggering: true }, 'wait'],
    ['as many cleaning as the limit', request(), { cleaning: 1 }, 'execute'],
    ['more cleaning than the limit', request(), { cleaning: 2 }, 'wait'],
    ['max-concurrent reached', request(), { pending: 1 }, 'wait'],
    ['max-concurrent reached, by hand', byHand(), { pending: 1 }, 'wait'],
    ['max-concurrent reached, savepoint not forced', byHand({ savepoint: true }), { pending: 1 }, 'wait'],
    ['max-concurrent reached, forced', forced(), { pending: 1 }, 'execute'],
    ['below max-concurrent', request(), { pending: 1, maxConcurrent: 2 }, 'execute'],
    ['min-pause not over, periodic', request(), { lastCompletion: 60, minPauseMicros: 50 }, 'too-early'],
    ['min-pause just over', request(), { lastCompletion: 50, minPauseMicros: 50 }, 'execute'],
    ['min-pause not over, periodic but forced', request({ forced: true }), { lastCompletion: 60, minPauseMicros: 50 }, 'execute'],
    ['min-pause not over, by hand', byHand(), { lastCompletion: 60, minPauseMicros: 50 }, 'execute'],
    ['min-pause with two concurrent while one is pending', request(), { pending: 1, maxConcurrent: 2, lastCompletion: 10, minPauseMicros: 50 }, 'execute'],
  ])('%s', (_, head, over, decision) => {
    const decider = new RequestDecider()
    decider.enqueue(head)
    expect(decider.choose({ ...free, ...over }).type).toBe(decision)
  })

  it('re-arms for the moment at which the pause is over, and drops the request', () => {
    const decider = new RequestDecider()
    decider.enqueue(request())
    expect(decider.choose({ ...free, lastCompletion: 60, minPauseMicros: 50 })).toMatchObject({ type: 'too-early', retryAt: 110 })
    expect(decider.queued).toBe(0)
  })

  it('orders savepoints first, then forced, then by hand, then by age', () => {
    const decider = new RequestDecider()
    const named = (triggerId: string, over: Partial<CheckpointRequest>): CheckpointRequest => request({ triggerId, ...over })
    for (const item of [
      named('periodic, old', { requestedAt: 1 }),
      named('periodic, new', { requestedAt: 5 }),
      named('by hand, new', { periodic: false, requestedAt: 6 }),
      named('by hand, old', { periodic: false, requestedAt: 4 }),
      named('forced', { periodic: false, forced: true, requestedAt: 7 }),
      named('savepoint', { periodic: false, savepoint: true, requestedAt: 8 }),
      named('forced savepoint', { periodic: false, savepoint: true, forced: true, requestedAt: 9 }),
    ]) decider.enqueue(item)
    expect(decider.drain().map((item) => item.triggerId)).toEqual([
      'forced savepoint', 'savepoint', 'forced', 'by hand, old', 'by hand, new', 'periodic, old', 'periodic, new',
    ])
  })

  it('a full queue of 1000 rejects a newcomer, and one that ranks higher evicts the lowest', () => {
    const decider = new RequestDecider()
    expect(MAX_QUEUED_REQUESTS).toBe(1000)
    for (let i = 0; i < MAX_QUEUED_REQUESTS; i++) expect(decider.enqueue(request({ requestedAt: i }))).toBeNull()
    const late = request({ requestedAt: 5000 })
    expect(decider.enqueue(late)).toBe(late)
    expect(decider.enqueue(byHand({ requestedAt: 6000 }))).toMatchObject({ periodic: true, requestedAt: MAX_QUEUED_REQUESTS - 1 })
    expect(decider.queued).toBe(MAX_QUEUED_REQUESTS)
  })

  it('a savepoint is forced exactly where unaligned checkpoints are off', () => {
    expect(savepointRequest(0, '/s', null, false).forced).toBe(true)
    expect(savepointRequest(0, '/s', null, true).forced).toBe(false)
  })

  it('a forced savepoint passes a running checkpoint and the queue; one that is not forced passes the queue alone', () => {
    for (const unaligned of [false, true]) {
      const decider = new RequestDecider()
      decider.enqueue(request())
      decider.enqueue(savepointRequest(5, '/s', 'mine', unaligned))
      expect(decider.choose({ ...free, pending: 1 }).type).toBe(unaligned ? 'wait' : 'execute')
      if (unaligned) expect(decider.choose(free)).toMatchObject({ type: 'execute', request: { triggerId: 'mine' } })
    }
  })

  it('a savepoint ignores min-pause', () => {
    const decider = new RequestDecider()
    decider.enqueue(savepointRequest(0, '/s', null, true))
    expect(decider.choose({ ...free, lastCompletion: 60, minPauseMicros: 1000 }).type).toBe('execute')
  })
})
