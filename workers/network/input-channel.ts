/**
 * The receiver's end of one channel. Flink: RemoteInputChannel (all channels are remote here). It holds at most as many buffers as it has
 * granted credits for: its two exclusive ones and those that float in the gate.
 */
import { assert } from '../base/assert.ts'
import { Deque } from '../base/deque.ts'
import { isUnaligned } from '../model/alignment.ts'
import type { ChannelId, CheckpointId } from '../model/ids.ts'
import type { InputChannelReport } from '../model/report.ts'
import type { Schema } from '../model/schema.ts'
import type { ChannelEvent, ChannelMessage, CheckpointBarrier, DataBuffer } from '../model/wire.ts'
import { BatchReader } from './batch-reader.ts'
import { ChannelStatePersister } from './channel-state-persister.ts'
import type { InFlightBuffer } from './in-flight-buffer.ts'
import { EVENTS_PER_QUEUE_MAX, EXCLUSIVE_BUFFERS_PER_CHANNEL, FLOATING_BUFFERS_PER_GATE } from './network-limits.ts'
import type { BatchLayout } from './record-batch.ts'

/** The checkpoint in hand is among the last ones. */
const BARRIERS_REMEMBERED = 8
const BUFFERS_MAX = EXCLUSIVE_BUFFERS_PER_CHANNEL + FLOATING_BUFFERS_PER_GATE

export interface InputChannelOptions {
  readonly number: number
  readonly id: ChannelId
  readonly gate: number
  readonly index: number
  readonly input: number
  readonly layout: BatchLayout
  readonly schema: Schema
}

export class InputChannel {
  /** Task-wide number. */
  readonly number: number
  readonly id: ChannelId
  readonly gate: number
  /** Its number in the gate. */
  readonly index: number
  /** Input of the head operator. */
  readonly input: number
  readonly reader: BatchReader
  /** An aligned barrier was taken: the sender has stopped until it is resumed. */
  isBlocked = false
  /** End of data was taken; end of partition was taken. */
  isEndOfData = false
  isFinished = false
  /** Granted and not used yet. */
  credits = 0
  /** Received and not given back yet. */
  held = 0
  /** How many of the gate's floating buffers this channel has. */
  floating = 0
  /** What the sender said last. */
  backlog = 0
  /** Of all buffers taken so far. */
  takenBytes = 0
  /** What the sender was last told to make of its buffers (buffer debloating). */
  bufferBytes: number
  /** Buffers of restored in-flight data that have not been read. */
  recovered = 0
  private readonly schema: Schema
  private readonly queue: Deque<ChannelMessage>
  private persister: ChannelStatePersister | null = null
  /** Barriers that have left the queue, or never stood in it, oldest first; each with the last buffer that stands before it. */
  private readonly barriers: { readonly checkpointId: CheckpointId; readonly after: number }[] = []
  /** Numbers of the last buffers received and taken. */
  private lastReceived = 0
  private lastTaken = 0
  private queuedBuffers = 0
  private queuedRecords = 0
  private queuedBytes = 0
  private receivedBuffers = 0
  private receivedRecords = 0

  constructor({ number, id, gate, index, input, layout, schema }: InputChannelOptions) {
    this.number = number
    this.id = id
    this.gate = gate
    this.index = index
    this.input = input
    this.schema = schema
    this.bufferBytes = layout.segmentBytes
    this.reader = new BatchReader(layout)
    this.queue = new Deque(`input channel ${id}`, BUFFERS_MAX + EVENTS_PER_QUEUE_MAX)
  }

  receive(message: ChannelMessage): void {
    assert(!this.isFinished, `channel ${this.id} has ended`)
    if (message.kind === 'buffer') {
      assert(this.credits > 0, `channel ${this.id}: a buffer without a credit`)
      this.credits--
      this.held++
      this.backlog = message.backlog
      this.queuedBuffers++
      this.queuedRecords += message.count
      this.queuedBytes += message.bytes
      this.receivedBuffers++
      this.receivedRecords += message.count
      this.lastReceived = message.sequence
      if (this.persister !== null && !this.persister.isDone) this.persister.persist(message)
    } else if (this.receiveEvent(message)) {
      return
    }
    this.queue.pushBack(message)
  }

  /** Restored in-flight data: needs no credit, and comes before anything new. */
  addRecovered(buffer: DataBuffer): void {
    this.recovered++
    this.held++
    this.queuedBuffers++
    this.queuedRecords += buffer.count
    this.queuedBytes += buffer.bytes
    this.queue.pushBack(buffer)
  }

