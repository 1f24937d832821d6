/**
 * Makes records of a seed and a position. Flink: DataGeneratorSource over a number sequence (FLIP-27). State: list `SourceReaderState`, the
 * splits of the sequence with their positions. The same position always gives the same record.
 */
import type { OperatorEvent } from '../../model/control.ts'
import type { SnapshotPart } from '../../model/events.ts'
import type { OperatorDescription } from '../../model/job-graph.ts'
import { RUN_RECORDS_MAX, RunColumns } from '../../model/run-columns.ts'
import type { Value } from '../../model/schema.ts'
import { NO_TIMESTAMP, OperatorBase } from '../operator-base.ts'
import type { Operator, OperatorContext, SourceOperator, SourceStatus } from '../operator.ts'
import { KeySampler, wordOf } from './key-sampler.ts'
import { Pacer, rateOf } from './pacer.ts'
import { decodeSequenceSplit, decodeStateElement, encodeSequenceSplit, encodeStateElement, READER_STATE, type SequenceSplit } from './split-codec.ts'

const VALUES = 100
/** Its timestamps stay what they are: records of this source have none. */
const COLUMNS = new RunColumns()

interface Progress {
  readonly id: string
  next: number
  readonly to: number
}

export class GeneratorSourceOperator extends OperatorBase implements SourceOperator {
  private readonly pairs: boolean
  private readonly pacer: Pacer
  private sampler: KeySampler
  private readonly words: readonly string[]
  /** The task's number of each word. */
  private numbers = new Int32Array(0)
  /** The first one is being read. */
  private splits: Progress[] = []
  private finished: Progress[] = []
  private requested = false
  private readonly keys: number
  private readonly seed: number
  /** Changed while the job runs; null: as the parameters say. */
  private skew: number | null
  private isOpen = false
  private noMoreSplits = false
  private readonly isEndless: boolean

  constructor(description: OperatorDescription) {
    super()
    const params = description.params
    const keys = (params['keys'] as number | undefined) ?? 100
    this.keys = keys
    this.isEndless = typeof params['count'] !== 'number'
    this.seed = (params['seed'] as number | undefined) ?? 1
    this.skew = description.skew ?? null
    this.pairs = (params['rows'] ?? 'pair') === 'pair'
    this.pacer = new Pacer(rateOf(params))
    this.sampler = new KeySampler(keys, this.skew ?? (params['skew'] as number | undefined) ?? 0, this.seed)
    this.words = Array.from({ length: keys }, (_, k) => (this.pairs ? `key-${k}` : wordOf(k)))
  }

  override open(context: OperatorContext, restoredCheckpoint: number | null): void {
    super.open(context, restoredCheckpoint)
    this.isOpen = true
    this.numbers = Int32Array.from(this.words, (word) => context.words.numberOf(word))
    for (const element of context.operatorState.listState(READER_STATE, 'SPLIT_DISTRIBUTE').get()) {
      const split = this.add(decodeSequenceSplit(decodeStateElement('sequence', element)))
      context.event({ type: 'SourceRewound', operator: context.description.operatorId, split: split.id, to: split.next, ...beginning(split) })
    }
    context.sendToCoordinator({ type: 'reader-registered', subtask: context.subtask })
    this.requestIfEmpty()
  }

  /** From the next record on: what a replay reads again after that is drawn anew as well. */
  setSkew(skew: number): void {
    this.skew = skew
    this.sampler = new KeySampler(this.keys, skew, this.seed)
    if (this.isOpen) for (const split of this.splits) this.reportSkew(split, skew)
  }

  onCoordinatorEvent(event: OperatorEvent): void {
    if (event.type === 'no-more-splits') this.noMoreSplits = true
    if (event.type !== 'add-splits') return
    this.requested = false
    for (const bytes of event.splits) {
      const split = this.add(decodeSequenceSplit(bytes))
      this.ctx.event({ type: 'SplitAssigned', operator: this.ctx.description.operatorId, split: split.id, offset: split.next, ...beginning(split) })
    }
  }

