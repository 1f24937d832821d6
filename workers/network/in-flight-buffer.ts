/**
 * What one buffer holds of the in-flight data of a snapshot. It is kept as it stands when the barrier passes, which costs a copy, and put into
 * Flink's encoding later, in the asynchronous part: the barrier does not wait for it. Flink: ChannelStateWriteRequestExecutor.
 */
import type { Schema } from '../model/schema.ts'
import type { BatchReader } from './batch-reader.ts'
import { encodeRest } from './channel-state-codec.ts'

const NOT_ENCODED: Uint8Array = new Uint8Array(0)

export class InFlightBuffer {
  /** In Flink's encoding, once it is encoded. */
  bytes = NOT_ENCODED
  private reader: BatchReader | null
  private readonly schema: Schema

  /** What `reader` has not read of the buffer that it has open. */
  constructor(reader: BatchReader, schema: Schema) {
    this.reader = reader.keepRest()
    this.schema = schema
  }

  get isEncoded(): boolean {
    return this.reader === null
  }

  /** Returns how many records that were. */
  encode(): number {
    const { reader } = this
    if (reader === null) return 0
    this.reader = null
    this.bytes = encodeRest(reader, this.schema)
    return reader.recordsLeft
  }
}

/** What was kept of one channel: gate and channel in it, or partition and subpartition. */
export interface InFlightChannel {
  readonly major: number
  readonly minor: number
  readonly buffers: readonly InFlightBuffer[]
}
