/**
 * What only the record trace tells: the records that a state has taken in, and how many of them it takes in for the second time after a
 * recovery (its state was put back, so each still counts once). Bounded: the newest records of each partition are remembered. It
 * changes in place, because it sees every traced record.
 */
import type { TraceEvent } from '../model/trace.ts'

export const REMEMBERED_MAX = 20_000

export class LineageView {
  private readonly worked = new Map<string, Set<number>>()
  private twice = new Set<string>()
  private seen = false

  /** Records that were worked in before the failure and again since; null while nothing was traced. */
  get processedTwice(): number | null {
    return this.seen ? this.twice.size : null
  }

  /** A new recovery begins its own account. */
  beginRecovery(): void {
    this.twice = new Set()
  }

  see(trace: TraceEvent): void {
    if (trace.type !== 'state' || trace.record === null) return
    this.seen = true
    const { partition, offset, replayed } = trace.record
    const key = `${trace.operator}/${partition}`
    const offsets = this.worked.get(key) ?? new Set<number>()
    this.worked.set(key, offsets)
    if (offsets.has(offset)) {
      if (replayed) this.twice.add(`${key}/${offset}`)
      return
    }
    offsets.add(offset)
    if (offsets.size > REMEMBERED_MAX) offsets.delete(offsets.values().next().value as number)
  }
}
