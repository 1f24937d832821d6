/**
 * How often to draw. With the processor to spare every frame is drawn; when a job runs flat out (job-rate.ts), or when frames come late because
 * something else needs the processor, every second one is, no more than about thirty a second: drawing takes from the job what the eye does
 * not miss.
 */

/** A frame is late after so many milliseconds; at 60 a second one comes each 17. */
const LATE_MS = 22
/** Of late ones a frame counts so much. */
const WEIGHT = 0.05
/** Shares of late frames at which drawing slows down, and at which it is as often as ever again. */
const SLOW_FROM = 0.25
const FAST_FROM = 0.08
/** Less than two frames of 60 a second, so that every second one is drawn, and more than one of 30. */
const SLOW_MS = 28
/** However seldom frames come, so often one is drawn. */
const SLOWEST_MS = 66
/** More than one mean interval between frames, less than two. */
const INTERVALS = 1.7

export class FramePace {
  private late = 0
  /** Mean milliseconds between frames. */
  private interval = 1000 / 60
  private isSlow = false
  private lastFrame = 0
  private lastDrawn = -Infinity

  /** A frame has come, in wall milliseconds: whether it may be drawn. `isFlatOut`: the job takes all the processor it can get. */
  mayDraw(wall: number, isFlatOut = false): boolean {
    const since = this.lastFrame > 0 ? wall - this.lastFrame : this.interval
    const isLate = since > LATE_MS
    this.lastFrame = wall
    this.interval += (Math.min(since, SLOWEST_MS) - this.interval) * WEIGHT
    this.late += ((isLate ? 1 : 0) - this.late) * WEIGHT
    if (this.late > SLOW_FROM) this.isSlow = true
    else if (this.late < FAST_FROM) this.isSlow = false
    if ((this.isSlow || isFlatOut) && wall - this.lastDrawn < Math.max(SLOW_MS, Math.min(SLOWEST_MS, INTERVALS * this.interval))) return false
    this.lastDrawn = wall
    return true
  }
}
