/**
 * The size that a gate's buffers should have, so that what is in flight before it takes a wanted time to work through. Flink: BufferDebloater with
 * BufferSizeEMA (behaviour 8.3). It changes the size of new buffers only, never their number.
 */
import type { BufferDebloatSettings } from '../model/job-graph.ts'
import { MICROS_PER_SECOND } from '../model/time.ts'

/** taskmanager.memory.min-segment-size. */
export const BUFFER_BYTES_MIN = 256

export class BufferDebloater {
  private readonly settings: BufferDebloatSettings
  private readonly maxBytes: number
  private readonly minBytes: number
  /** The moving average, and what was announced last. */
  private average: number
  private announced: number
  private millisToConsume = 0

  constructor(settings: BufferDebloatSettings, segmentBytes: number) {
    this.settings = settings
    this.maxBytes = segmentBytes
    this.minBytes = Math.min(BUFFER_BYTES_MIN, segmentBytes)
    this.average = segmentBytes
    this.announced = segmentBytes
  }

  get bufferBytes(): number {
    return this.announced
  }

  /** What the gate's buffers took to work through, as the last recalculation estimated it. */
  get timeToConsumeMillis(): number {
    return this.millisToConsume
  }

  /** A new size to announce; null where it differs too little from the old one. Throughput in bytes per second. */
  recalculate(throughput: number, buffersInUse: number): number | null {
    const { targetMicros, samples } = this.settings
    const inUse = Math.max(1, buffersInUse)
    const wantedInAll = Math.floor((throughput * targetMicros) / MICROS_PER_SECOND)
    // At most doubled, so that it grows as fast as it shrinks.
    const wanted = Math.min(Math.floor(wantedInAll / inUse), 2 * this.average)
    const moved = Math.trunc(this.average + (2 / (samples + 1)) * (wanted - this.average))
    this.average = Math.max(this.minBytes, Math.min(moved, this.maxBytes))
    this.millisToConsume = Math.floor((this.average * inUse * 1000) / Math.max(1, throughput))
    if (this.isCloseToOld(this.average)) return null
    this.announced = this.average
    return this.average
  }

  private isCloseToOld(bytes: number): boolean {
    if (bytes === this.announced) return true
    if (bytes <= this.minBytes || bytes >= this.maxBytes) return false
    return Math.abs(bytes - this.announced) < Math.trunc((this.announced * this.settings.thresholdPercent) / 100)
  }
}
