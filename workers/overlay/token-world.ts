/**
 * Where every token is: channels as queues of records and barriers, moved by trace and protocol events in the order of their engine time.
 * Knows nothing of pixels but the lanes' names. An event is applied when the shown time has come to it, so that a position on the screen
 * is a fact of the engine at that time.
 */
import type { EngineEvent, EventOf } from '../model/events.ts'
import type { TaskReport } from '../model/report.ts'
import type { EngineTime } from '../model/time.ts'
import type { TraceEvent } from '../model/trace.ts'
import type { OverlayScene } from '../model/overlay-scene.ts'
import { barrier, emptyChannel, findBarrier, hasBarrier, push, removeBarrier, takeRecords, trim } from './channel-tokens.ts'
import type { ChannelTokens, RecordToken, Travelling } from './channel-tokens.ts'
import { dropPersisted, leapAhead, putAhead, startPersisting } from './overtaking.ts'

export interface Chamber {
  readonly token: RecordToken
  readonly since: EngineTime
  readonly until: EngineTime
  /** Wall time at which it was shown first. */
  shownAt: number | null
  /** The state that it left, as text. */
  outcome: string | null
}

type Happening = { readonly at: EngineTime } & ({ readonly trace: TraceEvent } | { readonly event: EngineEvent } | { readonly report: TaskReport })

/** More than this and the oldest are applied at once: the picture then jumps, and memory stays flat. */
export const AGENDA_MAX = 20_000
const SAVEPOINTS_MAX = 20
const WIRE_SLACK = 50_000

export class TokenWorld {
  readonly channels = new Map<string, ChannelTokens>()
  readonly chambers = new Map<string, Chamber>()
  /** Their barriers fly another flag. */
  savepoints: readonly number[] = []
  private agenda: Happening[] = []
  private scene: OverlayScene = { channels: [], subtasks: [], linkLatencyMicros: 0 }
  private receiver = new Map<string, string>()
  private touching = new Map<string, string[]>()
  private aligned = new Map<string, number>()

  setScene(scene: OverlayScene): void {
    this.scene = scene
    this.channels.clear()
    this.chambers.clear()
    this.receiver = new Map(scene.channels.map((channel) => [channel.channel, `${channel.to.vertex}_${channel.to.subtask}`]))
    this.touching = new Map()
    for (const channel of scene.channels) {
      this.channels.set(channel.channel, emptyChannel(channel.delayMicros))
      for (const end of [channel.from, channel.to]) {
        const key = `${end.vertex}_${end.subtask}`
        this.touching.set(key, [...(this.touching.get(key) ?? []), channel.channel])
      }
    }
  }

  /** Takes what came, in any order; it is applied in the order of engine time. */
  add(events: readonly EngineEvent[], trace: readonly TraceEvent[], reports: readonly TaskReport[]): void {
    for (const event of events) this.insert({ at: event.at, event })
    for (const one of trace) this.insert({ at: one.at, trace: one })
    for (const report of reports) this.insert({ at: report.at, report })
  }

  get isIdle(): boolean {
    return this.agenda.length === 0
  }

  /** Applies everything up to `time`. True if anything changed. */
  advance(time: EngineTime): boolean {
    let count = 0
    while (count < this.agenda.length && ((this.agenda[count] as Happening).at <= time || this.agenda.length - count > AGENDA_MAX)) {
      this.apply(this.agenda[count] as Happening)
      count++
    }
    if (count > 0) this.agenda = this.agenda.slice(count)
    return count > 0
  }

  private insert(happening: Happening): void {
    let index = this.agenda.length
    while (index > 0 && (this.agenda[index - 1] as Happening).at > happening.at) index--
    if (index === this.agenda.length) this.agenda.push(happening)
    else this.agenda.splice(index, 0, happening)
  }

  private apply(happening: Happening): void {
    if ('trace' in happening) this.applyTrace(happening.trace)
    else if ('event' in happening) this.applyEvent(happening.event)
    else this.applyReport(happening.report)
  }

