/**
 * The way out of one subpartition where it takes only so many bytes a second. One buffer is on it at a time; it arrives when its last byte has
 * left. What comes behind waits in the sender's queue, where a priority event may still overtake it, and what is on the link may not. Flink:
 * PartitionRequestQueue, which gives netty the next message when the one before has been written, and only while the connection is writable.
 */
import type { EngineTime } from '../model/time.ts'
import type { DataBuffer } from '../model/wire.ts'

/** Of its subpartition's task, with the output's number. */
export const LINK_TIMER = 'link '

const MICROS_PER_SECOND = 1_000_000

export class RatedLink {
  /** What is on the link. */
  buffer: DataBuffer | null = null
  /** When its last byte leaves, or the last one did. */
  freeAt: EngineTime = 0
  /** In Flink's encoding, per second of engine time. Null: no limit. */
  private bytesPerSecond: number | null

  constructor(bytesPerSecond: number | null) {
    this.bytesPerSecond = bytesPerSecond
  }

  get isLimited(): boolean {
    return this.bytesPerSecond !== null
  }

  /** Its first byte leaves at `from`. How long it takes is returned. */
  take(buffer: DataBuffer, from: EngineTime): EngineTime {
    const micros = this.microsOf(buffer.bytes)
    this.buffer = buffer
    this.freeAt = from + micros
    return micros
  }

  release(): DataBuffer {
    const { buffer } = this
    this.buffer = null
    return buffer as DataBuffer
  }

  /** What is left of the buffer on the link leaves at the new rate. */
  setRate(bytesPerSecond: number | null, now: EngineTime): void {
    const left = (Math.max(0, this.freeAt - now) * (this.bytesPerSecond ?? 0)) / MICROS_PER_SECOND
    this.bytesPerSecond = bytesPerSecond
    if (this.buffer !== null) this.freeAt = now + this.microsOf(left)
  }

  private microsOf(bytes: number): EngineTime {
    return this.bytesPerSecond === null ? 0 : Math.ceil((bytes * MICROS_PER_SECOND) / this.bytesPerSecond)
  }
}
