import { expect, test } from 'vitest'
import { summary } from '../../../bench/runner/statistics.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => count - i)

test('the median is the middle value, or lies between the two in the middle', () => {
  expect(summary([9, 1, 5]).median).toBe(5)
  expect(summary([10, 9, 1, 2]).median).toBe(5.5)
})

test('so many values are cut off at each end that 90 % of the intervals hold the true median', () => {
  const intervals = [1, 3, 5, 7, 8, 10, 11, 13, 16, 20].map((count) => {
    const { low, high } = summary(upTo(count))
    return `${count}: ${low}–${high}`
  })
  // The ranks that tables of the sign test give for a confidence of at least 0.9; below five values nothing can be cut off.
  expect(intervals).toEqual(['1: 1–1', '3: 1–3', '5: 1–5', '7: 1–7', '8: 2–7', '10: 2–9', '11: 3–9', '13: 4–10', '16: 5–12', '20: 6–15'])
})

test('nothing measured is an error, and what was measured stays in its order', () => {
  expect(() => summary([])).toThrow('nothing was measured')
  const values = [3, 1, 2]
  summary(values)
  expect(values).toEqual([3, 1, 2])
})
