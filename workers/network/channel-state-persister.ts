/**
 * Keeps one channel's in-flight data for one unaligned checkpoint: what waits in the queue ahead of the channel's barrier when the task
 * snapshots, and what arrives until the barrier does. Flink: ChannelStatePersister.
 *
 * It has a reader of its own, because the words of a queued buffer are known only when the buffers before it have been opened.
 */
import type { CheckpointId } from '../model/ids.ts'
import type { Schema } from '../model/schema.ts'
import type { DataBuffer } from '../model/wire.ts'
import type { BatchReader } from './batch-reader.ts'
import { InFlightBuffer } from './in-flight-buffer.ts'

export class ChannelStatePersister {
  readonly checkpointId: CheckpointId
  /** One for each buffer, in order. */
  readonly buffers: InFlightBuffer[] = []
  /** The barrier is there: what arrives now is behind it. */
  isDone = false
  private readonly schema: Schema
  private readonly channelReader: BatchReader
  /** Null: nothing has had to be read ahead of the channel's own reader. */
  private ahead: BatchReader | null = null

  /** `reader`: the channel's own; what is left of the buffer that it has open comes first, if it stands before the barrier. */
  constructor(checkpointId: CheckpointId, schema: Schema, reader: BatchReader, withOpenBuffer: boolean) {
    this.checkpointId = checkpointId
    this.schema = schema
    this.channelReader = reader
    if (withOpenBuffer && reader.buffer !== null) this.keep(reader)
  }

  persist(buffer: DataBuffer): void {
    const reader = (this.ahead ??= this.channelReader.fork())
    reader.open(buffer)
    this.keep(reader)
    reader.close()
  }

  private keep(reader: BatchReader): void {
    if (!reader.isAtEnd) this.buffers.push(new InFlightBuffer(reader, this.schema))
  }
}