  /** A barrier of the queue is taken out, to be handled ahead of the buffers before it; null if it is not there (any more). */
  takeBarrier(checkpointId: CheckpointId): CheckpointBarrier | null {
    const messages = this.queue.toArray()
    const at = messages.findIndex((message) => isBarrierOf(message, checkpointId))
    if (at < 0) return null
    const ahead = messages.slice(0, at).findLast((message) => message.kind === 'buffer')
    this.setBarrier(checkpointId, ahead?.kind === 'buffer' ? ahead.sequence : this.lastTaken)
    this.queue.clear()
    messages.forEach((message, i) => {
      if (i !== at) this.queue.pushBack(message)
    })
    return (messages[at] as ChannelEvent).event as CheckpointBarrier
  }

  /** Keeps what stands before the barrier of this checkpoint, now and until it comes. */
  startPersisting(checkpointId: CheckpointId): void {
    const barrier = this.barriers.find((each) => each.checkpointId >= checkpointId)
    const end = barrier?.after ?? Infinity
    const persister = new ChannelStatePersister(checkpointId, this.schema, this.reader, this.lastTaken <= end)
    persister.isDone = this.isFinished || barrier !== undefined
    for (let i = 0; i < this.queue.size; i++) {
      const message = this.queue.at(i) as ChannelMessage
      if (message.kind === 'buffer' ? message.sequence > end : endsPersisting(message, checkpointId)) {
        persister.isDone = true
        break
      }
      if (message.kind === 'buffer') persister.persist(message)
    }
    this.persister = persister
  }

  /** What was kept, one for each buffer. */
  stopPersisting(): readonly InFlightBuffer[] {
    const buffers = this.persister?.buffers ?? []
    this.persister = null
    return buffers
  }

  /** True: a priority event, which does not wait in the queue. */
  private receiveEvent(message: ChannelEvent): boolean {
    const { event } = message
    const { persister } = this
    if (persister !== null && endsPersisting(message, persister.checkpointId)) persister.isDone = true
    if (event.type !== 'barrier' || !isUnaligned(event.options)) return false
    this.setBarrier(event.checkpointId, this.lastReceived)
    return true
  }

  private setBarrier(checkpointId: CheckpointId, after: number): void {
    if (this.barriers.some((each) => each.checkpointId >= checkpointId)) return
    this.barriers.push({ checkpointId, after })
    if (this.barriers.length > BARRIERS_REMEMBERED) this.barriers.shift()
  }

  /** Received and not taken yet. */
  get queued(): { readonly buffers: number; readonly bytes: number } {
    return { buffers: this.queuedBuffers, bytes: this.queuedBytes }
  }

  get hasData(): boolean {
    return !this.isBlocked && !this.queue.isEmpty
  }

  poll(): DataBuffer | ChannelEvent | undefined {
    const message = this.queue.popFront()
    if (message?.kind === 'buffer') {
      this.queuedBuffers--
      this.queuedRecords -= message.count
      this.queuedBytes -= message.bytes
      this.takenBytes += message.bytes
      this.lastTaken = message.sequence
    } else if (message?.event.type === 'barrier') {
      this.setBarrier(message.event.checkpointId, this.lastTaken)
    }
    return message
  }

  report(): InputChannelReport {
    const inWork = this.reader.buffer
    const left = this.reader.recordsLeft
    return {
      channel: this.id,
      blocked: this.isBlocked,
      bufferBytes: this.bufferBytes,
      buffers: this.held,
      records: this.queuedRecords + left,
      bytes: this.queuedBytes + (inWork === null ? 0 : inWork.bytes),
      receivedBuffers: this.receivedBuffers,
      receivedRecords: this.receivedRecords,
      barrier: this.waitingBarrier(inWork === null ? 0 : 1, left),
    }
  }

  private waitingBarrier(buffers: number, records: number): InputChannelReport['barrier'] {
    let buffersAhead = buffers
    let recordsAhead = records
    for (let i = 0; i < this.queue.size; i++) {
      const message = this.queue.at(i) as ChannelMessage
      if (message.kind === 'buffer') {
        buffersAhead++
        recordsAhead += message.count
      } else if (message.event.type === 'barrier') {
        return { checkpointId: message.event.checkpointId, buffersAhead, recordsAhead }
      }
    }
    return null
  }
}

const isBarrierOf = (message: ChannelMessage, checkpointId: CheckpointId): boolean =>
  message.kind === 'event' && message.event.type === 'barrier' && message.event.checkpointId === checkpointId

/** What comes behind this is not part of the checkpoint. */
const endsPersisting = ({ event }: ChannelEvent, checkpointId: CheckpointId): boolean =>
  event.type === 'end-of-partition' || (event.type === 'barrier' && event.checkpointId >= checkpointId)
