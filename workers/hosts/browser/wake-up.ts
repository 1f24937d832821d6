/** One pending wake-up at an engine time, kept on the paced clock: short waits by posting to oneself, longer ones by `setTimeout`. */
import type { EngineTime } from '../../model/time.ts'
import type { PacedClock } from './paced-clock.ts'
import { SelfPost } from './self-post.ts'

/** A nested `setTimeout` comes four milliseconds late at the least. */
const SHORT_WAIT_MS = 4
/** A timer's delay is a 32-bit number of milliseconds. */
const LONGEST_WAIT_MS = 0x7fffffff

export class WakeUp {
  private readonly clock: PacedClock
  private readonly selfPost: SelfPost
  private timer: ReturnType<typeof setTimeout> | null = null

  constructor(clock: PacedClock, onTurn: () => void) {
    this.clock = clock
    this.selfPost = new SelfPost(onTurn)
  }

  soon(): void {
    this.cancelTimer()
    this.selfPost.request()
  }

  /** Replaces the wake-up before; Infinity: none. */
  at(engine: EngineTime): void {
    this.cancelTimer()
    if (engine === Infinity) return
    const wait = this.clock.wallMillisUntil(engine)
    if (wait === Infinity) return
    if (wait < SHORT_WAIT_MS) {
      this.selfPost.request()
      return
    }
    this.timer = setTimeout(() => {
      this.timer = null
      this.selfPost.request()
    }, Math.min(wait - SHORT_WAIT_MS / 2, LONGEST_WAIT_MS))
  }

  private cancelTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
  }
}
