/** Requests of one machine that wait for an answer: each has a deadline in wall time, after which it is answered here (DESIGN 8, 11). */

const REQUEST_DEADLINE_MS = 30_000

export class PendingRequests {
  private readonly deadlines = new Map<number, number>()

  add(requestId: number): void {
    this.deadlines.set(requestId, performance.now() + REQUEST_DEADLINE_MS)
  }

  /** False: nobody waits for it any more. */
  take(requestId: number): boolean {
    return this.deadlines.delete(requestId)
  }

  /** Takes out what has waited too long. */
  expired(): readonly number[] {
    const now = performance.now()
    const late: number[] = []
    for (const [id, deadline] of this.deadlines) {
      if (deadline > now) break
      late.push(id)
    }
    for (const id of late) this.deadlines.delete(id)
    return late
  }
}
