/** Measures each gate now and then, and tells its senders how large a buffer should be. Flink: StreamTask.debloat (behaviour 8.3). */
import type { BufferDebloatSettings } from '../model/job-graph.ts'
import type { DebloatFigures } from '../model/task-metrics.ts'
import type { EngineTime } from '../model/time.ts'
import { MICROS_PER_SECOND } from '../model/time.ts'
import { BufferDebloater } from '../network/buffer-debloater.ts'
import type { InputGates } from '../network/input-gates.ts'
import type { TaskEffects } from './task-effects.ts'

export const DEBLOAT_TIMER = 'debloat'

export class BufferDebloating {
  private readonly settings: BufferDebloatSettings
  private readonly gates: InputGates
  private readonly effects: TaskEffects
  private readonly debloaters: readonly BufferDebloater[]
  /** At the last measurement: bytes taken by gate, the time, and how much of it the task had been idle. */
  private readonly bytes: number[]
  private readonly throughput: number[]
  private at: EngineTime = 0
  private idle: EngineTime = 0

  constructor(settings: BufferDebloatSettings, segmentBytes: number, gates: InputGates, effects: TaskEffects) {
    this.settings = settings
    this.gates = gates
    this.effects = effects
    this.debloaters = Array.from({ length: gates.gateCount }, () => new BufferDebloater(settings, segmentBytes))
    this.bytes = this.debloaters.map(() => 0)
    this.throughput = this.debloaters.map(() => 0)
  }

  start(): void {
    this.at = this.effects.now
    this.effects.setTimer(DEBLOAT_TIMER, this.at + this.settings.periodMicros)
  }

  /** The timer has come. `idle`: how long the task has been idle since it is RUNNING; that time says nothing about how fast it is. */
  onTimer(idle: EngineTime): void {
    const { now } = this.effects
    const active = now - this.at - (idle - this.idle)
    this.at = now
    this.idle = idle
    this.debloaters.forEach((debloater, gate) => this.measure(debloater, gate, active))
    this.effects.setTimer(DEBLOAT_TIMER, now + this.settings.periodMicros)
  }

  /** By gate. */
  report(): readonly DebloatFigures[] {
    return this.debloaters.map(({ bufferBytes, timeToConsumeMillis }) => ({ bufferBytes, timeToConsumeMillis }))
  }

  private measure(debloater: BufferDebloater, gate: number, active: EngineTime): void {
    const channels = this.gates.channels.filter((channel) => channel.gate === gate && !channel.isFinished)
    const bytes = channels.reduce((sum, channel) => sum + channel.takenBytes, 0)
    if (active > 0) this.throughput[gate] = Math.floor(((bytes - (this.bytes[gate] ?? 0)) * MICROS_PER_SECOND) / active)
    this.bytes[gate] = bytes
    const inUse = channels.reduce((sum, channel) => sum + channel.held + channel.backlog, 0)
    const size = debloater.recalculate(this.throughput[gate] ?? 0, inUse)
    if (size === null) return
    for (const channel of channels) {
      channel.bufferBytes = size
      this.effects.feedback(channel.number, { kind: 'buffer-size', bytes: size })
    }
  }
}
