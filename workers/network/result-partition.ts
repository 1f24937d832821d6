/**
 * One output edge of a task: its subpartitions, the pool of their buffers, and the partitioner. Flink: PipelinedResultPartition with
 * RecordWriter. `emit` runs once per record.
 */
import type { CheckpointId } from '../model/ids.ts'
import type { PartitionDescription } from '../model/deployment.ts'
import { RUN_RECORDS_MAX } from '../model/run-columns.ts'
import type { RunColumns } from '../model/run-columns.ts'
import type { Scalar, Schema, Value } from '../model/schema.ts'
import type { ChannelEvent } from '../model/wire.ts'
import { recordLength, WATERMARK_LENGTH } from '../state/serializers/encoded-length.ts'
import { label } from './key-selector.ts'
import { outputPoolSize } from './network-limits.ts'
import { createPartitioner } from './partitioners/create-partitioner.ts'
import { KeyGroupPartitioner } from './partitioners/key-group-partitioner.ts'
import { ALL } from './partitioners/partitioner.ts'
import type { Partitioner } from './partitioners/partitioner.ts'
import { UNCHOSEN } from './pending-output.ts'
import type { PendingElement, PendingOutput, PendingTarget } from './pending-output.ts'
import { batchLayout } from './record-batch.ts'
import { ResultSubpartition } from './result-subpartition.ts'
import type { PoolUse } from './result-subpartition.ts'
import { NO_WORD } from './task-words.ts'
import type { TransportEffects } from './transport-effects.ts'
import { pack, PLACED_SUBPARTITIONS_MAX, subpartitionOf, UNKNOWN_PLACE, wordOf, WordPlaces } from './word-places.ts'

/** More columns of text could add more words to a dictionary in one buffer than its numbers have room for. */
const PLACED_COLUMNS_MAX = 100
/** From `place` to `write` alone. */
const PLACES = new Int32Array(RUN_RECORDS_MAX)

export interface ResultPartitionOptions {
  readonly description: PartitionDescription
  /** Task-wide number of the first subpartition. */
  readonly firstOutput: number
  readonly subtask: number
  readonly segmentBytes: number
  readonly restoredCheckpoint: CheckpointId
  /** Of the task. */
  readonly pending: PendingOutput
  readonly effects: TransportEffects
}

export class ResultPartition implements PendingTarget {
  readonly subpartitions: readonly ResultSubpartition[]
  readonly pool: PoolUse
  /** Barriers may overtake on this edge (behaviour 6.6). */
  readonly unalignedSupported: boolean
  records = 0
  private readonly effects: TransportEffects
  private readonly pending: PendingOutput
  private readonly schema: Schema
  private readonly partitioner: Partitioner
  private readonly byKey: KeyGroupPartitioner | null
  /** Set where a word alone says where its record goes; valid in the current dictionary epochs. */
  private readonly places: WordPlaces | null
  /** The subpartition, if there is one alone. */
  private readonly only: ResultSubpartition | null
  private readonly isBare: boolean
  private readonly isNumbered: boolean

  constructor(options: ResultPartitionOptions) {
    const { description, effects } = options
    const layout = batchLayout(description.schema, options.segmentBytes)
    this.effects = effects
    this.pending = options.pending
    this.schema = description.schema
    this.pool = { used: 0, atMax: 0, size: outputPoolSize(description.subpartitions.length) }
    this.subpartitions = description.subpartitions.map(
      (target, i) =>
        new ResultSubpartition({
          channel: target.id,
          output: options.firstOutput + i,
          layout,
          schema: description.schema,
          pool: this.pool,
          lastBarrier: options.restoredCheckpoint,
          bytesPerSecond: target.bytesPerSecond ?? null,
          effects,
        }),
    )
    this.only = this.subpartitions.length === 1 ? (this.subpartitions[0] as ResultSubpartition) : null
    this.unalignedSupported = description.unalignedSupported ?? true
    this.partitioner = createPartitioner(description, options.subtask)
    this.byKey = this.partitioner instanceof KeyGroupPartitioner ? this.partitioner : null
    const column = this.placedColumn(description)
    this.places = column >= 0 ? new WordPlaces(column, effects.words) : null
    this.isBare = layout.bare
    this.isNumbered = this.places?.column === 0 && (layout.bare || layout.hasFigure)
  }