  poll(budget: number, mayEmit: () => boolean): SourceStatus {
    let left = budget
    while (left > 0) {
      const split = this.splits[0]
      if (split === undefined) return this.noMoreSplits ? 'ended' : 'idle'
      if (!this.pacer.isDue(this.ctx.now())) {
        this.ctx.setTimer(this.pacer.nextAt)
        return 'idle'
      }
      const emitted = this.emitFrom(split, this.pacer.isPaced ? 1 : left, mayEmit)
      if (emitted === 0) return 'more'
      left -= emitted
      if (split.next > split.to) {
        this.splits.shift()
        this.finished.push(split)
        this.requestIfEmpty()
      }
    }
    return 'more'
  }

  override snapshotState(_checkpointId: number): void {
    const elements = this.splits.map((split) => encodeStateElement('sequence', encodeSequenceSplit(split)))
    this.ctx.operatorState.listState(READER_STATE, 'SPLIT_DISTRIBUTE').update(elements)
  }

  override snapshotParts(): readonly SnapshotPart[] {
    const offsets = this.splits.map((split) => ({ split: split.id, offset: split.next, ...beginning(split) }))
    return [{ operator: this.ctx.description.operatorId, kind: 'offsets', entries: this.splits.length, offsets }]
  }

  override report(): ReturnType<Operator['report']> {
    const splits = [...this.finished, ...this.splits].map((split) => ({
      split: split.id,
      partition: partitionOf(split),
      offset: split.next,
      first: firstOf(split),
      end: this.isEndless ? null : split.to + 1,
    }))
    return { splits, transactions: null }
  }

  private add(split: SequenceSplit): Progress {
    const progress = { id: split.id, next: split.next, to: split.to }
    this.splits.push(progress)
    if (this.skew !== null) this.reportSkew(progress, this.skew)
    return progress
  }

  private reportSkew(split: Progress, skew: number): void {
    const { id, next, to } = split
    this.ctx.event({ type: 'KeySkewChanged', operator: this.ctx.description.operatorId, split: id, from: next, to, skew, ...beginning(split) })
  }

  private requestIfEmpty(): void {
    if (this.splits.length > 0 || this.requested || this.noMoreSplits) return
    this.requested = true
    this.ctx.sendToCoordinator({ type: 'request-split', subtask: this.ctx.subtask })
  }

  private emitFrom(split: Progress, limit: number, mayEmit: () => boolean): number {
    const context = this.ctx
    const { words, numbers, pairs, pacer, sampler } = this
    const inHand = context.words
    const partition = partitionOf(split)
    const end = Math.min(split.to + 1, split.next + limit)
    const start = split.next
    let position = start
    while (position < end && mayEmit()) {
      position = this.writeNumbered(position, end)
      if (position >= end) break
      const key = sampler.keyAt(position)
      const word = words[key] as string
      inHand.inHand = word
      inHand.number = numbers[key] as number
      const value: Value = pairs ? [word, this.figureAt(position)] : word
      context.reading(partition, position, false)
      context.emit(value, NO_TIMESTAMP)
      position++
    }
    split.next = position
    if (position > start) pacer.emitted(context.now())
    return position - start
  }

  /** As many records as can go the short way; returns the position of the first that cannot. */
  private writeNumbered(from: number, end: number): number {
    const { numbers, pairs, sampler } = this
    const output = this.ctx.numbered
    if (output === null) return from
    let position = from
    while (position < end) {
      const count = Math.min(RUN_RECORDS_MAX, end - position)
      for (let i = 0; i < count; i++) COLUMNS.numbers[i] = numbers[sampler.keyAt(position + i)] as number
      if (pairs) for (let i = 0; i < count; i++) COLUMNS.figures[i] = this.figureAt(position + i)
      const placed = output.place(COLUMNS, count)
      output.write(COLUMNS, placed)
      position += placed
      if (placed < count) break
    }
    this.ctx.wroteNumbered(position - from)
    return position
  }

  /** Beside the key of a pair. */
  private figureAt(position: number): number {
    return 1 + (this.sampler.bits(position, 1) % VALUES)
  }
}

/** Splits of a sequence are numbered from 1. */
const partitionOf = (split: { readonly id: string }): number => Number(split.id) - 1

/** A split keeps its end alone. All before it are as long as it is, or longer by one as long as there is a rest (`splitSequence`). */
const firstOf = (split: { readonly id: string; readonly to: number }): number => split.to + 1 - Math.floor((split.to + 1) / Number(split.id))

/** As events tell it. */
function beginning(split: Progress): { readonly first?: number } {
  const first = firstOf(split)
  return first === 0 ? {} : { first }
}
