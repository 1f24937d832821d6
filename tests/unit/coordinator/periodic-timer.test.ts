/** The periodic timer by itself (behaviour 2.1). */
import { describe, expect, it } from 'vitest'
import { Prng } from '../../../workers/base/prng.ts'
import { PERIODIC_TIMER, PeriodicTimer } from '../../../workers/coordinator/periodic-timer.ts'
import { operatorId } from '../../../workers/model/ids.ts'
import type { EventBody } from '../../../workers/model/events.ts'
import type { CoordinatorPort } from '../../../workers/coordinator/coordinator-port.ts'
import type { CheckpointingSettings } from '../../../workers/model/job-graph.ts'

const SECOND = 1_000_000
const YEAR = 365 * 24 * 3600 * SECOND
const [A, B] = ['a', 'b'].map((digit) => operatorId(digit.repeat(32))) as [ReturnType<typeof operatorId>, ReturnType<typeof operatorId>]

class Clock {
  now = 0
  due: number | null = null
  readonly events: EventBody[] = []
  setTimer(timer: string, at: number): void {
    expect(timer).toBe(PERIODIC_TIMER)
    this.due = at
  }

  clearTimer(): void {
    this.due = null
  }

  event(body: EventBody): void {
    this.events.push(body)
  }
}

function timer(settings: Partial<CheckpointingSettings>): { readonly clock: Clock; readonly timer: PeriodicTimer } {
  const clock = new Clock()
  const all = { intervalMicros: 10 * SECOND, intervalDuringBacklogMicros: null, minPauseMicros: 0, ...settings } as CheckpointingSettings
  return { clock, timer: new PeriodicTimer(all, clock as unknown as CoordinatorPort) }
}

describe('the period', () => {
  it.each([
    ['the interval', 10 * SECOND, 3 * SECOND, 10 * SECOND],
    ['min-pause where that is longer', 10 * SECOND, 30 * SECOND, 30 * SECOND],
    ['a year, the longest min-pause there is', 10 * SECOND, 3 * YEAR, YEAR],
  ])('is %s', (_, intervalMicros, minPauseMicros, period) => {
    expect(timer({ intervalMicros, minPauseMicros }).timer.periodMicros).toBe(period)
  })

  it('min-pause is capped at a year also where it is waited for', () => {
    expect(timer({ minPauseMicros: 3 * YEAR }).timer.minPauseMicros).toBe(YEAR)
  })

  it('there is none without an interval, and nothing starts', () => {
    const { clock, timer: none } = timer({ intervalMicros: null, minPauseMicros: 5 * SECOND })
    none.start(new Prng(1))
    expect([none.periodMicros, none.isOn, clock.due, clock.events]).toEqual([null, false, null, []])
  })
})

describe('a backlog', () => {
  const started = (backlogMicros: number | null): ReturnType<typeof timer> => {
    const both = timer({ intervalDuringBacklogMicros: backlogMicros })
    both.timer.start(new Prng(7))
    return both
  }
  const dueIn = ({ due, now }: Clock): number | null => (due === null ? null : due - now)
  const tick = ({ clock, timer: ticking }: ReturnType<typeof timer>): number | null => {
    clock.now = clock.due ?? clock.now
    clock.due = null
    expect(ticking.ticked()).toBe(true)
    return dueIn(clock)
  }

  it('that would make the next trigger later does not move it: the tick that is laid comes, the longer interval begins behind it', () => {
    const both = started(60 * SECOND)
    const due = both.clock.due
    both.timer.setProcessingBacklog(A, true)
    expect(both.clock.due).toBe(due)
    expect(tick(both)).toBe(60 * SECOND)
  })

  it('that ends brings the next trigger forward, unless that comes earlier anyway', () => {
    const both = started(60 * SECOND)
    both.timer.setProcessingBacklog(A, true)
    tick(both)
    const due = both.clock.due ?? 0
    both.clock.now = due - 3 * SECOND
    both.timer.setProcessingBacklog(A, false)
    expect(both.clock.due).toBe(due)
    both.timer.setProcessingBacklog(A, true)
    tick(both)
    both.clock.now += 5 * SECOND
    both.timer.setProcessingBacklog(A, false)
    expect(both.clock.due).toBe(both.clock.now + 10 * SECOND)
  })

  it('lasts as long as one source has one', () => {
    const both = started(60 * SECOND)
    both.timer.setProcessingBacklog(A, true)
    both.timer.setProcessingBacklog(B, true)
    both.timer.setProcessingBacklog(A, false)
    expect(tick(both)).toBe(60 * SECOND)
    both.timer.setProcessingBacklog(B, false)
    expect(tick(both)).toBe(10 * SECOND)
  })

  it('has the plain interval where none is set for it, and none where it is 0', () => {
    const plain = started(null)
    plain.timer.setProcessingBacklog(A, true)
    expect(tick(plain)).toBe(10 * SECOND)
    const none = started(0)
    none.timer.setProcessingBacklog(A, true)
    expect(tick(none)).toBeNull()
    expect(none.timer.ticked()).toBe(false)
  })

  it('changes nothing while the scheduler is stopped, and is remembered for its next start', () => {
    const both = started(60 * SECOND)
    both.timer.stop()
    both.timer.setProcessingBacklog(A, true)
    both.timer.setProcessingBacklog(B, true)
    both.timer.setProcessingBacklog(B, false)
    expect(both.clock.due).toBeNull()
    both.timer.start(new Prng(7))
    expect(tick(both)).toBe(60 * SECOND)
  })
})
