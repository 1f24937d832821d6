/**
 * Input gates that feed the chain: takes buffers and events from the channels in turn, and records from the buffers. Flink:
 * StreamOneInputProcessor / StreamMultipleInputProcessor with CheckpointedInputGate. `processRecords` is the hot path of every task that is
 * not a source.
 */
import { unreachable } from '../base/assert.ts'
import type { BarrierHandler } from '../checkpointing/barrier-handler.ts'
import type { ChannelEvent, CheckpointBarrier, DataBuffer } from '../model/wire.ts'
import type { InputChannel } from '../network/input-channel.ts'
import type { InputGates } from '../network/input-gates.ts'
import { NO_WORD } from '../network/task-words.ts'
import { UNKNOWN_LINEAGE } from '../network/transport-effects.ts'
import type { ProcessingOperator } from '../operators/operator.ts'
import type { OperatorChain } from './operator-chain.ts'
import type { TaskEffects } from './task-effects.ts'
import type { RecordPermit, TaskInputProcessor } from './task-input-processor.ts'
import { WatermarkValve } from './watermark-valve.ts'

export class GateInput implements TaskInputProcessor {
  recordsIn = 0
  bytesIn = 0
  isRecordInHand = false
  isEndOfData = false
  isDrained = true
  /** Bytes of buffers taken since the first barrier of the checkpoint that is being aligned. */
  alignmentBytes = 0
  private readonly gates: InputGates
  private readonly chain: OperatorChain
  private readonly effects: TaskEffects
  private readonly permit: RecordPermit
  private readonly handler: BarrierHandler
  private readonly valve: WatermarkValve
  /** Inputs that were stopped, not drained: they go on after a restart. */
  private readonly suspended = new Set<number>()
  /** The channel whose buffer is in work. */
  private current: InputChannel | null = null

  constructor(gates: InputGates, chain: OperatorChain, handler: BarrierHandler, effects: TaskEffects, permit: RecordPermit) {
    this.gates = gates
    this.chain = chain
    this.handler = handler
    this.effects = effects
    this.permit = permit
    this.valve = new WatermarkValve(gates.channels.length)
    this.numberKeyWords()
  }

  /** Where the key is one String. */
  private numberKeyWords(): void {
    const { head } = this.chain
    for (const { input, reader } of this.gates.channels) {
      const column = head.selectors[input]?.column ?? -1
      if (head.keyed !== null && column >= 0 && head.description.inputs[input]?.fields[column]?.type === 'String') {
        reader.numberKeys(column, this.effects.words)
      }
    }
  }

  get hasWork(): boolean {
    return this.current !== null || this.gates.hasData
  }

  get hasPriority(): boolean {
    return this.gates.hasPriority && !this.isRecordInHand
  }

  process(budget: number): void {
    let left = budget
    const wasEndOfData = this.isEndOfData
    // At the end of data the operators finish before anything that stands behind it, a barrier above all.
    while (left > 0 && this.isEndOfData === wasEndOfData) {
      if (this.gates.hasPriority && !this.isRecordInHand) {
        if (!this.permit.mayHandlePriority()) return
        this.processPriority()
        left--
        continue
      }
      // The record in hand may be completed whatever the outputs say (overdraft).
      if (this.isRecordInHand ? this.chain.isWaiting : !this.permit.mayTakeRecord()) return
      if (this.current !== null) {
        const done = this.processBuffer(this.current, left)
        if (done === 0) return
        left -= done
        // Mails and priority events come between any two records that take time.
        if (this.permit.costMicros > 0) return
        continue
      }
      const channel = this.gates.pick()
      if (channel === null) return
      const message = channel.poll()
      if (message === undefined) return
      left--
      if (message.kind === 'event') {
        this.processEvent(channel, message)
      } else {
        this.openBuffer(channel, message)
      }
    }
  }

  /** Between two records, also in the middle of a buffer: what is left of it is in flight. */
  private processPriority(): void {
    const { channel, barrier, isAnnouncement } = this.gates.takePriority()
    if (isAnnouncement) this.handler.processAnnouncement(channel.number, barrier, this.effects.now)
    else this.processBarrier(channel, barrier)
  }

  private processBarrier(channel: InputChannel, barrier: CheckpointBarrier): void {
    const { effects } = this
    if (effects.traced) {
      effects.trace({ type: 'barrier', at: effects.now, channel: channel.id, checkpointId: barrier.checkpointId, step: 'taken' })
    }
    this.handler.processBarrier(channel.number, barrier, effects.now, false)
  }

  private openBuffer(channel: InputChannel, buffer: DataBuffer): void {
    this.bytesIn += buffer.bytes
    if (this.handler.aligning() !== null) this.alignmentBytes += buffer.bytes
    channel.reader.open(buffer)
    this.current = channel
  }

