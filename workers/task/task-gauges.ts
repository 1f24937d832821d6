/**
 * Gauges of a task: how its time was spent and how fast its counters have moved, over the last 60 s. They move on every 5 s and stand in between,
 * so they are slow to react (behaviour 8.4). Flink: TimerGauge, which averages over the steps there are, and MeterView, which divides by 60 s from the
 * beginning and so shows too little in the first minute.
 */
import type { TaskGaugeValues } from '../model/task-metrics.ts'
import { MICROS_PER_SECOND, toMillis } from '../model/time.ts'
import type { EngineTime } from '../model/time.ts'
import type { TaskParts } from './build-task.ts'
import type { TimeAccounting } from './time-accounting.ts'

const STEP_SECONDS = 5
const SPAN_SECONDS = 60
const STEPS = SPAN_SECONDS / STEP_SECONDS

export interface TaskCounters {
  readonly recordsIn: number
  readonly recordsOut: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly buffersOut: number
  readonly mails: number
}

interface Step extends TaskCounters {
  readonly idle: EngineTime
  readonly soft: EngineTime
  readonly hard: EngineTime
}

const BEGINNING: Step = { recordsIn: 0, recordsOut: 0, bytesIn: 0, bytesOut: 0, buffersOut: 0, mails: 0, idle: 0, soft: 0, hard: 0 }

const NO_VALUES: TaskGaugeValues = {
  idle: 0, softBackPressured: 0, hardBackPressured: 0, maxSoftBackPressured: 0, maxHardBackPressured: 0,
  recordsIn: 0, recordsOut: 0, bytesIn: 0, bytesOut: 0, buffersOut: 0, mails: 0,
}

export class TaskGauges {
  /** When `step` is due. */
  nextAt: EngineTime = Infinity
  values: TaskGaugeValues = NO_VALUES
  /** The last 60 s, oldest first; what is before the first step is the beginning. */
  private readonly steps: Step[] = [BEGINNING]

  /** The task is RUNNING from now on. */
  start(now: EngineTime): void {
    this.nextAt = now + STEP_SECONDS * MICROS_PER_SECOND
  }

  /** Moves on. All time up to `nextAt` must have been booked. */
  step(times: TimeAccounting, counters: TaskCounters): void {
    const { steps } = this
    const now: Step = { ...counters, idle: times.idleMicros, soft: times.softBackpressuredMicros, hard: times.hardBackpressuredMicros }
    steps.push(now)
    if (steps.length > STEPS + 1) steps.shift()
    const before = steps[0] ?? BEGINNING
    const seconds = STEP_SECONDS * (steps.length - 1)
    const perSecond = (from: number, to: number): number => (to - from) / SPAN_SECONDS
    this.values = {
      idle: shareOf(now.idle - before.idle, seconds),
      softBackPressured: shareOf(now.soft - before.soft, seconds),
      hardBackPressured: shareOf(now.hard - before.hard, seconds),
      maxSoftBackPressured: toMillis(times.longestSoftMicros),
      maxHardBackPressured: toMillis(times.longestHardMicros),
      recordsIn: perSecond(before.recordsIn, now.recordsIn),
      recordsOut: perSecond(before.recordsOut, now.recordsOut),
      bytesIn: perSecond(before.bytesIn, now.bytesIn),
      bytesOut: perSecond(before.bytesOut, now.bytesOut),
      buffersOut: perSecond(before.buffersOut, now.buffersOut),
      mails: perSecond(before.mails, now.mails),
    }
    times.forgetLongest()
    this.nextAt += STEP_SECONDS * MICROS_PER_SECOND
  }
}

export function countersOf({ input, mailbox, writer }: TaskParts): TaskCounters {
  return {
    recordsIn: input.recordsIn,
    recordsOut: writer.records,
    bytesIn: input.bytesIn,
    bytesOut: writer.bytes,
    buffersOut: writer.buffersSent,
    mails: mailbox.taken,
  }
}

/** Whole milliseconds per second. */
const shareOf = (micros: EngineTime, seconds: number): number => Math.min(1000, Math.floor(toMillis(micros) / seconds))
