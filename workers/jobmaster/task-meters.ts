/** The latest figures of every subtask. Flink: MetricStore, filled by the MetricFetcher. */
import type { VertexId } from '../model/ids.ts'
import type { TaskReport } from '../model/report.ts'

export interface TimeShares {
  readonly backPressured: number
  readonly idle: number
  readonly busy: number
}

export class TaskMeters {
  private readonly reports = new Map<string, TaskReport>()

  update(report: TaskReport): void {
    this.reports.set(keyOf(report.vertex, report.subtask), report)
  }

  latest(vertex: VertexId, subtask: number): TaskReport | null {
    return this.reports.get(keyOf(vertex, subtask)) ?? null
  }

  /** Parts of the last minute, from 0 to 1; null: nothing is known of the subtask. */
  shares(vertex: VertexId, subtask: number): TimeShares | null {
    const latest = this.latest(vertex, subtask)
    if (latest === null) return null
    const { backPressured, busy, idle } = timesPerSecond(latest)
    return { backPressured: backPressured / 1000, idle: idle / 1000, busy: busy / 1000 }
  }
}

/** Milliseconds per second. Busy is what the others leave, all of it before they have moved for the first time (behaviour 8.4). */
export function timesPerSecond({ metrics: { gauges } }: TaskReport): { readonly idle: number; readonly backPressured: number; readonly busy: number } {
  const { idle } = gauges
  const backPressured = gauges.softBackPressured + gauges.hardBackPressured
  return { idle, backPressured, busy: 1000 - Math.min(1000, idle + backPressured) }
}

const keyOf = (vertex: VertexId, subtask: number): string => `${vertex}_${subtask}`
