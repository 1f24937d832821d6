/**
 * The periodic checkpoint timer: a random first delay, then a fixed grid. Flink: CheckpointCoordinator.startCheckpointScheduler
 * (behaviour 2.1).
 */
import type { Prng } from '../base/prng.ts'
import type { CheckpointingSettings } from '../model/job-graph.ts'
import type { EngineTime } from '../model/time.ts'
import { MICROS_PER_SECOND } from '../model/time.ts'
import type { CoordinatorPort } from './coordinator-port.ts'

export const PERIODIC_TIMER = 'checkpoint-periodic'
const YEAR_MICROS = 365 * 24 * 3600 * MICROS_PER_SECOND

export class PeriodicTimer {
  readonly minPauseMicros: EngineTime
  /** Null: periodic checkpoints are off. */
  readonly periodMicros: EngineTime | null
  private readonly port: CoordinatorPort
  private nextAt: EngineTime | null = null

  constructor(settings: CheckpointingSettings, port: CoordinatorPort) {
    this.port = port
    this.minPauseMicros = Math.min(settings.minPauseMicros, YEAR_MICROS)
    this.periodMicros = settings.intervalMicros === null ? null : Math.max(settings.intervalMicros, this.minPauseMicros)
  }

  get isRunning(): boolean {
    return this.nextAt !== null
  }

  /** Uniform in [min-pause, period]. */
  start(random: Prng): void {
    if (this.periodMicros === null) return
    this.arm(this.port.now + random.int(this.minPauseMicros, this.periodMicros))
  }

  stop(): void {
    if (this.nextAt === null) return
    this.nextAt = null
    this.port.clearTimer(PERIODIC_TIMER)
  }

  /** The tick has come: lays the next one on the grid. A late tick does not shift it, missed ones are left out. */
  ticked(): void {
    if (this.nextAt === null || this.periodMicros === null) return
    const behind = Math.max(0, Math.floor((this.port.now - this.nextAt) / this.periodMicros))
    this.arm(this.nextAt + (behind + 1) * this.periodMicros)
  }

  /** Moves the grid: the next tick comes exactly then. */
  rearm(at: EngineTime): void {
    if (this.nextAt !== null) this.arm(at)
  }

  private arm(at: EngineTime): void {
    this.nextAt = at
    this.port.setTimer(PERIODIC_TIMER, at)
    this.port.event({ type: 'CheckpointScheduled', nextAt: at })
  }
}
