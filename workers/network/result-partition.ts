/**
 * One output edge of a task: its subpartitions, the pool of their buffers, and the partitioner. Flink: PipelinedResultPartition with
 * RecordWriter. `emit` runs once per record.
 */
import type { CheckpointId } from '../model/ids.ts'
import type { PartitionDescription } from '../model/deployment.ts'
import type { Scalar, Value } from '../model/schema.ts'
import type { ChannelEvent } from '../model/wire.ts'
import { label } from './key-selector.ts'
import { outputPoolSize } from './network-limits.ts'
import { createPartitioner } from './partitioners/create-partitioner.ts'
import { KeyGroupPartitioner } from './partitioners/key-group-partitioner.ts'
import { ALL } from './partitioners/partitioner.ts'
import type { Partitioner } from './partitioners/partitioner.ts'
import { batchLayout } from './record-batch.ts'
import { ResultSubpartition } from './result-subpartition.ts'
import type { PoolUse } from './result-subpartition.ts'
import type { TaskWords } from './task-words.ts'
import type { TransportEffects } from './transport-effects.ts'

/** A word's number and its target in one small integer: a key of text is looked up once per record. */
const WORD_BITS = 20
const WORD_MASK = (1 << WORD_BITS) - 1
const UNKNOWN = -1
const SHARED_COLUMNS_MAX = 100
const SHARED_SUBPARTITIONS_MAX = 1024

export interface ResultPartitionOptions {
  readonly description: PartitionDescription
  /** Task-wide number of the first subpartition. */
  readonly firstOutput: number
  readonly subtask: number
  readonly segmentBytes: number
  readonly restoredCheckpoint: CheckpointId
  readonly effects: TransportEffects
}

export class ResultPartition {
  readonly subpartitions: readonly ResultSubpartition[]
  readonly pool: PoolUse
  /** Barriers may overtake on this edge (behaviour 6.6). */
  readonly unalignedSupported: boolean
  records = 0
  private readonly effects: TransportEffects
  private readonly partitioner: Partitioner
  private readonly byKey: KeyGroupPartitioner | null
  /** Set where the key is one String: key → target and word number, valid in the current dictionary epochs. */
  private readonly keyWords: Map<string, number> | null
  /** The same by the task's number of a word. */
  private readonly packedByNumber: number[] = []
  private readonly words: TaskWords
  private readonly keyColumn: number
  private readonly isBare: boolean

