/**
 * Reads partitions of a replayable log. Flink: SourceOperator with a KafkaSourceReader (FLIP-27, behaviour 18). State: list
 * `SourceReaderState`, one split with its offset each. After a restore it goes on at those offsets, so records since then are read again.
 * Simplified: no watermarks yet, and the partitions are read in turn, one record each (paced) or one fetched block each.
 */
import type { OperatorEvent } from '../../model/control.ts'
import type { SnapshotPart } from '../../model/events.ts'
import type { OperatorDescription } from '../../model/job-graph.ts'
import type { OutsideResult } from '../../model/outside.ts'
import type { Value } from '../../model/schema.ts'
import { MICROS_PER_SECOND, type EngineTime } from '../../model/time.ts'
import { NO_TIMESTAMP, OperatorBase } from '../operator-base.ts'
import type { Operator, OperatorContext, SourceOperator, SourceStatus } from '../operator.ts'
import { LogSplitReader } from './log-split-reader.ts'
import { Pacer, rateOf } from './pacer.ts'
import { decodeLogSplit, decodeStateElement, encodeLogSplit, encodeStateElement, READER_STATE } from './split-codec.ts'

/** How often an idle reader looks for new rows. */
const IDLE_POLL_MICROS = MICROS_PER_SECOND

export class LogSourceOperator extends OperatorBase implements SourceOperator {
  private readonly bounded: boolean
  private readonly pacer: Pacer
  private readers: LogSplitReader[] = []
  /** Which reader is next. */
  private turn = 0
  private noMoreSplits = false
  private probeAt: EngineTime | null = null
  /** Rows of each partition that are read as one, without a position inside. */
  private readonly snapshotRows: number
  private snapshotReported = false

  constructor(description: OperatorDescription) {
    super()
    this.bounded = description.params['bounded'] === true
    this.pacer = new Pacer(rateOf(description.params))
    this.snapshotRows = (description.params['initialSnapshot'] as number | undefined) ?? 0
  }

  get holdsCheckpointLock(): boolean {
    return this.snapshotRows > 0 && this.readers.some((reader) => reader.offset < this.snapshotRows && !reader.isDone && !reader.isAtEnd)
  }

  override open(context: OperatorContext, restoredCheckpoint: number | null): void {
    super.open(context, restoredCheckpoint)
    for (const element of context.operatorState.listState(READER_STATE, 'SPLIT_DISTRIBUTE').get()) {
      const reader = new LogSplitReader(decodeLogSplit(decodeStateElement('log', element)))
      this.readers.push(reader)
      context.event({ type: 'SourceRewound', operator: context.description.operatorId, split: reader.name, to: reader.offset })
    }
    context.sendToCoordinator({ type: 'reader-registered', subtask: context.subtask })
    for (const reader of this.readers) this.prefetch(reader, true)
  }

  onCoordinatorEvent(event: OperatorEvent): void {
    if (event.type === 'no-more-splits') {
      this.noMoreSplits = true
      this.reportSnapshotRead()
    }
    if (event.type !== 'add-splits') return
    for (const bytes of event.splits) {
      const reader = new LogSplitReader(decodeLogSplit(bytes))
      this.readers.push(reader)
      this.ctx.event({ type: 'SplitAssigned', operator: this.ctx.description.operatorId, split: reader.name, offset: reader.offset })
      this.prefetch(reader, true)
    }
  }

  poll(budget: number, mayEmit: () => boolean): SourceStatus {
    let left = budget
    while (left > 0) {
      const index = this.nextReader()
      const reader = this.readers[index]
      if (reader === undefined) return this.nothingToRead()
      if (!this.pacer.isDue(this.ctx.now())) {
        this.ctx.setTimer(this.pacer.nextAt)
        return 'idle'
      }
      const emitted = this.emitFrom(reader, this.pacer.isPaced ? 1 : left, mayEmit)
      if (emitted === 0) return 'more'
      left -= emitted
      this.turn = (index + 1) % this.readers.length
      if (reader.isAtEnd) this.reportIdle(reader)
      this.reportSnapshotRead()
    }
    return 'more'
  }

