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
import { encodeRest } from './channel-state-codec.ts'

export class ChannelStatePersister {
  readonly checkpointId: CheckpointId
  /** One for each buffer, in order. */
  readonly chunks: Uint8Array[] = []
  /** The barrier is there: what arrives now is behind it. */
  isDone = false
  private readonly schema: Schema
  private readonly reader: BatchReader

  /** `reader`: the channel's own; what is left of the buffer that it has open comes first, if it stands before the barrier. */
  constructor(checkpointId: CheckpointId, schema: Schema, reader: BatchReader, withOpenBuffer: boolean) {
    this.checkpointId = checkpointId
    this.schema = schema
    this.reader = reader.fork()
    if (withOpenBuffer && reader.buffer !== null) this.keep(encodeRest(reader, schema))
  }

  persist(buffer: DataBuffer): void {
    this.reader.open(buffer)
    this.keep(encodeRest(this.reader, this.schema))
    this.reader.close()
  }

  private keep(chunk: Uint8Array): void {
    if (chunk.length > 0) this.chunks.push(chunk)
  }
}
