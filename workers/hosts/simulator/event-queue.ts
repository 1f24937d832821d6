/**
 * The simulator's one queue: everything that will happen, ordered by (virtual time, seeded tie-break, sequence). Two things due at the same
 * microsecond come in an order that the seed draws, so that every interleaving has its seed. A binary heap over parallel arrays.
 */
import { assert } from '../../base/assert.ts'
import type { EngineTime } from '../../model/time.ts'

export interface QueueEntry<T> {
  readonly at: EngineTime
  readonly tie: number
  readonly sequence: number
  readonly item: T
}

/** More than this many things at once is a bug of a machine (a timer or a message loop), not a big job. */
export const QUEUE_MAX = 1_000_000

export class EventQueue<T> {
  private heap: QueueEntry<T>[] = []
  private nextSequence = 0

  get size(): number {
    return this.heap.length
  }

  /** When the next thing happens; null: nothing ever will. */
  get nextAt(): EngineTime | null {
    return this.heap[0]?.at ?? null
  }

  push(at: EngineTime, tie: number, item: T): void {
    assert(Number.isSafeInteger(at), `virtual time must be whole microseconds, got ${at}`)
    assert(this.heap.length < QUEUE_MAX, `the event queue is full (${QUEUE_MAX})`)
    this.heap.push({ at, tie, sequence: this.nextSequence++, item })
    this.siftUp(this.heap.length - 1)
  }

  pop(): QueueEntry<T> | undefined {
    const top = this.heap[0]
    const last = this.heap.pop()
    if (top === undefined || last === undefined) return undefined
    if (this.heap.length > 0) {
      this.heap[0] = last
      this.siftDown(0)
    }
    return top
  }

  /** In no particular order, for inspection. */
  entries(): readonly QueueEntry<T>[] {
    return this.heap
  }

  private siftUp(start: number): void {
    const heap = this.heap
    let index = start
    const entry = heap[index] as QueueEntry<T>
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent] as QueueEntry<T>
      if (!before(entry, above)) break
      heap[index] = above
      index = parent
    }
    heap[index] = entry
  }

  private siftDown(start: number): void {
    const heap = this.heap
    const size = heap.length
    let index = start
    const entry = heap[index] as QueueEntry<T>
    for (;;) {
      let child = 2 * index + 1
      if (child >= size) break
      if (child + 1 < size && before(heap[child + 1] as QueueEntry<T>, heap[child] as QueueEntry<T>)) child++
      const below = heap[child] as QueueEntry<T>
      if (!before(below, entry)) break
      heap[index] = below
      index = child
    }
    heap[index] = entry
  }
}

function before<T>(a: QueueEntry<T>, b: QueueEntry<T>): boolean {
  if (a.at !== b.at) return a.at < b.at
  if (a.tie !== b.tie) return a.tie < b.tie
  return a.sequence < b.sequence
}
