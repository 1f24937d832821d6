/**
 * The receiver's end of one channel. Flink: RemoteInputChannel (all channels are remote here). It holds at most as many buffers as it has
 * granted credits for: its two exclusive ones and those that float in the gate.
 */
import { assert } from '../base/assert.ts'
import { Deque } from '../base/deque.ts'
import type { ChannelId } from '../model/ids.ts'
import type { InputChannelReport } from '../model/report.ts'
import type { ChannelEvent, ChannelMessage, DataBuffer } from '../model/wire.ts'
import { BatchReader } from './batch-reader.ts'
import { EVENTS_PER_QUEUE_MAX, EXCLUSIVE_BUFFERS_PER_CHANNEL, FLOATING_BUFFERS_PER_GATE } from './network-limits.ts'
import type { BatchLayout } from './record-batch.ts'

const BUFFERS_MAX = EXCLUSIVE_BUFFERS_PER_CHANNEL + FLOATING_BUFFERS_PER_GATE

export class InputChannel {
  /** Task-wide number. */
  readonly number: number
  readonly id: ChannelId
  readonly gate: number
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
  private readonly queue: Deque<ChannelMessage>
  private queuedBuffers = 0
  private queuedRecords = 0
  private queuedBytes = 0

  constructor(number: number, id: ChannelId, gate: number, input: number, layout: BatchLayout) {
    this.number = number
    this.id = id
    this.gate = gate
    this.input = input
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
    }
    this.queue.pushBack(message)
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
    }
    return message
  }

  report(): InputChannelReport {
    const inWork = this.reader.buffer
    const left = inWork === null ? 0 : inWork.count - this.reader.index
    return {
      channel: this.id,
      blocked: this.isBlocked,
      buffers: this.held,
      records: this.queuedRecords + left,
      bytes: this.queuedBytes + (inWork === null ? 0 : inWork.bytes),
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
