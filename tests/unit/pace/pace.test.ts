import { describe, expect, it } from 'vitest'
import { engineAt, paceAt, SEGMENTS_MAX, startSchedule, wallAt, withPaceFrom, withPaces } from '../../../workers/model/pace.ts'

const W = 1_790_000_000_000

describe('PaceSchedule', () => {
  it('maps one wall millisecond to a thousand microseconds at pace 1', () => {
    const schedule = startSchedule(W, 0, 1)
    expect(engineAt(schedule, W + 250)).toBe(250_000)
    expect(wallAt(schedule, 250_000)).toBeCloseTo(W + 250, 2)
  })

  it('stands still before its beginning', () => {
    expect(engineAt(startSchedule(W, 77, 1), W - 500)).toBe(77)
  })

  it('stands still while paused, and a time beyond a pause never comes', () => {
    const paused = withPaceFrom(startSchedule(W, 0, 1), W + 10, 0, 0)
    expect(engineAt(paused, W + 9999)).toBe(10_000)
    expect(wallAt(paused, 10_001)).toBe(Infinity)
  })

  it('goes on after a pause from the moment it was resumed', () => {
    const paused = withPaceFrom(startSchedule(W, 0, 1), W + 10, 0, 0)
    const resumed = withPaceFrom(paused, W + 1010, 0, 2)
    expect(engineAt(resumed, W + 1010)).toBe(10_000)
    expect(engineAt(resumed, W + 1020)).toBe(30_000)
    expect(wallAt(resumed, 30_000)).toBeCloseTo(W + 1020, 2)
  })

  it('changes pace at a stated engine time that is still to come', () => {
    const schedule = withPaceFrom(startSchedule(W, 0, 10), W + 1, 1_000_000, 0.1)
    expect(engineAt(schedule, W + 100)).toBe(1_000_000)
    expect(engineAt(schedule, W + 200)).toBe(1_010_000)
    expect(paceAt(schedule, W + 50)).toBe(10)
    expect(paceAt(schedule, W + 150)).toBe(0.1)
  })

  it('treats a stated time that has passed as now: what the clock has shown never changes', () => {
    const schedule = withPaceFrom(startSchedule(W, 0, 1), W + 100, 50_000, 0.5)
    expect(engineAt(schedule, W + 100)).toBe(100_000)
    expect(engineAt(schedule, W + 102)).toBe(101_000)
  })

  it('replaces what was laid out for later', () => {
    const planned = withPaceFrom(startSchedule(W, 0, 1), W, 1_000_000, 0)
    const replaced = withPaceFrom(planned, W, 500_000, 2)
    expect(wallAt(replaced, 1_000_000)).toBeCloseTo(W + 750, 2)
  })

  it('numbers every change, also several at once', () => {
    const schedule = withPaces(startSchedule(W, 0, 1), W, [{ engine: 0, pace: 5 }, { engine: 10_000, pace: 0.5 }])
    expect(schedule.epoch).toBe(2)
    expect(engineAt(schedule, W + 2)).toBe(10_000)
    expect(engineAt(schedule, W + 4)).toBe(11_000)
  })

  it('is monotone and wallAt is its inverse, at every pace', () => {
    for (const pace of [0.001, 0.02, 0.3, 1, 7, 100, 1000]) {
      let schedule = startSchedule(W, 0, 1)
      schedule = withPaceFrom(schedule, W + 3.3, 5_000, pace)
      schedule = withPaceFrom(schedule, W + 20, 0, 1)
      let before = -1
      for (let ms = 0; ms < 60; ms += 0.37) {
        const engine = engineAt(schedule, W + ms)
        expect(engine).toBeGreaterThanOrEqual(before)
        before = engine
        expect(engineAt(schedule, wallAt(schedule, engine))).toBeGreaterThanOrEqual(engine)
      }
    }
  })

  it('keeps a bounded number of segments', () => {
    let schedule = startSchedule(W, 0, 1)
    for (let i = 1; i < 500; i++) schedule = withPaceFrom(schedule, W + i, 0, 1 + (i % 2))
    expect(schedule.segments.length).toBeLessThanOrEqual(SEGMENTS_MAX)
    expect(engineAt(schedule, W + 499)).toBeGreaterThan(499_000)
  })

  it('refuses a pace that is no pace', () => {
    expect(() => startSchedule(W, 0, -1)).toThrow(RangeError)
    expect(() => startSchedule(W, 0, Number.NaN)).toThrow(RangeError)
  })
})
