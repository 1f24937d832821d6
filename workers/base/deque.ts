import { assert } from './assert.ts'

/**
 * A double-ended queue with a bound. Pushing beyond the bound is a bug: whoever fills a queue must ask `isFull` first.
 * A ring over an array that grows by doubling up to the bound, so that an idle queue costs nothing.
 */
export class Deque<T> {
  readonly name: string
  readonly max: number
  private items: (T | undefined)[]
  private head = 0
  private count = 0

  constructor(name: string, max: number) {
    assert(max > 0, `${name}: a queue needs a positive bound`)
    this.name = name
    this.max = max
    this.items = new Array<T | undefined>(Math.min(8, max))
  }

  get size(): number {
    return this.count
  }

  get isEmpty(): boolean {
    return this.count === 0
  }

  get isFull(): boolean {
    return this.count >= this.max
  }

  pushBack(item: T): void {
    this.grow()
    this.items[(this.head + this.count) % this.items.length] = item
    this.count++
  }

  pushFront(item: T): void {
    this.grow()
    this.head = (this.head - 1 + this.items.length) % this.items.length
    this.items[this.head] = item
    this.count++
  }

  front(): T | undefined {
    return this.count === 0 ? undefined : this.items[this.head]
  }

  back(): T | undefined {
    return this.count === 0 ? undefined : this.items[(this.head + this.count - 1) % this.items.length]
  }

  popFront(): T | undefined {
    if (this.count === 0) return undefined
    const item = this.items[this.head]
    this.items[this.head] = undefined
    this.head = (this.head + 1) % this.items.length
    this.count--
    return item
  }

  at(index: number): T | undefined {
    return index < 0 || index >= this.count ? undefined : this.items[(this.head + index) % this.items.length]
  }

  clear(): void {
    this.items = new Array<T | undefined>(Math.min(8, this.max))
    this.head = 0
    this.count = 0
  }

  toArray(): T[] {
    const items: T[] = []
    for (let i = 0; i < this.count; i++) items.push(this.items[(this.head + i) % this.items.length] as T)
    return items
  }

  private grow(): void {
    assert(this.count < this.max, `queue ${this.name} is full (${this.max})`)
    if (this.count < this.items.length) return
    const items = this.toArray() as (T | undefined)[]
    items.length = Math.min(this.max, this.items.length * 2)
    this.items = items
    this.head = 0
  }
}