  private applyTrace(trace: TraceEvent): void {
    if (trace.type === 'state') return this.outcome(trace)
    if (trace.type === 'read') return
    const channel = this.channels.get(trace.channel)
    if (channel === undefined) return
    channel.tracedAt = trace.at
    switch (trace.type) {
      case 'queued':
        push(channel.output, { kind: 'record', record: trace.record, s: NaN, buffer: 0, persisted: null })
        return
      case 'sent':
        channel.wire.push({ tokens: takeRecords(channel.output, trace.records), sequence: trace.sequence, sentAt: trace.at, delayMicros: channel.delayMicros + (trace.takes ?? 0) })
        return
      case 'received':
        this.receive(channel, trace.sequence)
        return
      case 'taken':
        this.take(channel, trace)
        return
      case 'barrier':
        this.moveBarrier(channel, trace.channel, trace.checkpointId, trace.step, trace.at)
    }
  }

  private receive(channel: ChannelTokens, sequence: number): void {
    const index = channel.wire.findIndex((travelling) => travelling.sequence === sequence)
    const found = channel.wire[index]
    if (found === undefined) return
    channel.wire.splice(index, 1)
    for (const token of found.tokens) {
      if (token.kind === 'record') {
        token.buffer = sequence
        token.persisted ??= channel.persisting
      }
      push(channel.input, token)
    }
  }

  private take(channel: ChannelTokens, trace: Extract<TraceEvent, { type: 'taken' }>): void {
    const [token] = takeRecords(channel.input, 1)
    if (token?.kind !== 'record') return
    this.chambers.set(subtaskOf(trace.attempt), { token, since: trace.at, until: trace.until, shownAt: null, outcome: null })
  }

  private outcome(trace: Extract<TraceEvent, { type: 'state' }>): void {
    const chamber = this.chambers.get(subtaskOf(trace.attempt))
    if (chamber === undefined) return
    const first = Array.isArray(trace.value) ? (trace.value as readonly unknown[])[0] : trace.value
    chamber.outcome = String(first)
  }

  private moveBarrier(channel: ChannelTokens, id: string, checkpointId: number, step: 'queued' | 'sent' | 'received' | 'taken', at: EngineTime): void {
    // Heard late: the receiver has done with this barrier.
    if ((this.aligned.get(this.receiver.get(id) ?? '') ?? 0) >= checkpointId) {
      removeBarrier(channel, checkpointId)
      return
    }
    if (step === 'queued') {
      if (!hasBarrier(channel, checkpointId)) push(channel.output, barrier(checkpointId))
      return
    }
    const token = removeBarrier(channel, checkpointId)
    if (token === null || (step !== 'taken' && token.taken)) return
    if (step === 'sent') channel.wire.push({ tokens: [token], sequence: -checkpointId, sentAt: at, delayMicros: channel.delayMicros })
    else if (step === 'received') {
      if (token.overtakes) putAhead(channel.input, token)
      else push(channel.input, token)
    }
    else channel.input.unshift(Object.assign(token, { taken: true }))
  }

  private applyEvent({ at, body }: EngineEvent): void {
    switch (body.type) {
      case 'JobSubmitted':
        for (const { channel, delayMicros } of this.scene.channels) this.channels.set(channel, emptyChannel(delayMicros))
        this.chambers.clear()
        this.aligned.clear()
        return
      case 'TaskStateChanged':
        if (body.to !== 'RUNNING' && body.to !== 'CANCELING') this.clearAround(`${body.vertex}_${body.subtask}`)
        return
      case 'BarrierEmitted':
        for (const id of body.channels) {
          const channel = this.channels.get(id)
          if (channel !== undefined && !hasBarrier(channel, body.checkpointId)) this.moveBarrier(channel, id, body.checkpointId, 'queued', at)
        }
        this.mark(body)
        return
      case 'BarrierArrived': {
        const channel = this.channels.get(body.channel)
        if (channel === undefined) return
        if (!hasBarrier(channel, body.checkpointId)) push(channel.input, barrier(body.checkpointId))
        this.moveBarrier(channel, body.channel, body.checkpointId, 'taken', at)
        if (channel.persisting === body.checkpointId) channel.persisting = null
        return
      }
      case 'UnalignedSnapshotStarted':
        for (const channel of this.inputsOf(`${body.vertex}_${body.subtask}`)) startPersisting(channel, body.checkpointId)
        return
      case 'BarrierPulledForward': {
        const channel = this.channels.get(body.channel)
        if (channel !== undefined) leapAhead(channel, body.checkpointId)
        return
      }
      case 'CheckpointTriggered':
        if (body.savepoint === true) this.savepoints = [...this.savepoints, body.checkpointId].slice(-SAVEPOINTS_MAX)
        return
      case 'CheckpointCompleted':
        // Every task has it: whatever was missed on its way, its barriers are nowhere any more.
        for (const channel of this.channels.values()) removeBarrier(channel, body.checkpointId)
        return
      case 'CheckpointAborted':
        for (const channel of this.channels.values()) dropPersisted(channel, body.checkpointId)
        return
      case 'ChannelDelayed': {
        const channel = this.channels.get(body.channel)
        if (channel !== undefined) channel.delayMicros = body.micros
        return
      }
      case 'ChannelBlocked':
      case 'ChannelUnblocked': {
        const channel = this.channels.get(body.channel)
        if (channel !== undefined) channel.blocked = body.type === 'ChannelBlocked'
        return
      }
      case 'AlignmentCompleted':
      case 'CheckpointAbortedAtTask':
        this.release(`${body.vertex}_${body.subtask}`, body.checkpointId)
        return
      default:
    }
  }

