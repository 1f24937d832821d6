/**
 * The sender's end of one channel. Flink: PipelinedSubpartition with its view and credit. A data buffer leaves against a credit and tells the
 * backlog; events need no credit and keep their place. After an aligned barrier has left, nothing leaves until the receiver resumes
 * (behaviour 6.2, 8.2): what comes behind the barrier piles up here, which is how alignment becomes back-pressure.
 */
import { Deque } from '../base/deque.ts'
import { asUnaligned, isTimeoutable, isUnaligned, needsAlignment } from '../model/alignment.ts'
import type { ChannelId, CheckpointId } from '../model/ids.ts'
import type { BarrierPosition, OutputChannelReport } from '../model/report.ts'
import type { RunColumns } from '../model/run-columns.ts'
import type { Schema, Value } from '../model/schema.ts'
import type { EngineTime } from '../model/time.ts'
import type { ChannelEvent, ChannelFeedback, CheckpointBarrier, DataBuffer, Lineage } from '../model/wire.ts'
import { BatchBuilder } from './batch-builder.ts'
import { BatchReader } from './batch-reader.ts'
import { InFlightBuffer } from './in-flight-buffer.ts'
import { BUFFERS_PER_SUBPARTITION_MAX, EVENTS_PER_QUEUE_MAX, OVERDRAFT_BUFFERS_MAX, outputPoolSize } from './network-limits.ts'
import { LINK_TIMER, RatedLink } from './rated-link.ts'
import type { BatchLayout } from './record-batch.ts'
import { UNKNOWN_LINEAGE } from './transport-effects.ts'
import type { TransportEffects } from './transport-effects.ts'

/** As many checkpoints may be under way at once, as a rule. */
const BARRIERS_REPORTED = 4

/** How much of a partition's buffer pool its subpartitions hold. Flink: LocalBufferPool. */
export interface PoolUse {
  used: number
  /** Subpartitions that have reached their maximum, and one more while output waits for this pool (pending-output.ts). */
  atMax: number
  readonly size: number
}

export interface ResultSubpartitionOptions {
  readonly channel: ChannelId
  /** Task-wide number. */
  readonly output: number
  readonly layout: BatchLayout
  readonly schema: Schema
  readonly pool: PoolUse
  readonly lastBarrier: CheckpointId
  /** What the channel takes a second, in bytes of Flink's encoding; null: as much as comes. */
  readonly bytesPerSecond: number | null
  readonly effects: TransportEffects
}

export class ResultSubpartition {
  readonly channel: ChannelId
  readonly output: number
  readonly builder: BatchBuilder
  /** The last barrier put in, or the checkpoint that the task was restored from: marks traced records. */
  lastBarrier: CheckpointId
  allDataProcessed = false
  /** A buffer is open to be written into. */
  isOpen = false
  private readonly effects: TransportEffects
  private readonly pool: PoolUse
  private readonly layout: BatchLayout
  private readonly schema: Schema
  private readonly queue: Deque<DataBuffer | ChannelEvent>
  private readonly link: RatedLink
  private credits = 0
  private stopped = false
  private flushRequested = false
  private buffers = 0
  private queuedBuffers = 0
  private queuedRecords = 0
  private queuedBytes = 0
  private sealed = 0
  /** Buffers that the receiver has read and given back. */
  private returned = 0
  private eventSequence = 0
  private barriers: readonly BarrierPosition[] = []
  private sentRecords = 0
  private sentBuffers = 0
  private sentBytes = 0

  constructor({ channel, output, layout, schema, pool, lastBarrier, bytesPerSecond, effects }: ResultSubpartitionOptions) {
    this.channel = channel
    this.output = output
    this.layout = layout
    this.schema = schema
    this.pool = pool
    this.lastBarrier = lastBarrier
    this.effects = effects
    this.link = new RatedLink(bytesPerSecond)
    this.builder = new BatchBuilder(layout, outputPoolSize(1), effects.words)
    this.queue = new Deque(`subpartition ${channel}`, pool.size + OVERDRAFT_BUFFERS_MAX + EVENTS_PER_QUEUE_MAX)
  }

