/** All outputs of a task. Flink: RecordWriterDelegate and the tail's outputs. */
import { assert, must } from '../base/assert.ts'
import { isUnaligned, withUnalignedUnsupported } from '../model/alignment.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { ChannelEvent, ChannelFeedback, CheckpointBarrier } from '../model/wire.ts'
import type { Value } from '../model/schema.ts'
import type { PendingOutput } from './pending-output.ts'
import type { ResultPartition } from './result-partition.ts'
import type { InFlightChannel } from './in-flight-buffer.ts'
import type { ResultSubpartition } from './result-subpartition.ts'

export class RecordWriter {
  readonly partitions: readonly ResultPartition[]
  /** By task-wide output number. */
  readonly subpartitions: readonly ResultSubpartition[]
  /** Shared with the partitions. */
  readonly pending: PendingOutput
  private readonly only: ResultPartition | null
  /** A buffer timeout of 0: every record leaves by itself. */
  private readonly flushAlways: boolean

  constructor(partitions: readonly ResultPartition[], pending: PendingOutput, flushAlways: boolean) {
    this.partitions = partitions
    this.pending = pending
    this.flushAlways = flushAlways
    this.subpartitions = partitions.flatMap((partition) => partition.subpartitions)
    this.only = partitions.length === 1 ? (partitions[0] as ResultPartition) : null
  }

  emit(value: Value, timestamp: number): void {
    if (this.only !== null) this.only.emit(value, timestamp)
    else for (const partition of this.partitions) partition.emit(value, timestamp)
    if (this.flushAlways) this.flush()
  }

  /** The short way out, where there is one. */
  get numbered(): ResultPartition | null {
    return this.only === null || this.flushAlways ? null : this.only.numbered
  }

  emitWatermark(watermark: number): void {
    for (const partition of this.partitions) partition.emitWatermark(watermark)
  }

  /** The task is inside of a record whose output waits for buffers. */
  get isBlocked(): boolean {
    return this.pending.isBlocked
  }

  /** Goes on with the record that the task is blocked in, if the pool that it waits for is available again, as far as that goes. */
  resume(): void {
    const { pending } = this
    if (!pending.release()) return
    while (pending.writeNext()) if (this.flushAlways) this.flush()
    pending.pause()
  }

  broadcastEvent(event: ChannelEvent['event']): void {
    assert(!this.isBlocked, 'events come between two records')
    for (const partition of this.partitions) partition.broadcastEvent(event)
  }

  /** The data buffers that an unaligned barrier overtakes, by partition and subpartition. Edges that know no such barrier get it aligned. */
  broadcastBarrier(barrier: CheckpointBarrier): InFlightChannel[] {
    assert(!this.isBlocked, 'barriers come between two records')
    const overtaken: InFlightChannel[] = []
    this.partitions.forEach((partition, major) => {
      const sent = partition.unalignedSupported ? barrier : withUnalignedUnsupported(barrier)
      if (!isUnaligned(sent.options)) return partition.broadcastEvent(sent)
      partition.subpartitions.forEach((subpartition, minor) => {
        overtaken.push({ major, minor, buffers: subpartition.addPriorityBarrier(sent) })
      })
    })
    return overtaken
  }

  hasTimeoutableBarrier(checkpointId: CheckpointId): boolean {
    return this.subpartitions.some((subpartition) => subpartition.hasTimeoutableBarrier(checkpointId))
  }

  timeOutBarrier(checkpointId: CheckpointId): InFlightChannel[] {
    return this.partitions.flatMap((partition, major) =>
      partition.subpartitions.flatMap((subpartition, minor) => {
        const buffers = subpartition.timeOutBarrier(checkpointId)
        return buffers === null ? [] : [{ major, minor, buffers }]
      }),
    )
  }

  flush(): void {
    for (const partition of this.partitions) partition.flush()
  }

  onFeedback(output: number, feedback: ChannelFeedback): void {
    must(this.subpartitions[output], `output ${output}`).onFeedback(feedback)
  }

  onLinkTimer(output: number): void {
    must(this.subpartitions[output], `output ${output}`).onLinkTimer()
  }

  get isAvailable(): boolean {
    if (this.only !== null) return this.only.isAvailable
    for (const partition of this.partitions) if (!partition.isAvailable) return false
    return true
  }

  /** Over all outputs. */
  get buffersUnderWay(): number {
    let buffers = 0
    for (const subpartition of this.subpartitions) buffers += subpartition.buffersUnderWay
    return buffers
  }

  get needsFlush(): boolean {
    return this.subpartitions.some((subpartition) => subpartition.needsFlush)
  }

  /** Everything has left for the receivers. */
  get isDrained(): boolean {
    return this.subpartitions.every((subpartition) => subpartition.isEmpty)
  }

  /** Every receiver has processed all up to the end of data (behaviour 14). */
  get isAllDataProcessed(): boolean {
    return this.subpartitions.every((subpartition) => subpartition.allDataProcessed)
  }

  get records(): number {
    let records = 0
    for (const partition of this.partitions) records += partition.records
    return records
  }

  get bytes(): number {
    let bytes = 0
    for (const subpartition of this.subpartitions) bytes += subpartition.bytesSent
    return bytes
  }

  get buffersSent(): number {
    let buffers = 0
    for (const subpartition of this.subpartitions) buffers += subpartition.buffersSent
    return buffers
  }

  /** Part of the pools in use; more than 1 while the overdraft is. */
  get poolUsage(): number {
    let used = 0
    let size = 0
    for (const partition of this.partitions) {
      used += partition.pool.used
      size += partition.pool.size
    }
    return size === 0 ? 0 : used / size
  }
}
