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
import type { TransportEffects } from './transport-effects.ts'

/** A word's number and its target in one small integer: a key of text is looked up once per record. */
const WORD_BITS = 20
const WORD_MASK = (1 << WORD_BITS) - 1
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
  records = 0
  private readonly effects: TransportEffects
  private readonly partitioner: Partitioner
  private readonly byKey: KeyGroupPartitioner | null
  /** Set where the key is one String: key → target and word number, valid in the current dictionary epochs. */
  private readonly keyWords: Map<string, number> | null
  private readonly keyColumn: number
  private readonly isBare: boolean

  constructor(options: ResultPartitionOptions) {
    const { description, effects } = options
    const layout = batchLayout(description.schema, options.segmentBytes)
    this.effects = effects
    this.pool = { used: 0, atMax: 0, size: outputPoolSize(description.subpartitions.length) }
    this.subpartitions = description.subpartitions.map(
      (target, i) => new ResultSubpartition(target.id, options.firstOutput + i, layout, this.pool, options.restoredCheckpoint, effects),
    )
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
      if (subpartition.ensureOpen()) this.keyWords?.clear()
      subpartition.appendWatermark(watermark)
    }
  }

  broadcastEvent(event: ChannelEvent['event']): void {
    for (const subpartition of this.subpartitions) subpartition.addEvent(event)
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
    const known = keyWords.get(key)
    let packed = known === undefined ? this.learn(keyWords, key) : known
    const subpartition = this.subpartitions[packed >> WORD_BITS] as ResultSubpartition
    if (subpartition.ensureOpen()) {
      // The target began a new dictionary, which voids its numbers: learn them again.
      keyWords.clear()
      packed = this.learn(keyWords, key)
    }
    subpartition.append(value, timestamp, this.keyColumn, packed & WORD_MASK)
  }

  private learn(keyWords: Map<string, number>, key: string): number {
    const target = (this.byKey as KeyGroupPartitioner).selectByKey(key)
    const subpartition = this.subpartitions[target] as ResultSubpartition
    if (subpartition.ensureOpen()) keyWords.clear()
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
      if (subpartition.ensureOpen()) this.keyWords?.clear()
      subpartition.appendTraced(value, timestamp, lineage, text)
    }
  }
}