  override onOutsideReply(request: number, result: OutsideResult): void {
    const reader = this.readers.find((candidate) => candidate.awaits(request))
    if (reader === undefined) return
    if (!result.ok) {
      this.ctx.fail(`${this.ctx.description.name}: reading ${reader.name} at offset ${reader.offset} failed: ${result.message}`, { detail: result.reason })
      return
    }
    if (result.fetched !== undefined) reader.fetched(request, result.fetched, this.bounded)
    if (reader.isAtEnd) this.reportIdle(reader)
    this.prefetch(reader, false)
  }

  /** Looks for new rows at the end; a wake-up for pacing needs nothing here, since the task polls. */
  override onTimer(): void {
    if (this.probeAt === null || this.ctx.now() < this.probeAt) return
    this.probeAt = null
    for (const reader of this.readers) this.prefetch(reader, true)
  }

  override snapshotState(_checkpointId: number): void {
    const elements = this.readers.map((reader) => encodeStateElement('log', encodeLogSplit(reader.split)))
    this.ctx.operatorState.listState(READER_STATE, 'SPLIT_DISTRIBUTE').update(elements)
  }

  override snapshotParts(): readonly SnapshotPart[] {
    const offsets = this.readers.map((reader) => ({ split: reader.name, offset: reader.offset }))
    return [{ operator: this.ctx.description.operatorId, kind: 'offsets', entries: this.readers.length, offsets }]
  }

  override report(): ReturnType<Operator['report']> {
    const splits = this.readers.map((reader) => ({
      split: reader.name,
      partition: reader.partition,
      offset: reader.offset,
      first: 0,
      end: reader.stop ?? reader.end ?? reader.offset,
    }))
    return { splits, transactions: null }
  }

  /** Position of the next reader with rows, in turn; −1 without one. */
  private nextReader(): number {
    const count = this.readers.length
    for (let i = 0; i < count; i++) {
      const index = (this.turn + i) % count
      if ((this.readers[index] as LogSplitReader).hasRow) return index
    }
    return -1
  }

  private nothingToRead(): SourceStatus {
    if (this.bounded && this.noMoreSplits && this.readers.every((reader) => reader.isDone)) return 'ended'
    if (!this.bounded && this.probeAt === null && this.readers.length > 0 && this.readers.every((reader) => reader.isAtEnd)) {
      this.probeAt = this.ctx.now() + IDLE_POLL_MICROS
      this.ctx.setTimer(this.probeAt)
    }
    return 'idle'
  }

  /** Emits up to `limit` rows of the reader's current block. */
  private emitFrom(reader: LogSplitReader, limit: number, mayEmit: () => boolean): number {
    const context = this.ctx
    const { rows, index } = reader.current()
    const end = Math.min(rows.length, index + limit, reader.stop === null ? Infinity : index + reader.stop - reader.offset)
    let at = index
    while (at < end && mayEmit()) {
      context.reading(reader.partition, reader.offset + at - index, false)
      context.emit(rows[at] as Value, NO_TIMESTAMP)
      this.pacer.emitted(context.now())
      at++
    }
    reader.advance(at - index)
    this.prefetch(reader, false)
    return at - index
  }

  private prefetch(reader: LogSplitReader, probe: boolean): void {
    for (let op = reader.nextFetch(probe); op !== null; op = reader.nextFetch(false)) reader.requested(this.ctx.outside(op), op)
  }

  private reportSnapshotRead(): void {
    if (this.snapshotRows === 0 || this.snapshotReported || !this.noMoreSplits || this.holdsCheckpointLock) return
    this.snapshotReported = true
    this.ctx.sendToCoordinator({ type: 'snapshot-read', subtask: this.ctx.subtask })
  }

  private reportIdle(reader: LogSplitReader): void {
    if (reader.idleReported || reader.isDone) return
    reader.idleReported = true
    this.ctx.event({ type: 'SourceIdle', operator: this.ctx.description.operatorId, split: reader.name, offset: reader.offset })
  }
}
