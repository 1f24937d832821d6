/**
 * All input gates of a task, their channels numbered in order over the gates. Flink: UnionInputGate over SingleInputGates, with the
 * BufferManager of each. Chooses channels in turn, and grants credits: two exclusive buffers per channel for good, and per gate eight that
 * float to where a sender has announced a backlog (behaviour 8.2).
 */
import { assert, must } from '../base/assert.ts'
import { Deque } from '../base/deque.ts'
import { isTimeoutable, isUnaligned } from '../model/alignment.ts'
import type { GateDescription } from '../model/deployment.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { InputBufferFigures } from '../model/task-metrics.ts'
import type { ChannelEvent, ChannelMessage, CheckpointBarrier, DataBuffer } from '../model/wire.ts'
import type { InFlightChannel } from './in-flight-buffer.ts'
import { InputChannel } from './input-channel.ts'
import { EVENTS_PER_QUEUE_MAX, EXCLUSIVE_BUFFERS_PER_CHANNEL, FLOATING_BUFFERS_PER_GATE } from './network-limits.ts'
import { batchLayout } from './record-batch.ts'
import type { TransportEffects } from './transport-effects.ts'

/** The number of every buffer that was restored rather than received. */
export const RECOVERED_SEQUENCE = 0

/** Handled ahead of all data. An announcement tells of an aligned barrier that has come and may time out. */
export interface PriorityEvent {
  readonly channel: InputChannel
  readonly barrier: CheckpointBarrier
  readonly isAnnouncement: boolean
}

export class InputGates {
  readonly channels: readonly InputChannel[]
  private readonly effects: TransportEffects
  /** Floating buffers that nobody has, by gate. */
  private readonly floatingFree: number[]
  private lastPicked: number
  private readonly priority: Deque<PriorityEvent>

  constructor(gates: readonly GateDescription[], segmentBytes: number, effects: TransportEffects) {
    this.effects = effects
    this.floatingFree = gates.map(() => FLOATING_BUFFERS_PER_GATE)
    const channels: InputChannel[] = []
    gates.forEach((gate, index) => {
      const layout = batchLayout(gate.schema, segmentBytes)
      gate.channels.forEach(({ id }, inGate) => {
        channels.push(new InputChannel({ number: channels.length, id, gate: index, index: inGate, input: gate.input, layout, schema: gate.schema }))
      })
    })
    this.channels = channels
    this.lastPicked = channels.length - 1
    this.priority = new Deque('priority events', Math.max(1, channels.length) * EVENTS_PER_QUEUE_MAX)
  }

  /** Flink: the partition request carries the first credits. */
  grantInitialCredits(): void {
    for (const channel of this.channels) this.grant(channel, EXCLUSIVE_BUFFERS_PER_CHANNEL, [])
  }

  receive(number: number, message: ChannelMessage): void {
    const channel = must(this.channels[number], `channel ${number}`)
    channel.receive(message)
    if (this.effects.traced) this.traceReceived(channel, message)
    if (message.kind !== 'buffer') return this.receiveEvent(channel, message)
    const taken = this.takeFloating(channel)
    if (taken > 0) this.grant(channel, taken, [])
  }

  get hasPriority(): boolean {
    return !this.priority.isEmpty
  }

  takePriority(): PriorityEvent {
    return must(this.priority.popFront(), 'a priority event')
  }

  /** The barrier of this checkpoint that waits in the channel goes ahead of the data before it. False: it was taken already. */
  convertToPriority(number: number, checkpointId: CheckpointId): boolean {
    const channel = must(this.channels[number], `channel ${number}`)
    const barrier = channel.takeBarrier(checkpointId)
    if (barrier === null) return false
    this.priority.pushBack({ channel, barrier, isAnnouncement: false })
    return true
  }

  /** What the channels have kept of in-flight data, by gate and channel in it. */
  stopPersisting(): InFlightChannel[] {
    return this.channels.map((channel) => ({ major: channel.gate, minor: channel.index, buffers: channel.stopPersisting() }))
  }

  /** Buffers of restored in-flight data are there that have not been read. */
  get hasRecovered(): boolean {
    for (const channel of this.channels) if (channel.recovered > 0) return true
    return false
  }

  /** The next channel in turn that has something to take. */
  pick(): InputChannel | null {
    const { channels } = this
    let at = this.lastPicked
    for (let i = 0; i < channels.length; i++) {
      at = at + 1 === channels.length ? 0 : at + 1
      const channel = channels[at] as InputChannel
      if (!channel.hasData) continue
      this.lastPicked = at
      return channel
    }
    return null
  }

  get hasData(): boolean {
    for (const channel of this.channels) if (channel.hasData) return true
    return false
  }

