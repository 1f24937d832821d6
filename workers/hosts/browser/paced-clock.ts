/**
 * A host's copy of the page's pace schedule, read against the wall clock. What it has shown never goes back: when a slower pace
 * arrives after its time the clock stands until the schedule has caught up.
 */
import { engineAt, paceAt, wallAt, type PaceSchedule, type WallTime } from '../../model/pace.ts'
import type { EngineTime } from '../../model/time.ts'

export const wallNow = (): WallTime => performance.timeOrigin + performance.now()

export class PacedClock {
  private schedule: PaceSchedule
  private shown: EngineTime

  constructor(schedule: PaceSchedule) {
    this.schedule = schedule
    this.shown = engineAt(schedule, wallNow())
  }

  now(): EngineTime {
    const time = engineAt(this.schedule, wallNow())
    if (time > this.shown) this.shown = time
    return this.shown
  }

  /** False: an older schedule came late and was ignored. */
  apply(schedule: PaceSchedule): boolean {
    if (schedule.epoch < this.schedule.epoch) return false
    this.now()
    this.schedule = schedule
    return true
  }

  get pace(): number {
    return paceAt(this.schedule, wallNow())
  }

  get isPaused(): boolean {
    return this.pace === 0
  }

  /** Wall milliseconds until the clock shows `engine`; Infinity while a pause keeps it from coming. */
  wallMillisUntil(engine: EngineTime): number {
    if (engine <= this.now()) return 0
    return Math.max(0, wallAt(this.schedule, engine) - wallNow())
  }
}
