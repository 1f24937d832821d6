/**
 * What is due when, in one worker: a heap ordered by (engine time, order of arrival). Its size is bounded by the bounds of what fills it:
 * credits for channels, one entry per outstanding request, one per timer.
 */
import type { EngineTime } from '../../model/time.ts'

interface Entry<T> {
  readonly due: EngineTime
  readonly order: number
  readonly item: T
}

export class Agenda<T> {
  private heap: Entry<T>[] = []
  private nextOrder = 0

  add(due: EngineTime, item: T): void {
    const heap = this.heap
    const entry: Entry<T> = { due, order: this.nextOrder++, item }
    let i = heap.length
    heap.push(entry)
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = heap[parent] as Entry<T>
      if (!before(entry, above)) break
      heap[i] = above
      i = parent
    }
    heap[i] = entry
  }

  /** Infinity when nothing is due. */
  get nextDue(): EngineTime {
    return this.heap[0]?.due ?? Infinity
  }

  pop(): T | undefined {
    const heap = this.heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined) return undefined
    if (heap.length > 0) this.sink(last)
    return first.item
  }

  /** Takes out every item that matches, in order of time, and keeps the others. */
  takeOut(matches: (item: T) => boolean): readonly T[] {
    const ordered = this.heap.toSorted((a, b) => (before(a, b) ? -1 : 1))
    // A sorted array is a heap.
    this.heap = ordered.filter((entry) => !matches(entry.item))
    return ordered.filter((entry) => matches(entry.item)).map((entry) => entry.item)
  }

  private sink(entry: Entry<T>): void {
    const heap = this.heap
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      const right = heap[child + 1]
      if (right !== undefined && before(right, heap[child] as Entry<T>)) child++
      const below = heap[child] as Entry<T>
      if (!before(below, entry)) break
      heap[i] = below
      i = child
    }
    heap[i] = entry
  }
}

function before<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order)
}
