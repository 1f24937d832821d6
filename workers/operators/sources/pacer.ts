/**
 * Spreads records over engine time at a rate. After a pause (backpressure, a restart) it makes up for at most `CATCH_UP_MICROS`: no burst. The
 * guava rate limiter of Flink's DataGeneratorSource stores up to a second instead.
 */
import { MICROS_PER_SECOND, type EngineTime } from '../../model/time.ts'

/** Hosts wake a source in steps; being late by less than this must not lower the rate. */
const CATCH_UP_MICROS = 50_000

export class Pacer {
  /** 0: as fast as possible. */
  private readonly intervalMicros: number
  private dueAt: number | null = null

  constructor(recordsPerSecond: number | null) {
    this.intervalMicros = recordsPerSecond === null || recordsPerSecond === 0 ? 0 : MICROS_PER_SECOND / recordsPerSecond
  }

  get isPaced(): boolean {
    return this.intervalMicros > 0
  }

  isDue(now: EngineTime): boolean {
    return this.intervalMicros === 0 || this.dueAt === null || now >= this.dueAt
  }

  /** When the next record is due, rounded up to the clock. */
  get nextAt(): EngineTime {
    return Math.ceil(this.dueAt ?? 0)
  }

  /** A record has been emitted. What was due longer ago than the allowance is forgotten. */
  emitted(now: EngineTime): void {
    if (this.intervalMicros > 0) this.dueAt = Math.max(this.dueAt ?? now, now - CATCH_UP_MICROS) + this.intervalMicros
  }
}

/** The `rate` parameter of a source. */
export const rateOf = (params: Readonly<Record<string, unknown>>): number | null => {
  const rate = params['rate']
  return typeof rate === 'number' ? rate : null
}
