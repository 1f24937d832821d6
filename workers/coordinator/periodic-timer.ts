/**
 * The periodic checkpoint timer: a random first delay, then a fixed grid; a longer grid while a source works off a backlog. Flink:
 * CheckpointCoordinator.startCheckpointScheduler, setIsProcessingBacklog, ScheduledTrigger (behaviour 2.1).
 */
import type { Prng } from '../base/prng.ts'
import type { OperatorId } from '../model/ids.ts'
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
  /** Null: none during a backlog. */
  private readonly backlogPeriodMicros: EngineTime | null
  private readonly port: CoordinatorPort
  private isStarted = false
  /** Sources that work off a backlog. */
  private readonly backlogs = new Set<OperatorId>()
  /** Null: nothing is scheduled, though it may be started. */
  private nextAt: EngineTime | null = null

  constructor(settings: CheckpointingSettings, port: CoordinatorPort) {
    const { intervalMicros, intervalDuringBacklogMicros, minPauseMicros } = settings
    this.port = port
    this.minPauseMicros = Math.min(minPauseMicros, YEAR_MICROS)
    this.periodMicros = intervalMicros === null ? null : Math.max(intervalMicros, this.minPauseMicros)
    if (intervalDuringBacklogMicros === null) this.backlogPeriodMicros = this.periodMicros
    else this.backlogPeriodMicros = intervalDuringBacklogMicros === 0 ? null : intervalDuringBacklogMicros
  }

  /** Periodic checkpoints are asked for. */
  get isOn(): boolean {
    return this.isStarted
  }

  /** Uniform in [min-pause, period]. */
  start(random: Prng): void {
    if (this.periodMicros === null) return
    this.isStarted = true
    this.arm(this.port.now + random.int(this.minPauseMicros, this.periodMicros))
  }

  stop(): void {
    this.isStarted = false
    if (this.nextAt === null) return
    this.nextAt = null
    this.port.clearTimer(PERIODIC_TIMER)
  }

  /**
   * The tick has come: lays the next one on the grid. A late tick does not shift it, missed ones are left out. False: the timer is off. The tick
   * at which a backlog without checkpoints is first seen still counts.
   */
  ticked(): boolean {
    if (!this.isStarted || this.nextAt === null) return false
    const period = this.currentPeriod
    if (period === null) {
      this.nextAt = null
      return true
    }
    const behind = Math.max(0, Math.floor((this.port.now - this.nextAt) / period))
    this.arm(this.nextAt + (behind + 1) * period)
    return true
  }

  /** Moves the grid: the next tick comes exactly then. */
  rearm(at: EngineTime): void {
    if (this.isStarted) this.arm(at)
  }

  /** Another period from now on, as long as any source has a backlog; the next tick is brought forward where the period asks for an earlier one. */
  setProcessingBacklog(source: OperatorId, isProcessingBacklog: boolean): void {
    if (isProcessingBacklog) this.backlogs.add(source)
    else this.backlogs.delete(source)
    const period = this.currentPeriod
    if (!this.isStarted || period === null) return
    const due = this.port.now + period
    if (this.nextAt === null || due < this.nextAt) this.arm(due)
  }

  private get currentPeriod(): EngineTime | null {
    return this.backlogs.size > 0 ? this.backlogPeriodMicros : this.periodMicros
  }

  private arm(at: EngineTime): void {
    this.nextAt = at
    this.port.setTimer(PERIODIC_TIMER, at)
    this.port.event({ type: 'CheckpointScheduled', nextAt: at })
  }
}