  /** What a barrier that was sent on may do to the data before it. */
  private mark({ checkpointId, overtakes, timesOut }: EventOf<'BarrierEmitted'>): void {
    for (const id of overtakes ?? []) {
      const channel = this.channels.get(id)
      if (channel !== undefined) leapAhead(channel, checkpointId)
    }
    if (timesOut === undefined) return
    for (const id of timesOut.channels) {
      const channel = this.channels.get(id)
      const token = channel === undefined ? undefined : findBarrier(channel, checkpointId)
      if (token !== undefined && !token.overtakes) token.timeOut = { from: timesOut.from, until: timesOut.until }
    }
  }

  private inputsOf(subtask: string): ChannelTokens[] {
    return (this.touching.get(subtask) ?? []).flatMap((id) => (this.receiver.get(id) === subtask ? (this.channels.get(id) ?? []) : []))
  }

  /** The barriers that stood at this subtask's mouths have done their work. */
  private release(subtask: string, checkpointId: number): void {
    this.aligned.set(subtask, Math.max(checkpointId, this.aligned.get(subtask) ?? 0))
    for (const channel of this.inputsOf(subtask)) {
      channel.blocked = false
      if (channel.persisting !== null && channel.persisting <= checkpointId) channel.persisting = null
      channel.input = channel.input.filter((token) => token.kind === 'record' || token.checkpointId > checkpointId)
    }
  }

  private clearAround(subtask: string): void {
    for (const id of this.touching.get(subtask) ?? []) this.channels.set(id, emptyChannel(this.channels.get(id)?.delayMicros))
    this.chambers.delete(subtask)
  }

  /** The report's figures are the truth: tokens that were missed or lost do not stay. */
  private applyReport(report: TaskReport): void {
    for (const output of report.outputs) {
      const channel = this.channels.get(output.channel)
      if (channel === undefined) continue
      channel.reported = { output: output.records, input: channel.reported?.input ?? 0, at: report.at }
      trim(channel.output, output.records)
    }
    for (const input of report.inputs) {
      const channel = this.channels.get(input.channel)
      if (channel === undefined) continue
      channel.reported = { output: channel.reported?.output ?? 0, input: input.records, at: report.at }
      trim(channel.input, input.records)
      // A buffer is not on its way for longer than the link takes: what is older was received while nothing was traced.
      const longest = ({ delayMicros }: Travelling): number => this.scene.linkLatencyMicros + Math.max(channel.delayMicros, delayMicros) + WIRE_SLACK
      channel.wire = channel.wire.filter((travelling) => travelling.sentAt > report.at - longest(travelling) || travelling.tokens.some((token) => token.kind === 'barrier'))
    }
  }
}

/** `<vertex>_<subtask>_<attempt>` → `<vertex>_<subtask>`. */
export const subtaskOf = (attempt: string): string => attempt.slice(0, attempt.lastIndexOf('_'))
