/** What a task asks for, carried out: messages to ports, timers and answers onto the agenda, events to the observer. */
import type { TaskMessage } from '../../model/control.ts'
import type { ChannelDelays } from '../../model/live-settings.ts'
import type { TaskDeployment } from '../../model/deployment.ts'
import type { EventBody } from '../../model/events.ts'
import type { OutsideOp } from '../../model/outside.ts'
import type { TaskReport } from '../../model/report.ts'
import type { FileWrite, StorageOp } from '../../model/storage.ts'
import type { EngineTime } from '../../model/time.ts'
import type { TraceEvent } from '../../model/trace.ts'
import type { ChannelFeedback, ChannelMessage, CreditFeedback } from '../../model/wire.ts'
import type { LocalCopy } from '../../task/local-state-store.ts'
import type { TaskInput, TaskOut } from '../../task/task-io.ts'
import { Agenda } from './agenda.ts'
import { DelayedLink } from './delayed-link.ts'
import { EventPort } from './event-port.ts'
import type { OnChannel, OnChannelBack, OutsideAnswer, OutsideCall, StorageAnswer, StorageCall, TaskPorts } from './messages.ts'
import { PendingRequests } from './pending-requests.ts'
import { Timers } from './timers.ts'
import { bytesToTransfer } from './transfer.ts'

/** Emptied buffers that go back in one message: half of what Flink gives a busy channel (two exclusive, eight floating). */
const CREDITS_TOGETHER = 4

export interface DueInput {
  readonly due: EngineTime
  readonly input: TaskInput
}

export interface TaskEffectsHost {
  now(): EngineTime
  arriveAt(due: EngineTime, input: TaskInput): void
  /** Of another task, in one message; `due` of each as it arrives. */
  receive(inputs: readonly DueInput[]): void
  toTaskManager(message: TaskMessage): void
  keepCopies(writes: readonly FileWrite[]): void
}

export class TaskEffects implements TaskOut {
  readonly agenda = new Agenda<TaskInput>()
  private readonly timers = new Timers()
  private readonly host: TaskEffectsHost
  private readonly ports: TaskPorts
  private readonly events: EventPort
  /** What the TaskManager has kept, until it is read. */
  private readonly copies = new Map<string, Uint8Array>()
  private readonly storageCalls = new PendingRequests()
  private readonly outsideCalls = new PendingRequests()
  private readonly latency: EngineTime
  /** By channel number. */
  private readonly links: readonly DelayedLink[]
  /** By output: what the call that is under way has sent. */
  private readonly outgoing: ChannelMessage[][] = []
  private hasOutgoing = false
  private hasOutgoingEvent = false
  /** By channel: credits that have not left yet. */
  private readonly collected: ({ credits: number; recycled: ArrayBuffer[] } | null)[] = []

  constructor(deployment: TaskDeployment, ports: TaskPorts, copies: readonly LocalCopy[], host: TaskEffectsHost) {
    for (const { path, bytes } of copies) this.copies.set(path, bytes)
    this.host = host
    this.ports = ports
    this.events = new EventPort(ports.observer, deployment.attempt)
    const latency = deployment.settings.linkLatencyMicros
    this.latency = latency
    this.links = deployment.gates.flatMap((gate) => gate.channels.map(({ id, delayMicros }) => new DelayedLink(id, latency, delayMicros)))
    ports.inputs.forEach((port, channel) => {
      port.onmessage = (event: MessageEvent<OnChannel>) => {
        host.receive(event.data.map((message) => ({ due: this.links[channel]?.arrivalOf(message.sentAt) ?? 0, input: { type: 'channel', channel, message } })))
      }
    })
    ports.outputs.forEach((port, output) => {
      port.onmessage = (event: MessageEvent<OnChannelBack>) =>
        host.receive([{ due: event.data.at + latency, input: { type: 'feedback', output, feedback: event.data.feedback } }])
    })
    ports.storage.onmessage = (event: MessageEvent<StorageAnswer>) => {
      if (this.storageCalls.take(event.data.requestId)) host.arriveAt(0, { type: 'storage-reply', reply: event.data })
    }
    ports.outside.onmessage = (event: MessageEvent<OutsideAnswer>) => {
      if (this.outsideCalls.take(event.data.requestId)) host.arriveAt(0, { type: 'outside-reply', reply: event.data })
    }
  }

  /** Of the channels named, for what arrives from now on. */
  delayChannels(delays: ChannelDelays): void {
    for (const link of this.links) link.delayMicros = delays[link.channel] ?? link.delayMicros
  }

  get nextDue(): EngineTime {
    return Math.min(this.agenda.nextDue, this.timers.nextDue)
  }

  /** The input that is due first; of two at the same time the one that was on the agenda. */
  nextInput(): TaskInput | undefined {
    if (this.agenda.nextDue <= this.timers.nextDue) return this.agenda.pop()
    const timer = this.timers.pop()
    return timer === undefined ? undefined : { type: 'timer', timer: timer.timer }
  }

