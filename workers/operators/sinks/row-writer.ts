/**
 * Rows on their way to the outside world: batches, and a bounded window of unanswered requests. A batch leaves when it is full, when the linger
 * time is over, and when somebody needs everything to be written. Flink: AsyncSinkWriter's buffer, KafkaProducer's batches.
 */
import type { Value } from '../../model/schema.ts'
import { MICROS_PER_MS, type EngineTime } from '../../model/time.ts'

export const BATCH_ROWS = 256
export const UNANSWERED_MAX = 4
const LINGER_MICROS = 20 * MICROS_PER_MS

export class RowWriter {
  private rows: Value[] = []
  private unanswered = new Set<number>()
  /** The linger time of the present batch is over: it leaves as soon as the window has room. */
  private due = false

  /** No further row may be added. */
  get isFull(): boolean {
    return this.rows.length >= BATCH_ROWS && this.unanswered.size >= UNANSWERED_MAX
  }

  /** Everything has left and has been answered. */
  get isSettled(): boolean {
    return this.rows.length === 0 && this.unanswered.size === 0
  }

  /** Returns whether this was the first row of a batch: its linger time begins. */
  add(row: Value): boolean {
    this.rows.push(row)
    return this.rows.length === 1
  }

  lingerIsOver(): void {
    this.due = this.rows.length > 0
  }

  /** The batch should leave without waiting for more rows. */
  get isDue(): boolean {
    return this.due || this.rows.length >= BATCH_ROWS
  }

  get mayWrite(): boolean {
    return this.rows.length > 0 && this.unanswered.size < UNANSWERED_MAX
  }

  /** The rows of the next request, which the caller sends at once. */
  take(): readonly Value[] {
    const rows = this.rows
    this.rows = []
    this.due = false
    return rows
  }

  sent(request: number): void {
    this.unanswered.add(request)
  }

  /** False: not a request of this writer. */
  answered(request: number): boolean {
    return this.unanswered.delete(request)
  }

  /** Rows of a transaction that is given up. */
  drop(): void {
    this.rows = []
    this.due = false
  }
}

export const lingerUntil = (now: EngineTime): EngineTime => now + LINGER_MICROS
