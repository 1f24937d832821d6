/** The named timers of one machine: setting one again replaces it. Few at a time, so that looking through them all is cheap. */
import type { EngineTime } from '../../model/time.ts'

export class Timers {
  private readonly due = new Map<string, EngineTime>()

  set(timer: string, at: EngineTime): void {
    this.due.set(timer, at)
  }

  clear(timer: string): void {
    this.due.delete(timer)
  }

  get nextDue(): EngineTime {
    let earliest = Infinity
    for (const at of this.due.values()) if (at < earliest) earliest = at
    return earliest
  }

  /** Takes out the earliest; one timer fires per mail. */
  pop(): { readonly timer: string; readonly at: EngineTime } | undefined {
    let first: { timer: string; at: EngineTime } | undefined
    for (const [timer, at] of this.due) if (first === undefined || at < first.at) first = { timer, at }
    if (first !== undefined) this.due.delete(first.timer)
    return first
  }
}
