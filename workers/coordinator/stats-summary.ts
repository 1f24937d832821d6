/** Minimum, average, maximum and percentiles of a figure. Flink: StatsSummary, DescriptiveStatisticsHistogram (behaviour 19.1). */

import { must } from '../base/assert.ts'

/** Percentiles are those of the last so many values. */
const PERCENTILE_WINDOW = 10_000

export class StatsSummary {
  private readonly window: number[] = []
  private next = 0
  private sum = 0
  private least = 0
  private most = 0
  private seen = 0

  add(value: number): void {
    this.least = this.seen === 0 ? value : Math.min(this.least, value)
    this.most = this.seen === 0 ? value : Math.max(this.most, value)
    this.sum += value
    this.seen++
    if (this.window.length < PERCENTILE_WINDOW) this.window.push(value)
    else this.window[this.next] = value
    this.next = (this.next + 1) % PERCENTILE_WINDOW
  }

  get count(): number {
    return this.seen
  }

  get min(): number {
    return this.least
  }

  get max(): number {
    return this.most
  }

  /** Whole, as Flink divides longs. */
  get average(): number {
    return this.seen === 0 ? 0 : Math.trunc(this.sum / this.seen)
  }

  /** NaN without values. */
  percentiles(ps: readonly number[]): readonly number[] {
    const sorted = [...this.window].sort((a, b) => a - b)
    return ps.map((p) => percentile(sorted, p))
  }
}

/** Linear between neighbours at position p (n + 1), the estimate that Flink's statistics library makes by default. */
function percentile(sorted: readonly number[], p: number): number {
  const n = sorted.length
  if (n === 0) return Number.NaN
  const position = p * (n + 1)
  const at = (index: number): number => must(sorted[index], 'sorted value')
  if (position < 1) return at(0)
  if (position >= n) return at(n - 1)
  const below = Math.floor(position)
  return at(below - 1) + (position - below) * (at(below) - at(below - 1))
}