  /**
   * A buffer to write into, from the pool or, for the record in hand, from the overdraft. True: look closer, either word numbers are void (a new
   * dictionary epoch), or the overdraft is used up and the subpartition not open.
   */
  ensureOpen(): boolean {
    if (this.isOpen) return false
    const pool = this.pool
    if (pool.used >= pool.size + OVERDRAFT_BUFFERS_MAX) return true
    pool.used++
    this.buffers++
    if (this.buffers === BUFFERS_PER_SUBPARTITION_MAX) pool.atMax++
    this.isOpen = true
    if (!this.builder.open()) return false
    const oldest = this.queue.toArray().find((item) => item.kind === 'buffer')
    const { dictionary } = this.builder
    dictionary.forgetBefore(oldest?.kind === 'buffer' ? oldest.dictionaryEpoch : dictionary.epoch)
    return true
  }

  append(value: Value, timestamp: number, keyColumn: number, keyWord: number): void {
    if (this.builder.append(value, timestamp, keyColumn, keyWord)) {
      this.seal()
      this.pump()
    }
  }

  /** As `append`, of a word and its figure (operators/record-run.ts). The buffer must be open. */
  appendNumbered(word: number, figure: number, timestamp: number): void {
    if (this.builder.appendNumbered(word, figure, timestamp)) {
      this.seal()
      this.pump()
    }
  }

  /** As `append`, of words and their figures. The buffer must be open, with room for all of them. */
  appendRun(places: Int32Array, columns: RunColumns, count: number): void {
    if (this.builder.appendRun(places, columns, count)) {
      this.seal()
      this.pump()
    }
  }

  /** As `append`, with the record's place in the trace. */
  appendTraced(value: Value, timestamp: number, lineage: Lineage, text: string): void {
    const isFull = this.builder.append(value, timestamp, -1, -1)
    this.builder.appendLineage(lineage, UNKNOWN_LINEAGE)
    this.effects.trace({
      type: 'queued',
      at: this.effects.now,
      channel: this.channel,
      record: { ...lineage, label: text, checkpoint: this.lastBarrier + 1 },
    })
    if (!isFull) return
    this.seal()
    this.pump()
  }

  /** The buffer must be open. */
  appendWatermark(value: number): void {
    this.builder.appendWatermark(value)
  }

  /** Closes the open buffer and puts the event behind it. */
  addEvent(event: ChannelEvent['event']): void {
    if (this.isOpen) this.seal()
    if (this.queue.size - this.queuedBuffers >= EVENTS_PER_QUEUE_MAX) throw new RangeError(tooManyEvents(this.channel))
    this.queue.pushBack(this.eventOf(event))
    if (event.type === 'barrier') this.noteBarrier(event.checkpointId, this.queuedBuffers, this.queuedRecords, false)
    this.pump()
  }

  /** An unaligned barrier goes to the head of the queue. What it overtakes is returned. */
  addPriorityBarrier(barrier: CheckpointBarrier): readonly InFlightBuffer[] {
    if (this.isOpen) this.seal()
    const overtaken = this.keepQueued(this.queue.size)
    this.pushAfterPriority(this.eventOf(barrier))
    this.noteBarrier(barrier.checkpointId, 0, 0, true)
    this.pump()
    return overtaken
  }

  /** The aligned barrier of this checkpoint has not left, and may still time out. */
  hasTimeoutableBarrier(checkpointId: CheckpointId): boolean {
    return this.indexOfTimeoutable(checkpointId) >= 0
  }

  /** The time is over: a barrier that is still stuck goes to the head, unaligned; what it overtakes is returned, null where it had left. */
  timeOutBarrier(checkpointId: CheckpointId): readonly InFlightBuffer[] | null {
    const at = this.indexOfTimeoutable(checkpointId)
    if (at < 0) return null
    const overtaken = this.keepQueued(at)
    const items = this.queue.toArray()
    const [stuck] = items.splice(at, 1)
    this.queue.clear()
    for (const item of items) this.queue.pushBack(item)
    this.pushAfterPriority(this.eventOf(asUnaligned((stuck as ChannelEvent).event as CheckpointBarrier)))
    this.placeBarrier(checkpointId, 0, 0, true)
    this.pump()
    return overtaken
  }

