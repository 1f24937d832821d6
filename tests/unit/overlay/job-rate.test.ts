import { describe, expect, it } from 'vitest'
import type { TaskReport } from '../../../workers/model/report.ts'
import { JobRate } from '../../../workers/overlay/job-rate.ts'

const report = (subtask: number, records: number): TaskReport => ({ vertex: 'v', subtask, attempt: `v_${subtask}_0`, recordsIn: records, recordsOut: 0 }) as unknown as TaskReport

/** Two subtasks, each of which passes `perSecond` records, report every 100 ms from `from` on. */
function run(rate: JobRate, perSecond: number, millis: number, from: number, start = 0): void {
  for (let t = 0; t <= millis; t += 100) for (const subtask of [0, 1]) rate.see([report(subtask, start + (perSecond * t) / 1000)], from + t)
}

describe('a job', () => {
  it('runs flat out when its tasks together pass on more than half a million records a second', () => {
    const rate = new JobRate()
    run(rate, 1_000_000, 1000, 50_000)
    expect(rate.isFlatOut(51_000)).toBe(true)
  })

  it('that can be followed does not', () => {
    const rate = new JobRate()
    run(rate, 20_000, 2000, 50_000)
    expect(rate.isFlatOut(52_000)).toBe(false)
  })

  it('that slows down, or falls silent, does not any more', () => {
    const rate = new JobRate()
    run(rate, 1_000_000, 1000, 50_000)
    run(rate, 100, 1200, 51_100, 1_000_000)
    expect(rate.isFlatOut(52_300)).toBe(false)
    const silent = new JobRate()
    run(silent, 1_000_000, 1000, 50_000)
    expect(silent.isFlatOut(54_000)).toBe(false)
  })

  it('is judged by what is new: not by where a task stands that is heard of for the first time, nor by one that begins again', () => {
    const rate = new JobRate()
    rate.see([report(0, 900_000_000)], 50_000)
    rate.see([report(0, 900_000_010)], 50_600)
    expect(rate.isFlatOut(50_600)).toBe(false)
    rate.see([report(0, 5)], 51_200)
    expect(rate.isFlatOut(51_200)).toBe(false)
  })
})
