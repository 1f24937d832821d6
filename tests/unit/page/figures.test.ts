import { describe, expect, it } from 'vitest'
import { bytes, clock, count, duration, percent } from '../../../src/widgets/figures.ts'

describe('figures have a unit and thin thousands', () => {
  it.each([
    [count(0), '0'],
    [count(999), '999'],
    [count(20231), '20 231'],
    [count(-1234567), '−1 234 567'],
    [bytes(274), '274 B'],
    [bytes(999), '999 B'],
    [bytes(1464), '1.43 KB'],
    [bytes(5 * 1024 * 1024), '5.00 MB'],
    [duration(304_000), '304 ms'],
    [duration(400), '0.4 ms'],
    [duration(1_420_000), '1.420 s'],
    [duration(12_340_000), '12.3 s'],
    [duration(125_000_000), '2 min 5 s'],
    [duration(3_720_000_000), '1 h 2 min'],
    [clock(60_842_000), '1:00.842'],
    [percent(0.638), '64 %'],
  ])('%s', (actual, expected) => {
    expect(actual).toBe(expected)
  })
})