  /** Lets an unfinished buffer leave as soon as it may. Flink: PipelinedSubpartition.flush. */
  flush(): void {
    if (!this.isOpen) return
    this.flushRequested = true
    this.pump()
  }

  onFeedback(feedback: ChannelFeedback): void {
    switch (feedback.kind) {
      case 'credit':
        this.credits += feedback.credits
        this.returned += feedback.recycled.length
        this.builder.recycle(feedback.recycled)
        break
      case 'resume':
        this.stopped = false
        break
      case 'buffer-size':
        this.builder.segmentBytes = Math.min(feedback.bytes, this.layout.segmentBytes)
        return
      case 'all-data-processed':
        // Only events can follow, so there is nothing to hold back; and the receiver may finish before it could say resume.
        this.allDataProcessed = true
        this.stopped = false
        break
    }
    this.pump()
  }

  /** Holds at once, for what is on the link too; null: no limit. */
  setRate(bytesPerSecond: number | null): void {
    this.link.setRate(bytesPerSecond, this.effects.now)
    if (this.link.buffer !== null) this.wakeForLink()
    this.pump()
  }

  /** The last byte of what was on the link has left. */
  onLinkTimer(): void {
    this.pump()
  }

  /** Finished buffers that the receiver has not read yet, wherever they are. */
  get buffersUnderWay(): number {
    return this.sealed - this.returned
  }

  get isEmpty(): boolean {
    return this.queue.isEmpty && !this.isOpen && this.link.buffer === null
  }

  /** An unfinished buffer waits that nobody has asked to flush. */
  get needsFlush(): boolean {
    return this.isOpen && !this.flushRequested
  }

  get bytesSent(): number {
    return this.sentBytes
  }

  get buffersSent(): number {
    return this.sentBuffers
  }

  report(): OutputChannelReport {
    return {
      channel: this.channel,
      buffers: this.buffers - (this.link.buffer === null ? 0 : 1),
      records: this.queuedRecords + this.builder.count,
      bytes: this.queuedBytes + this.builder.bytes,
      credits: this.credits,
      stopped: this.stopped,
      sentRecords: this.sentRecords,
      sentBuffers: this.sentBuffers,
      barriers: this.barriers,
    }
  }

  private eventOf(event: ChannelEvent['event']): ChannelEvent {
    this.eventSequence++
    return { kind: 'event', sequence: this.eventSequence, event, sentAt: 0 }
  }

  private noteBarrier(checkpointId: CheckpointId, buffersAhead: number, recordsAhead: number, overtakes: boolean): void {
    this.lastBarrier = Math.max(this.lastBarrier, checkpointId)
    this.placeBarrier(checkpointId, buffersAhead, recordsAhead, overtakes)
    if (this.effects.traced) this.traceBarrier(checkpointId, 'queued')
  }

  private placeBarrier(checkpointId: CheckpointId, buffersAhead: number, recordsAhead: number, overtakes: boolean): void {
    const place = { checkpointId, buffersBefore: this.sentBuffers + buffersAhead, recordsBefore: this.sentRecords + recordsAhead, hasLeft: false, overtakes }
    this.barriers = [...this.barriers.filter((each) => each.checkpointId !== checkpointId), place].slice(-BARRIERS_REPORTED)
  }

  private indexOfTimeoutable(checkpointId: CheckpointId): number {
    for (let i = 0; i < this.queue.size; i++) {
      const item = this.queue.at(i)
      if (item?.kind !== 'event' || item.event.type !== 'barrier' || item.event.checkpointId !== checkpointId) continue
      return isTimeoutable(item.event.options) ? i : -1
    }
    return -1
  }

  /** Priority events keep their order among themselves. */
  private pushAfterPriority(event: ChannelEvent): void {
    const before: ChannelEvent[] = []
    for (let front = this.queue.front(); front !== undefined && isPriority(front); front = this.queue.front()) {
      before.push(front as ChannelEvent)
      this.queue.popFront()
    }
    this.queue.pushFront(event)
    for (const each of before.reverse()) this.queue.pushFront(each)
  }