  /** Works on the open buffer; the number of elements done, 0 where the task must wait. Gives the buffer back at its end. */
  private processBuffer(channel: InputChannel, budget: number): number {
    const { reader } = channel
    let done = 0
    while (done < budget) {
      const watermark = reader.takeWatermark()
      if (watermark === watermark) {
        this.processWatermark(channel, watermark)
        done++
        if (!this.permit.mayTakeRecord()) return done
        continue
      }
      const buffer = reader.buffer as DataBuffer
      if (reader.index >= buffer.count) {
        this.current = null
        this.gates.recycle(channel)
        return Math.max(1, done)
      }
      const before = reader.index
      this.processRecords(channel, buffer, Math.min(reader.nextStop, before + budget - done))
      if (reader.index === before) return done
      done += reader.index - before
      if (this.permit.costMicros > 0 || !this.permit.mayTakeRecord()) break
    }
    // Gives the payload back at once rather than at the next call.
    if (this.current !== null && this.isAtEnd(channel)) {
      this.current = null
      this.gates.recycle(channel)
    }
    return done
  }

  private isAtEnd(channel: InputChannel): boolean {
    const { reader } = channel
    const buffer = reader.buffer as DataBuffer
    return reader.index >= buffer.count && reader.watermarksTaken
  }

  /** Records up to `end`, or until the task must wait. */
  private processRecords(channel: InputChannel, buffer: DataBuffer, end: number): void {
    const { reader, input } = channel
    const { permit, chain } = this
    const { words } = this.effects
    const isPlain = permit.costMicros === 0 && !this.effects.traced && !this.isRecordInHand
    const { head } = chain
    const selector = head.selectors[input] ?? null
    const keyed = selector === null ? null : head.keyed
    const operator = head.operator as ProcessingOperator
    const start = reader.index
    // Only the head sees runs: in a chain each record goes on to the next operator by itself.
    const takesRuns = isPlain && operator.processRun !== undefined && chain.nodes.length === 1
    reader.end = end
    let i = start
    while (i < end) {
      if (takesRuns) {
        operator.processRun?.(input, reader)
        i = reader.index
        if (i >= end) break
      }
      if (!isPlain && !this.takeRecord(channel, buffer, i)) break
      const value = reader.value(i)
      if (keyed !== null && selector !== null) {
        reader.takeKeyWord(i)
        keyed.setCurrentKey(selector.keyOf(value), words.number)
      }
      operator.processElement(input, value, reader.timestamp(i))
      i++
      reader.index = i
      if (permit.costMicros > 0 || !permit.mayTakeRecord()) break
    }
    words.number = NO_WORD
    this.recordsIn += i - start
    if (!isPlain) this.effects.beginRecord(null)
  }

  /** False: its cost is not over yet. A record is taken first, and processed when its time has been paid. */
  private takeRecord(channel: InputChannel, buffer: DataBuffer, index: number): boolean {
    const { effects } = this
    if (!this.isRecordInHand) {
      const until = effects.now + this.permit.costMicros
      effects.busyUntil = until
      if (effects.traced) effects.trace({ type: 'taken', at: effects.now, channel: channel.id, attempt: effects.attempt, until })
      if (until > effects.now) {
        this.isRecordInHand = true
        return false
      }
    } else if (effects.now < effects.busyUntil) {
      return false
    }
    this.isRecordInHand = false
    effects.beginRecord(effects.traced ? (buffer.lineage?.[index] ?? UNKNOWN_LINEAGE) : null)
    return true
  }

  private processWatermark(channel: InputChannel, watermark: number): void {
    const advanced = this.valve.advance(channel.number, watermark)
    if (advanced === advanced) (this.chain.head.operator as ProcessingOperator).processWatermark(advanced)
  }

  private processEvent(channel: InputChannel, message: ChannelEvent): void {
    const { event } = message
    const { effects } = this
    switch (event.type) {
      case 'barrier':
        this.processBarrier(channel, event)
        return
      case 'cancel-checkpoint':
        this.handler.processCancellation(channel.number, event.checkpointId, effects.now)
        return
      case 'end-of-data':
        this.processEndOfData(channel, event.drain)
        return
      case 'end-of-partition':
        this.gates.finish(channel)
        this.handler.processEndOfPartition(channel.number, effects.now)
        return
      default:
        unreachable(event)
    }
  }

  /** Ends an input of the head when all of its channels have ended, none of them for a stop without drain; all inputs ended = the chain may finish. */
  private processEndOfData(channel: InputChannel, drain: boolean): void {
    channel.isEndOfData = true
    if (!drain) this.suspended.add(channel.input)
    this.isDrained &&= drain
    this.effects.feedback(channel.number, { kind: 'all-data-processed' })
    const { channels } = this.gates
    if (!this.suspended.has(channel.input) && channels.every((other) => other.input !== channel.input || other.isEndOfData)) {
      ;(this.chain.head.operator as ProcessingOperator).endInput(channel.input)
    }
    this.isEndOfData = channels.every((other) => other.isEndOfData)
  }
}