  /** The buffer in work has been read: its payload goes back, with a credit unless the floating buffer is needed elsewhere. */
  recycle(channel: InputChannel): void {
    const isRecovered = (channel.reader.buffer as DataBuffer).sequence === RECOVERED_SEQUENCE
    const payload = channel.reader.close()
    assert(channel.held > 0, `channel ${channel.id} holds a buffer`)
    channel.held--
    if (isRecovered) {
      channel.recovered--
      return
    }
    const isSurplus = channel.floating > 0 && channel.credits >= channel.backlog + EXCLUSIVE_BUFFERS_PER_CHANNEL
    if (!isSurplus) {
      this.grant(channel, 1, [payload])
      return
    }
    this.effects.feedback(channel.number, { kind: 'credit', credits: 0, recycled: [payload] })
    channel.floating--
    this.floatingFree[channel.gate] = (this.floatingFree[channel.gate] as number) + 1
    this.offerFloating(channel)
  }

  /** End of partition was taken: what floats in this channel goes back to its gate. */
  finish(channel: InputChannel): void {
    channel.isFinished = true
    this.floatingFree[channel.gate] = (this.floatingFree[channel.gate] as number) + channel.floating
    channel.floating = 0
    channel.credits = 0
    this.offerFloating(channel)
  }

  get gateCount(): number {
    return this.floatingFree.length
  }

  /** Part of all buffers that hold data, 0 to 1. */
  get poolUsage(): number {
    let held = 0
    for (const channel of this.channels) held += channel.held
    const size = this.channels.length * EXCLUSIVE_BUFFERS_PER_CHANNEL + this.floatingFree.length * FLOATING_BUFFERS_PER_GATE
    return size === 0 ? 0 : held / size
  }

  /** A channel's floating buffers are used before its exclusive ones. Flink: NettyShuffleMetricFactory's gauges of inputs. */
  report(): InputBufferFigures {
    let [queuedBuffers, queuedBytes, exclusive, floating] = [0, 0, 0, 0]
    for (const channel of this.channels) {
      const { queued, held } = channel
      queuedBuffers += queued.buffers
      queuedBytes += queued.bytes
      const afloat = Math.min(channel.floating, held)
      floating += afloat
      exclusive += Math.min(EXCLUSIVE_BUFFERS_PER_CHANNEL, held - afloat)
    }
    return {
      queuedBuffers,
      queuedBytes,
      exclusiveUsage: exclusive / Math.max(1, this.channels.length * EXCLUSIVE_BUFFERS_PER_CHANNEL),
      floatingUsage: floating / Math.max(1, this.floatingFree.length * FLOATING_BUFFERS_PER_GATE),
    }
  }

  private receiveEvent(channel: InputChannel, { event }: ChannelEvent): void {
    if (event.type !== 'barrier') return
    if (isUnaligned(event.options)) this.priority.pushBack({ channel, barrier: event, isAnnouncement: false })
    else if (isTimeoutable(event.options)) this.priority.pushBack({ channel, barrier: event, isAnnouncement: true })
  }

  /** A floating buffer came free: to the next channel of the gate whose sender waits. */
  private offerFloating(from: InputChannel): void {
    for (let i = 1; i <= this.channels.length; i++) {
      const channel = this.channels[(from.number + i) % this.channels.length] as InputChannel
      if (channel.gate !== from.gate || channel.isFinished) continue
      const taken = this.takeFloating(channel)
      if (taken === 0) continue
      this.grant(channel, taken, [])
      return
    }
  }

  private takeFloating(channel: InputChannel): number {
    // Without a backlog nothing is wanted beyond the exclusive buffers, which come back by themselves.
    if (channel.backlog === 0) return 0
    const free = this.floatingFree[channel.gate] as number
    const wanted = channel.backlog + EXCLUSIVE_BUFFERS_PER_CHANNEL - channel.credits
    const taken = Math.max(0, Math.min(free, wanted))
    channel.floating += taken
    this.floatingFree[channel.gate] = free - taken
    return taken
  }

  private grant(channel: InputChannel, credits: number, recycled: readonly ArrayBuffer[]): void {
    channel.credits += credits
    this.effects.feedback(channel.number, { kind: 'credit', credits, recycled })
  }

  private traceReceived(channel: InputChannel, message: ChannelMessage): void {
    const at = this.effects.now
    if (message.kind === 'buffer') this.effects.trace({ type: 'received', at, channel: channel.id, sequence: message.sequence })
    else if (message.event.type === 'barrier') {
      this.effects.trace({ type: 'barrier', at, channel: channel.id, checkpointId: message.event.checkpointId, step: 'received' })
    }
  }
}
