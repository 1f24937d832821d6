/**
 * What only the record trace tells: which records a state has taken in, and how many of them it takes in again in a later attempt (its
 * state was put back in between, so each still counts once). Bounded: the newest records are remembered. It changes in place, because it
 * sees every traced record.
 */
import type { TraceEvent } from '../model/trace.ts'

export const REMEMBERED_MAX = 50_000

export class LineageView {
  /** By operator and origin: the attempt that worked it in last. */
  private readonly worked = new Map<string, string>()
  private twice = new Set<string>()

  get processedTwice(): number {
    return this.twice.size
  }

  /** A new recovery begins its own account. */
  beginRecovery(): void {
    this.twice = new Set()
  }

  see(trace: TraceEvent): void {
    if (trace.type !== 'state' || trace.record === null) return
    const { partition, offset, branch } = trace.record
    const key = `${trace.operator}/${partition}/${offset}/${branch}`
    const before = this.worked.get(key)
    if (before !== undefined && before !== trace.attempt) this.twice.add(key)
    this.worked.delete(key)
    this.worked.set(key, trace.attempt)
    if (this.worked.size > REMEMBERED_MAX) this.worked.delete(this.worked.keys().next().value as string)
  }
}
