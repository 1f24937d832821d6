/**
 * A list that grows at its end and may lose its oldest items. Copies of a machine share the full chunks, so that copying 20,000 rows costs
 * as much as copying twenty references. Items are immutable.
 */
import { assert } from '../base/assert.ts'
import { cloneShared, type SharesStructure } from '../base/clone.ts'

const CHUNK = 1024

export class AppendList<T> implements SharesStructure {
  /** All but the last are full. Chunk `c` holds the items from `(droppedChunks + c) * CHUNK` on. */
  private chunks: T[][] = []
  private droppedChunks = 0
  private count = 0

  /** Items ever appended. */
  get length(): number {
    return this.count
  }

  /** Index of the oldest item that is still here. */
  get start(): number {
    return Math.min(this.droppedChunks * CHUNK, this.count)
  }

  push(item: T): void {
    if (this.count % CHUNK === 0) this.chunks.push([])
    const last = this.chunks[this.chunks.length - 1]
    assert(last !== undefined && last.length < CHUNK, 'the last chunk has room')
    last.push(item)
    this.count++
  }

  pushAll(items: Iterable<T>): void {
    for (const item of items) this.push(item)
  }

  /** Items from index `from` up to, not including, `to`; what was dropped is left out. */
  slice(from: number, to: number = this.count): T[] {
    const items: T[] = []
    let index = Math.max(from, this.start)
    const end = Math.min(to, this.count)
    while (index < end) {
      const chunk = this.chunks[Math.floor(index / CHUNK) - this.droppedChunks] as T[]
      const offset = index % CHUNK
      const taken = Math.min(CHUNK - offset, end - index)
      for (let i = 0; i < taken; i++) items.push(chunk[offset + i] as T)
      index += taken
    }
    return items
  }

  /** Drops whole chunks from the front while at least `kept` items remain. */
  trim(kept: number): void {
    while (this.chunks.length > 1 && this.count - (this.droppedChunks + 1) * CHUNK >= kept) {
      this.chunks.shift()
      this.droppedChunks++
    }
  }

  /** As `slice(start)` with the number of items dropped before, for a snapshot. */
  static restore<T>(dropped: number, items: readonly T[]): AppendList<T> {
    assert(dropped % CHUNK === 0, 'whole chunks are dropped')
    const list = new AppendList<T>()
    list.droppedChunks = dropped / CHUNK
    list.count = dropped
    list.pushAll(items)
    return list
  }

  [cloneShared](): AppendList<T> {
    const copy = new AppendList<T>()
    copy.chunks = this.chunks.map((chunk) => (chunk.length === CHUNK ? chunk : chunk.slice()))
    copy.droppedChunks = this.droppedChunks
    copy.count = this.count
    return copy
  }
}
