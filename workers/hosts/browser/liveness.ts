/**
 * Real hangs: pings in wall time between host shells. A wait in which this side itself did not run (a frozen tab, a sleeping machine) counts
 * for nothing. Flink's own `heartbeat.*` is engine time and another matter (DESIGN 8, 12).
 */
const PING_EVERY_MS = 2000
const SILENT_ROUNDS_MAX = 6

export class Liveness {
  private readonly ping: (round: number) => void
  private readonly onSilent: () => void
  private readonly timer: ReturnType<typeof setInterval>
  private round = 0
  private answered = 0
  private lastTick = performance.now()

  constructor(ping: (round: number) => void, onSilent: () => void) {
    this.ping = ping
    this.onSilent = onSilent
    this.timer = setInterval(() => this.tick(), PING_EVERY_MS)
  }

  alive(round: number): void {
    if (round > this.answered) this.answered = round
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private tick(): void {
    const now = performance.now()
    const late = now - this.lastTick > 2 * PING_EVERY_MS
    this.lastTick = now
    if (late) this.answered = this.round
    if (this.round - this.answered >= SILENT_ROUNDS_MAX) {
      this.stop()
      this.onSilent()
      return
    }
    this.round++
    this.ping(this.round)
  }
}