  constructor(options: ResultPartitionOptions) {
    const { description, effects } = options
    const layout = batchLayout(description.schema, options.segmentBytes)
    this.effects = effects
    this.words = effects.words
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
          effects,
        }),
    )
    this.unalignedSupported = description.unalignedSupported ?? true
    this.partitioner = createPartitioner(description, options.subtask)
    this.byKey = this.partitioner instanceof KeyGroupPartitioner ? this.partitioner : null
    this.keyColumn = this.byKey === null ? -1 : this.byKey.selector.column
    const isShared =
      this.keyColumn >= 0 &&
      description.schema.fields[this.keyColumn]?.type === 'String' &&
      layout.columns <= SHARED_COLUMNS_MAX &&
      this.subpartitions.length <= SHARED_SUBPARTITIONS_MAX
    this.keyWords = isShared ? new Map() : null
    this.isBare = layout.bare
  }

  emit(value: Value, timestamp: number): void {
    this.records++
    if (this.effects.traced) this.emitTraced(value, timestamp)
    else if (this.keyWords !== null) this.emitByKeyWord(this.keyWords, value, timestamp)
    else {
      const selected = this.partitioner.select(value)
      if (selected === ALL) {
        for (const subpartition of this.subpartitions) this.appendTo(subpartition, value, timestamp)
      } else this.appendTo(this.subpartitions[selected] as ResultSubpartition, value, timestamp)
    }
  }

  /** To every subpartition: a watermark is an element of the stream, inside the buffers. */
  emitWatermark(watermark: number): void {
    for (const subpartition of this.subpartitions) {
      if (subpartition.ensureOpen()) this.forgetKeyWords()
      subpartition.appendWatermark(watermark)
    }
  }

  broadcastEvent(event: ChannelEvent['event']): void {
    for (const subpartition of this.subpartitions) subpartition.addEvent(event)
  }

  /** Restored in-flight data goes first: to where its key belongs, or into the subpartition that it was given to. */
  emitRecovered(target: number, value: Value, timestamp: number): void {
    const subpartition = this.subpartitions[this.byKey === null ? target : this.byKey.select(value)] as ResultSubpartition
    if (subpartition.ensureOpen()) this.forgetKeyWords()
    subpartition.append(value, timestamp, -1, -1)
  }

  emitRecoveredWatermark(target: number, watermark: number): void {
    const subpartition = this.subpartitions[target] as ResultSubpartition
    if (subpartition.ensureOpen()) this.forgetKeyWords()
    subpartition.appendWatermark(watermark)
  }

  flush(): void {
    for (const subpartition of this.subpartitions) subpartition.flush()
  }

  /** A writer may write when the pool has a free buffer and no subpartition is at its maximum (behaviour 8.2). */
  get isAvailable(): boolean {
    return this.pool.atMax === 0 && this.pool.used < this.pool.size
  }

  private appendTo(subpartition: ResultSubpartition, value: Value, timestamp: number): void {
    subpartition.ensureOpen()
    subpartition.append(value, timestamp, -1, -1)
  }

  private emitByKeyWord(keyWords: Map<string, number>, value: Value, timestamp: number): void {
    const key = (this.isBare ? value : (value as readonly Scalar[])[this.keyColumn]) as string
    const { words } = this
    let packed = words.number >= 0 && key === words.inHand ? this.packedOf(keyWords, words.number, key) : this.packedOfKey(keyWords, key)
    const subpartition = this.subpartitions[packed >> WORD_BITS] as ResultSubpartition
    if (subpartition.ensureOpen()) {
      // The target began a new dictionary, which voids its numbers: learn them again.
      this.forgetKeyWords()
      packed = this.learn(keyWords, key)
    }
    subpartition.append(value, timestamp, this.keyColumn, packed & WORD_MASK)
  }

  /** As `packedOfKey`, by the number of the word in hand. */
  private packedOf(keyWords: Map<string, number>, number: number, key: string): number {
    const { packedByNumber } = this
    if (number < packedByNumber.length) {
      const known = packedByNumber[number] as number
      if (known !== UNKNOWN) return known
    }
    const packed = this.packedOfKey(keyWords, key)
    while (packedByNumber.length <= number) packedByNumber.push(UNKNOWN)
    packedByNumber[number] = packed
    return packed
  }

  private packedOfKey(keyWords: Map<string, number>, key: string): number {
    const known = keyWords.get(key)
    return known === undefined ? this.learn(keyWords, key) : known
  }

  /** A target began a new dictionary: all numbers kept for it are void. */
  private forgetKeyWords(): void {
    this.keyWords?.clear()
    this.packedByNumber.length = 0
  }

  private learn(keyWords: Map<string, number>, key: string): number {
    const target = (this.byKey as KeyGroupPartitioner).selectByKey(key)
    const subpartition = this.subpartitions[target] as ResultSubpartition
    if (subpartition.ensureOpen()) this.forgetKeyWords()
    const packed = (target << WORD_BITS) | subpartition.builder.dictionary.idOf(key)
    keyWords.set(key, packed)
    return packed
  }

  private emitTraced(value: Value, timestamp: number): void {
    const lineage = this.effects.nextLineage()
    const text = label(this.byKey === null ? value : this.byKey.selector.keyOf(value))
    const selected = this.partitioner.select(value)
    for (let i = 0; i < this.subpartitions.length; i++) {
      if (selected !== ALL && selected !== i) continue
      const subpartition = this.subpartitions[i] as ResultSubpartition
      // A new epoch begun here voids the numbers kept for the untraced way.
      if (subpartition.ensureOpen()) this.forgetKeyWords()
      subpartition.appendTraced(value, timestamp, lineage, text)
    }
  }
}
