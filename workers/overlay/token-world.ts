/**
 * Where every token is: channels as queues of records and barriers, moved by trace and protocol events in the order of their engine time.
 * Knows nothing of pixels but the lanes' names. An event is applied when the shown time has come to it, so that a position on the screen
 * is a fact of the engine at that time.
 */
import type { EngineEvent } from '../model/events.ts'
import type { TaskReport } from '../model/report.ts'
import type { EngineTime } from '../model/time.ts'
import type { TraceEvent, TracedRecord } from '../model/trace.ts'
import type { OverlayScene } from '../model/overlay-scene.ts'

export interface RecordToken {
  readonly kind: 'record'
  readonly record: TracedRecord
  /** Where it is drawn, along its channel's path; NaN before it was drawn first. */
  s: number
  buffer: number
}

export interface BarrierToken {
  readonly kind: 'barrier'
  readonly checkpointId: number
  s: number
  /** Its channel waits for the others; it stands at the receiver's mouth. */
  taken: boolean
}

export type Token = RecordToken | BarrierToken

export interface Travelling {
  readonly tokens: Token[]
  readonly sequence: number
  readonly sentAt: EngineTime
}

export interface ChannelTokens {
  /** Head first: the next to leave. */
  output: Token[]
  wire: Travelling[]
  /** Head first: the next to be taken. */
  input: Token[]
  blocked: boolean
  /** Figures of the last report, for stretches that are not traced. */
  reported: { output: number; input: number; at: EngineTime } | null
  tracedAt: EngineTime
}

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
const QUEUE_MAX = 2_000
const WIRE_SLACK = 50_000

export class TokenWorld {
  readonly channels = new Map<string, ChannelTokens>()
  readonly chambers = new Map<string, Chamber>()
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
      this.channels.set(channel.channel, emptyChannel())
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
        push(channel.output, { kind: 'record', record: trace.record, s: NaN, buffer: 0 })
        return
      case 'sent':
        channel.wire.push({ tokens: takeRecords(channel.output, trace.records), sequence: trace.sequence, sentAt: trace.at })
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
      if (token.kind === 'record') token.buffer = sequence
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
    if (step === 'queued') {
      if (!hasBarrier(channel, checkpointId)) push(channel.output, barrier(checkpointId))
      return
    }
    const token = removeBarrier(channel, checkpointId)
    if (token === null || (step !== 'taken' && token.taken)) return
    if (step === 'sent') channel.wire.push({ tokens: [token], sequence: -checkpointId, sentAt: at })
    else if (step === 'received') push(channel.input, token)
    else if ((this.aligned.get(this.receiver.get(id) ?? '') ?? 0) < checkpointId) channel.input.unshift(Object.assign(token, { taken: true }))
  }

  private applyEvent({ at, body }: EngineEvent): void {
    switch (body.type) {
      case 'JobSubmitted':
        for (const id of this.channels.keys()) this.channels.set(id, emptyChannel())
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
        return
      case 'BarrierArrived': {
        const channel = this.channels.get(body.channel)
        if (channel === undefined) return
        if (!hasBarrier(channel, body.checkpointId)) push(channel.input, barrier(body.checkpointId))
        this.moveBarrier(channel, body.channel, body.checkpointId, 'taken', at)
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

  /** The barriers that stood at this subtask's mouths have done their work. */
  private release(subtask: string, checkpointId: number): void {
    this.aligned.set(subtask, Math.max(checkpointId, this.aligned.get(subtask) ?? 0))
    for (const id of this.touching.get(subtask) ?? []) {
      const channel = this.channels.get(id)
      if (channel === undefined || this.receiver.get(id) !== subtask) continue
      channel.blocked = false
      channel.input = channel.input.filter((token) => token.kind === 'record' || token.checkpointId > checkpointId)
    }
  }

  private clearAround(subtask: string): void {
    for (const id of this.touching.get(subtask) ?? []) this.channels.set(id, emptyChannel())
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
      const oldest = report.at - this.scene.linkLatencyMicros - WIRE_SLACK
      channel.wire = channel.wire.filter((travelling) => travelling.sentAt > oldest || travelling.tokens.some((token) => token.kind === 'barrier'))
    }
  }
}

const emptyChannel = (): ChannelTokens => ({ output: [], wire: [], input: [], blocked: false, reported: null, tracedAt: -1 })
const barrier = (checkpointId: number): BarrierToken => ({ kind: 'barrier', checkpointId, s: NaN, taken: false })

/** `<vertex>_<subtask>_<attempt>` → `<vertex>_<subtask>`. */
export const subtaskOf = (attempt: string): string => attempt.slice(0, attempt.lastIndexOf('_'))

function push(queue: Token[], token: Token): void {
  queue.push(token)
  if (queue.length > QUEUE_MAX) queue.shift()
}

/** The oldest `count` records; barriers keep their place. */
function takeRecords(queue: Token[], count: number): Token[] {
  const taken: Token[] = []
  for (let i = 0; i < queue.length && taken.length < count; ) {
    if (queue[i]?.kind === 'record') taken.push(...queue.splice(i, 1))
    else i++
  }
  return taken
}

const isBarrier = (token: Token, id: number): token is BarrierToken => token.kind === 'barrier' && token.checkpointId === id

const hasBarrier = (channel: ChannelTokens, id: number): boolean =>
  channel.output.some((token) => isBarrier(token, id)) || channel.input.some((token) => isBarrier(token, id)) || channel.wire.some((travelling) => travelling.tokens.some((token) => isBarrier(token, id)))

function removeBarrier(channel: ChannelTokens, id: number): BarrierToken | null {
  for (const queue of [channel.output, channel.input]) {
    const index = queue.findIndex((token) => isBarrier(token, id))
    if (index >= 0) return queue.splice(index, 1)[0] as BarrierToken
  }
  const index = channel.wire.findIndex((travelling) => travelling.tokens.some((token) => isBarrier(token, id)))
  return index < 0 ? null : (channel.wire.splice(index, 1)[0]?.tokens[0] as BarrierToken)
}

function trim(queue: Token[], records: number): void {
  const surplus = queue.filter((token) => token.kind === 'record').length - records
  if (surplus > 0) takeRecords(queue, surplus)
}
