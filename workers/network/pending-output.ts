/**
 * What a record has emitted beyond the pool and the overdraft of an output, in the order of the calls. Flink: the task's thread stands still in the
 * call that asks for the next buffer (LocalBufferPool.requestMemorySegmentBlocking) until the pool is available again: the overdraft has come back, a
 * buffer is free, and no subpartition is at its maximum. Here an operator cannot stop in the middle of a call, so it runs to the end of its record, and
 * what it emits meanwhile waits here. The task counts as blocked inside that record until the last of it has its buffer.
 */
import { Deque } from '../base/deque.ts'
import type { Value } from '../model/schema.ts'
import type { Lineage } from '../model/wire.ts'
import { PENDING_OUTPUT_BYTES_MAX } from './network-limits.ts'

/** The partitioner has not been asked. */
export const UNCHOSEN = -1

export interface PendingElement {
  readonly to: PendingTarget
  /** Null: a watermark. */
  readonly value: Value | null
  /** Or the watermark itself. */
  readonly timestamp: number
  /** Of a traced record. */
  readonly lineage: Lineage | null
  /** The subpartitions that it still has to be written into: from `next`, which may be `UNCHOSEN`, up to before `end`. */
  next: number
  end: number
}

/** A result partition. */
export interface PendingTarget {
  readonly isAvailable: boolean
  readonly pool: { atMax: number }
  /** Writes as far as there are buffers; false: not to the end. */
  writeElement(element: PendingElement): boolean
  /** In bytes of Flink's encoding. */
  lengthOf(element: PendingElement): number
}

export class PendingOutput {
  /** Records do not go straight into buffers: they are traced, or others wait here before them. */
  isDetour: boolean
  private traced: boolean
  /** Of all that has waited since the task is blocked. */
  private bytes = 0
  private readonly elements = new Deque<PendingElement>('output that waits for buffers', PENDING_OUTPUT_BYTES_MAX)

  constructor(traced: boolean) {
    this.traced = traced
    this.isDetour = traced
  }

  get isBlocked(): boolean {
    return !this.elements.isEmpty
  }

  setTraced(traced: boolean): void {
    this.traced = traced
    this.isDetour = traced || this.isBlocked
  }

  /** Behind all that waits. Its value is copied: an operator may use a row again. Throws where one record has emitted more than may wait. */
  add(element: PendingElement): void {
    const { to, value } = element
    this.bytes += to.lengthOf(element)
    if (this.bytes > PENDING_OUTPUT_BYTES_MAX) {
      throw new RangeError(
        `One record led to more output than a task may hold back: beyond pool and overdraft, ${PENDING_OUTPUT_BYTES_MAX / 1024 / 1024} MiB wait for buffers already.`,
      )
    }
    if (!this.isBlocked) this.hold(to)
    this.elements.pushBack({ ...element, value: Array.isArray(value) ? [...(value as readonly (string | number | boolean)[])] : value })
    this.isDetour = true
  }

  /** The pool that is waited for is available: `writeNext`, and `pause` after it, may be called. */
  release(): boolean {
    const front = this.elements.front()
    if (front === undefined) return false
    front.to.pool.atMax--
    if (front.to.isAvailable) return true
    this.hold(front.to)
    return false
  }

  /** False: nothing waits any more, or what does has to wait again. */
  writeNext(): boolean {
    const front = this.elements.front()
    if (front === undefined || !front.to.writeElement(front)) return false
    this.elements.popFront()
    return true
  }

  pause(): void {
    const front = this.elements.front()
    if (front !== undefined) this.hold(front.to)
    else this.clear()
  }

  /** The task ends. */
  clear(): void {
    this.elements.clear()
    this.bytes = 0
    this.isDetour = this.traced
  }

  /** As a subpartition at its maximum: the task takes no record, whatever comes back meanwhile. */
  private hold(to: PendingTarget): void {
    to.pool.atMax++
  }
}
