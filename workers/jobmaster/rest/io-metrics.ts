/** Records, bytes and times of subtasks as REST shows them. Flink: MutableIOMetrics, IOMetricsInfo. */
import type { TaskReport } from '../../model/report.ts'
import { toMillis } from '../../model/time.ts'

export interface IoMetrics {
  readonly 'read-bytes': number
  readonly 'read-bytes-complete': boolean
  readonly 'write-bytes': number
  readonly 'write-bytes-complete': boolean
  readonly 'read-records': number
  readonly 'read-records-complete': boolean
  readonly 'write-records': number
  readonly 'write-records-complete': boolean
  readonly 'accumulated-backpressured-time': number
  readonly 'accumulated-idle-time': number
  /** NaN is written as text. */
  readonly 'accumulated-busy-time': number | 'NaN'
}

/** The sum over these subtasks; `complete` is false where one of them has not reported. */
export function ioMetrics(reports: readonly (TaskReport | null)[]): IoMetrics {
  const known = reports.flatMap((report) => report ?? [])
  const complete = known.length === reports.length
  const sum = (pick: (report: TaskReport) => number): number => known.reduce((total, report) => total + pick(report), 0)
  return {
    'read-bytes': sum((report) => report.bytesIn),
    'read-bytes-complete': complete,
    'write-bytes': sum((report) => report.bytesOut),
    'write-bytes-complete': complete,
    'read-records': sum((report) => report.recordsIn),
    'read-records-complete': complete,
    'write-records': sum((report) => report.recordsOut),
    'write-records-complete': complete,
    'accumulated-backpressured-time': toMillis(sum((report) => report.backpressuredMicros)),
    'accumulated-idle-time': toMillis(sum((report) => report.idleMicros)),
    'accumulated-busy-time': known.length === 0 ? 'NaN' : toMillis(sum((report) => report.busyMicros)),
  }
}
