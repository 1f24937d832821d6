/** One pending wake-up at an engine time, kept on the paced clock: short waits by posting to oneself, longer ones by `setTimeout`. */
import type { EngineTime } from '../../model/time.ts'
import { wallNow, type PacedClock } from './paced-clock.ts'
import { SelfPost } from './self-post.ts'

/** A nested `setTimeout` comes four milliseconds late at the least. */
const SHORT_WAIT_MS = 4
/** A timer's delay is a 32-bit number of milliseconds. */
const LONGEST_WAIT_MS = 0x7fffffff

export class WakeUp {
  private readonly clock: PacedClock
  private readonly selfPost: SelfPost
  private timer: ReturnType<typeof setTimeout> | null = null
  /** Wall milliseconds at which the timer comes. */
  private timerAt = Infinity

  constructor(clock: PacedClock, onTurn: () => void) {
    this.clock = clock
    this.selfPost = new SelfPost(onTurn)
  }

  /** A turn is on its way already. */
  get isSoon(): boolean {
    return this.selfPost.isRequested
  }

  soon(): void {
    this.selfPost.request()
  }

  /**
   * The wake-up that is wanted from now on; Infinity: none. A timer that comes earlier than wanted is left to come, which is cheaper than another
   * one for every turn: whoever is woken early asks again.
   */
  at(engine: EngineTime): void {
    if (engine === Infinity) return
    const wait = this.clock.wallMillisUntil(engine)
    if (wait === Infinity) return
    if (wait < SHORT_WAIT_MS) {
      this.selfPost.request()
      return
    }
    const delay = Math.min(wait - SHORT_WAIT_MS / 2, LONGEST_WAIT_MS)
    const at = wallNow() + delay
    if (this.timer !== null) {
      if (this.timerAt <= at) return
      clearTimeout(this.timer)
    }
    this.timerAt = at
    this.timer = setTimeout(() => {
      this.timer = null
      this.selfPost.request()
    }, delay)
  }
}