  /** The data buffers among the first `end` items of the queue. */
  private keepQueued(end: number): readonly InFlightBuffer[] {
    const kept: InFlightBuffer[] = []
    const reader = new BatchReader(this.layout)
    for (let i = 0; i < end; i++) {
      const item = this.queue.at(i)
      if (item?.kind !== 'buffer') continue
      reader.openQueued(item, this.builder.dictionary.wordsOf(item.dictionaryEpoch))
      kept.push(new InFlightBuffer(reader, this.schema))
      reader.close()
    }
    return kept
  }

  /** Sends what may leave: while the link is free and the receiver has not stopped it, events at once and buffers against credits. */
  private pump(): void {
    let from = this.effects.now
    while (!this.stopped) {
      if (this.link.buffer !== null) {
        if (this.link.freeAt > this.effects.now) return
        // A timer may come late, and the next byte has not waited for it.
        from = this.link.freeAt
        this.leave(this.link.release(), from)
      }
      const front = this.queue.front()
      if (front === undefined) {
        if (!this.flushRequested || !this.isOpen || this.credits === 0) return
        this.seal()
      } else if (front.kind === 'event') {
        this.queue.popFront()
        this.sendEvent(front)
      } else {
        if (this.credits === 0) return
        this.queue.popFront()
        this.sendBuffer(front, from)
      }
    }
  }

  private seal(): void {
    this.sealed++
    const buffer = this.builder.seal(this.sealed, 0, UNKNOWN_LINEAGE)
    this.isOpen = false
    this.flushRequested = false
    this.queuedBuffers++
    this.queuedRecords += buffer.count
    this.queuedBytes += buffer.bytes
    this.queue.pushBack(buffer)
  }

  private sendBuffer(buffer: DataBuffer, from: EngineTime): void {
    this.credits--
    this.queuedBuffers--
    this.queuedRecords -= buffer.count
    this.queuedBytes -= buffer.bytes
    this.sentRecords += buffer.count
    this.sentBytes += buffer.bytes
    this.sentBuffers++
    const { effects, link } = this
    const takes = link.isLimited ? link.take(buffer, from) : 0
    if (effects.traced) {
      const { sequence, count: records } = buffer
      effects.trace({ type: 'sent', at: effects.now, channel: this.channel, sequence, records, ...(takes === 0 ? {} : { takes }) })
    }
    if (link.buffer === null) this.leave(buffer, effects.now)
    else this.wakeForLink()
  }

  /** The whole buffer is on its way: its memory is free again. */
  private leave(buffer: DataBuffer, sentAt: EngineTime): void {
    if (this.buffers === BUFFERS_PER_SUBPARTITION_MAX) this.pool.atMax--
    this.buffers--
    this.pool.used--
    const backlog = this.queuedBuffers + (this.flushRequested ? 1 : 0)
    this.effects.send(this.output, { ...buffer, backlog, sentAt })
  }

  private wakeForLink(): void {
    this.effects.setTimer(`${LINK_TIMER}${this.output}`, this.link.freeAt)
  }

  private sendEvent(event: ChannelEvent): void {
    const { effects } = this
    effects.send(this.output, { ...event, sentAt: effects.now })
    if (event.event.type !== 'barrier') return
    const { checkpointId } = event.event
    this.barriers = this.barriers.map((each) => (each.checkpointId === checkpointId ? { ...each, hasLeft: true } : each))
    this.stopped = needsAlignment(event.event.options) && !this.allDataProcessed
    if (effects.traced) this.traceBarrier(checkpointId, 'sent')
  }

  private traceBarrier(checkpointId: CheckpointId, step: 'queued' | 'sent'): void {
    this.effects.trace({ type: 'barrier', at: this.effects.now, channel: this.channel, checkpointId, step })
  }
}

const isPriority = (item: DataBuffer | ChannelEvent): boolean => item.kind === 'event' && item.event.type === 'barrier' && isUnaligned(item.event.options)

const tooManyEvents = (channel: ChannelId): string =>
  `${EVENTS_PER_QUEUE_MAX} barriers and other events wait at the sender of channel ${channel}, and no more are kept: the receiver takes nothing. With a longer execution.checkpointing.interval, or with unaligned checkpoints, fewer wait.`