  /** Takes the commands out and leaves the rest in its order. */
  takeCommands(): readonly TaskInput[] {
    return this.agenda.takeOut((input) => input.type === 'command')
  }

  send(output: number, message: ChannelMessage): void {
    ;(this.outgoing[output] ??= []).push(message)
    this.hasOutgoing = true
    if (message.kind === 'event') this.hasOutgoingEvent = true
  }

  /**
   * After every call of the task: what it has sent leaves, one message for each channel. A barrier and the buffer that it has cut short travel
   * together, and the channels get theirs one right after the other: whoever is woken by the first often takes the processor.
   */
  dispatch(): void {
    if (!this.hasOutgoing) return
    // What led to a barrier is in the log before what comes of it.
    if (this.hasOutgoingEvent) this.events.flush(this.host.now())
    this.hasOutgoing = false
    this.hasOutgoingEvent = false
    for (let output = 0; output < this.outgoing.length; output++) {
      const messages = this.outgoing[output]
      if (messages === undefined || messages.length === 0) continue
      this.outgoing[output] = []
      this.ports.outputs[output]?.postMessage(messages satisfies OnChannel, payloadsOf(messages))
    }
  }

  /** Credits of one turn leave together where links have no latency: the sender has others in hand, and a message costs more than it carries. */
  feedback(channel: number, feedback: ChannelFeedback): void {
    if (feedback.kind === 'credit' && this.latency === 0) {
      this.collectCredits(channel, feedback)
      return
    }
    this.sendCredits(channel)
    this.postFeedback(channel, feedback)
  }

  toJobManager(message: TaskMessage): void {
    this.host.toTaskManager(message)
  }

  storage(requestId: number, op: StorageOp): void {
    const copy = op.type === 'read' && op.localCopy === true ? this.copies.get(op.path) : undefined
    if (op.type === 'read' && copy !== undefined) {
      this.copies.delete(op.path)
      this.host.arriveAt(0, { type: 'storage-reply', reply: { requestId, result: { ok: true, bytes: copy, local: true } } })
      return
    }
    const kept = op.type === 'transact' ? op.writes.filter(({ localCopy }) => localCopy !== undefined) : []
    if (kept.length > 0) this.host.keepCopies(kept)
    this.storageCalls.add(requestId)
    const call: StorageCall = { requestId, op }
    this.ports.storage.postMessage(call, bytesToTransfer(op))
  }

  outside(requestId: number, op: OutsideOp): void {
    this.outsideCalls.add(requestId)
    const call: OutsideCall = { requestId, op }
    this.ports.outside.postMessage(call)
  }

  setTimer(timer: string, at: EngineTime): void {
    this.timers.set(timer, at)
  }

  clearTimer(timer: string): void {
    this.timers.clear(timer)
  }

  event(body: EventBody): void {
    this.events.event(body, this.host.now())
  }

  trace(event: TraceEvent): void {
    this.events.traced(event)
  }

  get isTraceSpent(): boolean {
    return this.events.isTraceSpent
  }

  refillTrace(): void {
    this.events.refillTrace(this.host.now())
  }

  flush(report: TaskReport | null): void {
    this.dispatch()
    for (let channel = 0; channel < this.collected.length; channel++) this.sendCredits(channel)
    this.events.flush(this.host.now(), report)
  }

  private collectCredits(channel: number, { credits, recycled }: CreditFeedback): void {
    const collected = (this.collected[channel] ??= { credits: 0, recycled: [] })
    collected.credits += credits
    collected.recycled.push(...recycled)
    if (collected.recycled.length >= CREDITS_TOGETHER) this.sendCredits(channel)
  }

  private sendCredits(channel: number): void {
    const collected = this.collected[channel]
    if (collected === undefined || collected === null || (collected.credits === 0 && collected.recycled.length === 0)) return
    this.collected[channel] = null
    this.postFeedback(channel, { kind: 'credit', ...collected })
  }

  private postFeedback(channel: number, feedback: ChannelFeedback): void {
    const message: OnChannelBack = { at: this.host.now(), feedback }
    this.ports.inputs[channel]?.postMessage(message, feedback.kind === 'credit' ? [...feedback.recycled] : [])
  }

  /** Answers what nobody has answered in time. */
  expireRequests(): void {
    for (const requestId of this.storageCalls.expired()) {
      const result = { ok: false, reason: 'DEADLINE_EXCEEDED', message: 'the storage worker did not answer' } as const
      this.host.arriveAt(0, { type: 'storage-reply', reply: { requestId, result } })
    }
    for (const requestId of this.outsideCalls.expired()) {
      const result = { ok: false, reason: 'DEADLINE_EXCEEDED', message: 'the outside world did not answer' } as const
      this.host.arriveAt(0, { type: 'outside-reply', reply: { requestId, result } })
    }
  }
}

const payloadsOf = (messages: readonly ChannelMessage[]): ArrayBuffer[] => messages.flatMap((message) => (message.kind === 'buffer' ? [message.payload] : []))