  /** The short way (operators/record-run.ts) for bare words, and for rows of a word and a figure, where the word says where they go. */
  get numbered(): ResultPartition | null {
    return this.isNumbered && !this.pending.isDetour ? this : null
  }

  place(columns: RunColumns, count: number): number {
    const known = (this.places as WordPlaces).findNumbers(columns.numbers, count, PLACES)
    const { only, subpartitions } = this
    if (only !== null) return only.isOpen ? only.builder.room(PLACES, columns, known) : 0
    const { timestamps } = columns
    for (const { builder } of subpartitions) builder.plan()
    for (let i = 0; i < known; i++) {
      const place = PLACES[i] as number
      const subpartition = subpartitions[subpartitionOf(place)] as ResultSubpartition
      if (!subpartition.isOpen) return i
      if (subpartition.builder.isFullAfter(wordOf(place), timestamps[i] as number)) return i + 1
    }
    return known
  }

  write(columns: RunColumns, count: number): void {
    this.records += count
    const { only, subpartitions } = this
    if (only !== null) return only.appendRun(PLACES, columns, count)
    const { figures, timestamps } = columns
    for (let i = 0; i < count; i++) {
      const place = PLACES[i] as number
      ;(subpartitions[subpartitionOf(place)] as ResultSubpartition).appendNumbered(wordOf(place), figures[i] as number, timestamps[i] as number)
    }
  }

  emit(value: Value, timestamp: number): void {
    if (this.pending.isDetour) {
      this.offer({ to: this, value, timestamp, lineage: this.effects.traced ? this.effects.nextLineage() : null, next: UNCHOSEN, end: 0 })
      return
    }
    this.records++
    if (this.places !== null && (this.byKey !== null || this.effects.words.number !== NO_WORD)) this.emitByWord(this.places, value, timestamp)
    else {
      const selected = this.partitioner.select(value)
      if (selected === ALL) this.appendToAll(value, timestamp)
      else this.appendTo(selected, value, timestamp)
    }
  }

  /** To every subpartition: a watermark is an element of the stream, inside the buffers. */
  emitWatermark(watermark: number): void {
    this.offer({ to: this, value: null, timestamp: watermark, lineage: null, next: 0, end: this.subpartitions.length })
  }

  broadcastEvent(event: ChannelEvent['event']): void {
    for (const subpartition of this.subpartitions) subpartition.addEvent(event)
  }

  /** Restored in-flight data goes first: to where its key belongs, or into the subpartition that it was given to. */
  emitRecovered(target: number, value: Value, timestamp: number): void {
    const next = this.byKey === null ? target : this.byKey.select(value)
    this.offer({ to: this, value, timestamp, lineage: null, next, end: next + 1 })
  }

  emitRecoveredWatermark(target: number, watermark: number): void {
    this.offer({ to: this, value: null, timestamp: watermark, lineage: null, next: target, end: target + 1 })
  }

  writeElement(element: PendingElement): boolean {
    const { value, timestamp } = element
    if (element.next === UNCHOSEN) this.choose(element, value as Value)
    for (; element.next < element.end; element.next++) {
      const subpartition = this.subpartitions[element.next] as ResultSubpartition
      if (!this.opens(subpartition)) return false
      if (value === null) subpartition.appendWatermark(timestamp)
      else if (element.lineage === null) subpartition.append(value, timestamp, -1, -1)
      else subpartition.appendTraced(value, timestamp, element.lineage, label(this.byKey === null ? value : this.byKey.selector.keyOf(value)))
    }
    return true
  }

