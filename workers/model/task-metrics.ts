/** What a task measures beyond its counters; the JobManager answers with it under Flink's names (behaviour 19.3). */
import type { EngineTime } from './time.ts'

export interface TaskMetrics {
  /** At this moment: some output has no buffer to write into. */
  readonly isBackPressured: boolean
  readonly buffersOut: number
  readonly mailboxQueueSize: number
  readonly input: InputBufferFigures
  /** By gate; null: debloating is off, or there is no gate. */
  readonly debloat: readonly DebloatFigures[] | null
  /** Of the alignment in hand, else of the last one; null: a source, which aligns nothing. */
  readonly alignmentMicros: EngineTime | null
  readonly startDelayMicros: EngineTime
  readonly gauges: TaskGaugeValues
}

export interface InputBufferFigures {
  readonly queuedBuffers: number
  readonly queuedBytes: number
  /** Parts in use, 0 to 1. */
  readonly exclusiveUsage: number
  readonly floatingUsage: number
}

export interface DebloatFigures {
  /** What was announced last. */
  readonly bufferBytes: number
  readonly timeToConsumeMillis: number
}

/** Over the last 60 s, moved on every 5 s; 0 before the first move. */
export interface TaskGaugeValues {
  /** Whole milliseconds per second. */
  readonly idle: number
  readonly softBackPressured: number
  readonly hardBackPressured: number
  /** The longest time without a break in the last 5 s step, in milliseconds. */
  readonly maxSoftBackPressured: number
  readonly maxHardBackPressured: number
  /** Per second. */
  readonly recordsIn: number
  readonly recordsOut: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly buffersOut: number
  readonly mails: number
}
