/**
 * The latest figures of every subtask, and how its time was spent lately. Flink: MetricFetcher, and the gauges of TaskIOMetricGroup: averaged
 * over 60 s, moved on every 5 s (behaviour 8.4).
 */
import type { VertexId } from '../model/ids.ts'
import type { TaskReport } from '../model/report.ts'
import { MICROS_PER_SECOND } from '../model/time.ts'

const STEP_MICROS = 5 * MICROS_PER_SECOND
const SPAN_MICROS = 60 * MICROS_PER_SECOND

export interface TimeShares {
  readonly backPressured: number
  readonly idle: number
  readonly busy: number
}

export class TaskMeters {
  /** By subtask: the oldest first, at least a step apart but for the last. */
  private readonly samples = new Map<string, TaskReport[]>()

  update(report: TaskReport): void {
    const key = keyOf(report.vertex, report.subtask)
    const known = this.samples.get(key) ?? []
    const isSameAttempt = known[0]?.attempt === report.attempt
    const list = isSameAttempt ? known : []
    if (!isSameAttempt) this.samples.set(key, list)
    const before = list.at(-2)
    if (before !== undefined && report.at - before.at < STEP_MICROS) list.pop()
    list.push(report)
    while (list.length > 2 && report.at - (list[1]?.at ?? report.at) >= SPAN_MICROS) list.shift()
  }

  latest(vertex: VertexId, subtask: number): TaskReport | null {
    return this.samples.get(keyOf(vertex, subtask))?.at(-1) ?? null
  }

  /** Parts of the time, from 0 to 1; null: nothing is known of the subtask. */
  shares(vertex: VertexId, subtask: number): TimeShares | null {
    const list = this.samples.get(keyOf(vertex, subtask))
    const latest = list?.at(-1)
    if (list === undefined || latest === undefined) return null
    const first = list.length > 1 ? list[0] : undefined
    const idle = latest.idleMicros - (first?.idleMicros ?? 0)
    const backPressured = latest.backpressuredMicros - (first?.backpressuredMicros ?? 0)
    const busy = latest.busyMicros - (first?.busyMicros ?? 0)
    const span = idle + backPressured + busy
    if (span <= 0) return { backPressured: 0, idle: 0, busy: 0 }
    const shares = { backPressured: inThousandths(backPressured / span), idle: inThousandths(idle / span) }
    return { ...shares, busy: inThousandths(1 - Math.min(1, shares.idle + shares.backPressured)) }
  }
}

/** The gauges are whole milliseconds per second. */
const inThousandths = (share: number): number => Math.round(share * 1000) / 1000

const keyOf = (vertex: VertexId, subtask: number): string => `${vertex}_${subtask}`