  lengthOf({ value, timestamp }: PendingElement): number {
    return value === null ? WATERMARK_LENGTH : recordLength(this.schema, value, timestamp === timestamp)
  }

  flush(): void {
    for (const subpartition of this.subpartitions) subpartition.flush()
  }

  /** A writer may write when the pool has a free buffer and no subpartition is at its maximum (behaviour 8.2). */
  get isAvailable(): boolean {
    return this.pool.atMax === 0 && this.pool.used < this.pool.size
  }

  private appendTo(target: number, value: Value, timestamp: number): void {
    const subpartition = this.subpartitions[target] as ResultSubpartition
    if (subpartition.isOpen || this.opens(subpartition)) subpartition.append(value, timestamp, -1, -1)
    else this.wait(value, timestamp, target, target + 1)
  }

  private appendToAll(value: Value, timestamp: number): void {
    const { subpartitions } = this
    for (let i = 0; i < subpartitions.length; i++) {
      const subpartition = subpartitions[i] as ResultSubpartition
      if (subpartition.isOpen || this.opens(subpartition)) subpartition.append(value, timestamp, -1, -1)
      else return this.wait(value, timestamp, i, subpartitions.length)
    }
  }

  /** False: there is no buffer, nor overdraft. */
  private opens(subpartition: ResultSubpartition): boolean {
    // A new epoch begun here voids the numbers kept for the short way.
    if (subpartition.ensureOpen()) this.places?.forget()
    return subpartition.isOpen
  }

  private offer(element: PendingElement): void {
    if (this.pending.isBlocked || !this.writeElement(element)) this.pending.add(element)
  }

  private wait(value: Value, timestamp: number, next: number, end: number): void {
    this.pending.add({ to: this, value, timestamp, lineage: null, next, end })
  }

  private choose(element: PendingElement, value: Value): void {
    this.records++
    const selected = this.partitioner.select(value)
    element.next = selected === ALL ? 0 : selected
    element.end = selected === ALL ? this.subpartitions.length : selected + 1
  }

  private emitByWord(places: WordPlaces, value: Value, timestamp: number): void {
    const word = (this.isBare ? value : (value as readonly Scalar[])[places.column]) as string
    const known = places.find(word)
    let place = known === UNKNOWN_PLACE ? this.learn(places, word) : known
    const target = subpartitionOf(place)
    const subpartition = this.subpartitions[target] as ResultSubpartition
    if (subpartition.ensureOpen()) {
      places.forget()
      if (!subpartition.isOpen) return this.wait(value, timestamp, target, target + 1)
      // The target began a new dictionary, which voids its numbers: learn them again.
      place = this.learn(places, word)
    }
    subpartition.append(value, timestamp, places.column, wordOf(place))
  }

  private learn(places: WordPlaces, word: string): number {
    const target = this.byKey === null ? 0 : this.byKey.selectByKey(word)
    const subpartition = this.subpartitions[target] as ResultSubpartition
    // Without a buffer there is no number: a new epoch may begin with the next one.
    if (!this.opens(subpartition)) return pack(target, 0)
    const place = pack(target, subpartition.builder.dictionary.idOf(word))
    places.learn(word, place)
    return place
  }

  /** The column whose word says where a record goes: the key, if it is one String, or any of text where there is one target alone. Else -1. */
  private placedColumn({ schema }: PartitionDescription): number {
    if (schema.fields.length > PLACED_COLUMNS_MAX || this.subpartitions.length > PLACED_SUBPARTITIONS_MAX) return -1
    if (this.byKey === null) return this.subpartitions.length === 1 ? schema.fields.findIndex(({ type }) => type === 'String') : -1
    const { column } = this.byKey.selector
    return column >= 0 && schema.fields[column]?.type === 'String' ? column : -1
  }
}
