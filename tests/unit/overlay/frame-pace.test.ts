import { describe, expect, it } from 'vitest'
import { FramePace } from '../../../workers/overlay/frame-pace.ts'

/** How many of so many frames, one each `interval` milliseconds, are drawn. */
function drawn(pace: FramePace, frames: number, interval: number, from: number): number {
  let count = 0
  for (let i = 1; i <= frames; i++) if (pace.mayDraw(from + i * interval)) count++
  return count
}

describe('frames', () => {
  it('are all drawn while they come in time', () => {
    expect(drawn(new FramePace(), 600, 1000 / 60, 1000)).toBe(600)
  })

  it('that come late slow the drawing to about thirty a second, also when most are in time again', () => {
    const pace = new FramePace()
    for (let i = 0, wall = 1000; i < 200; i++, wall += 50) pace.mayDraw(wall)
    // Every seventh is late: neither few enough for all nor many enough by themselves.
    let count = 0
    let wall = 20_000
    let from = wall
    for (let i = 0; i < 280; i++) {
      wall += i % 7 === 0 ? 40 : 1000 / 60
      if (i === 140) from = wall
      if (pace.mayDraw(wall) && i > 140) count++
    }
    expect(count / ((wall - from) / 1000)).toBeGreaterThan(20)
    expect(count / ((wall - from) / 1000)).toBeLessThan(36)
  })

  it('are drawn every second time where they come seldom, and fifteen times a second at the least', () => {
    const pace = new FramePace()
    for (let i = 0, wall = 1000; i < 200; i++, wall += 30) pace.mayDraw(wall)
    expect(drawn(pace, 100, 30, 20_000)).toBe(50)
    const slower = new FramePace()
    for (let i = 0, wall = 1000; i < 200; i++, wall += 70) slower.mayDraw(wall)
    expect(drawn(slower, 100, 70, 20_000)).toBe(100)
  })

  it('are all drawn again once they come in time', () => {
    const pace = new FramePace()
    for (let i = 0, wall = 1000; i < 200; i++, wall += 50) pace.mayDraw(wall)
    drawn(pace, 120, 1000 / 60, 20_000)
    expect(drawn(pace, 600, 1000 / 60, 30_000)).toBe(600)
  })

  it('are drawn every second time while a job runs flat out, although none is late', () => {
    const pace = new FramePace()
    let count = 0
    for (let i = 1; i <= 600; i++) if (pace.mayDraw(1000 + (i * 1000) / 60, true)) count++
    expect(count).toBe(300)
  })
})
