/** Whether the job runs flat out: it passes on so many records that it takes all of the processor that it can get, and that no eye follows one of them. */
import type { TaskReport } from '../model/report.ts'

/** Records that tasks take and send, per second of wall time. */
const FLAT_OUT_PER_SECOND = 500_000
/** A rate is measured over so long at least. */
const WINDOW_MS = 500
/** Without a report for so long, the job does nothing, or there is none. */
const SILENT_MS = 1500

export class JobRate {
  /** By subtask, so that another attempt takes the place of the one before. */
  private readonly passed = new Map<string, number>()
  private since = 0
  private records = 0
  private perSecond = 0
  private lastReport = -Infinity

  /** Reports that have come, at a wall time in milliseconds. A task's first one tells where it stands, not how fast it goes. */
  see(reports: readonly TaskReport[], wall: number): void {
    if (reports.length === 0) return
    if (wall - this.lastReport > SILENT_MS) this.begin(wall)
    this.lastReport = wall
    for (const { vertex, subtask, recordsIn, recordsOut } of reports) {
      const place = `${vertex}_${subtask}`
      const now = recordsIn + recordsOut
      this.records += Math.max(0, now - (this.passed.get(place) ?? now))
      this.passed.set(place, now)
    }
    const elapsed = wall - this.since
    if (elapsed < WINDOW_MS) return
    this.perSecond = (this.records * 1000) / elapsed
    this.since = wall
    this.records = 0
  }

  isFlatOut(wall: number): boolean {
    return this.perSecond >= FLAT_OUT_PER_SECOND && wall - this.lastReport <= SILENT_MS
  }

  /** Another job, or the same one after a break. */
  private begin(wall: number): void {
    this.passed.clear()
    this.since = wall
    this.records = 0
    this.perSecond = 0
  }
}
