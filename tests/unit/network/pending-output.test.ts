/** Output of one record beyond pool and overdraft (behaviour 8.2): what of it waits, and when it goes on. A buffer holds two Ints. */
import { describe, expect, it } from 'vitest'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import { DICTIONARY_WORDS_MAX, OVERDRAFT_BUFFERS_MAX, PENDING_OUTPUT_BYTES_MAX } from '../../../workers/network/network-limits.ts'
import { RecordWriter } from '../../../workers/network/record-writer.ts'
import { alignedBarrier, ChannelPair } from './channel-pair.ts'
import type { PairOptions } from './channel-pair.ts'

class Blocked {
  readonly pair: ChannelPair
  readonly writer: RecordWriter
  /** By channel; watermarks as text. */
  readonly received: (Value | string)[][]

  constructor(options: PairOptions = {}, flushAlways = false) {
    this.pair = new ChannelPair(options)
    this.writer = new RecordWriter([this.pair.partition], this.pair.pending, flushAlways)
    this.received = this.pair.partition.subpartitions.map(() => [])
  }

  emit(from: number, to: number): this {
    for (let i = from; i < to; i++) this.writer.emit(i, i)
    return this
  }

  /** One buffer is read, of whatever channel. */
  takeOne(): boolean {
    const channel = this.pair.gates.pick()
    const message = channel?.poll()
    if (channel === null || message === undefined || message.kind !== 'buffer') return false
    channel.reader.open(message)
    const into = this.received[channel.number] ?? []
    for (let i = 0; i <= message.count; i++) {
      for (const { index, value } of message.watermarks) if (index === i) into.push(`watermark ${value}`)
      if (i < message.count) into.push(channel.reader.value(i))
    }
    this.pair.gates.recycle(channel)
    this.pair.deliver()
    return true
  }

  /** Until nothing moves; the task looks at its pool after every buffer. */
  drain(): this {
    this.pair.gates.grantInitialCredits()
    for (let isMoving = true; isMoving; ) {
      this.pair.deliver()
      this.writer.resume()
      isMoving = this.takeOne()
      if (!isMoving && !this.writer.isBlocked && this.writer.needsFlush) {
        this.writer.flush()
        isMoving = true
      }
    }
    return this
  }

  get used(): number {
    return this.pair.partition.pool.used
  }
}

const upTo = (end: number, ...rest: readonly (Value | string)[]): (Value | string)[] => [...Array.from({ length: end }, (_, i) => i), ...rest]

describe('output beyond pool and overdraft', () => {
  it('waits, and leaves in order behind what has a buffer', () => {
    const blocked = new Blocked().emit(0, 200)
    expect([blocked.used, blocked.writer.isBlocked, blocked.writer.isAvailable]).toEqual([30, true, false])
    expect(blocked.writer.records).toBe(61)
    blocked.drain()
    expect(blocked.received).toEqual([upTo(200)])
    expect([blocked.writer.records, blocked.writer.isBlocked, blocked.writer.isAvailable]).toEqual([200, false, true])
  })

  it('goes on when the pool is available again, not with the first buffer that comes back; then the overdraft is free once more', () => {
    const blocked = new Blocked().emit(0, 200)
    blocked.pair.gates.grantInitialCredits()
    blocked.pair.deliver()
    // The receiver's ten have left; the overdraft is not back yet.
    expect(blocked.used).toBe(20)
    blocked.writer.resume()
    expect([blocked.used, blocked.writer.isBlocked, blocked.writer.isAvailable]).toEqual([20, true, false])
    while (blocked.used >= 10) expect(blocked.takeOne()).toBe(true)
    // Available but for what waits: no record may come between.
    expect(blocked.writer.isAvailable).toBe(false)
    blocked.writer.resume()
    expect([blocked.used, blocked.writer.isBlocked]).toEqual([10 + OVERDRAFT_BUFFERS_MAX, true])
  })

  it('keeps a watermark in its place', () => {
    const blocked = new Blocked().emit(0, 100)
    blocked.writer.emitWatermark(7)
    blocked.emit(100, 120).drain()
    const expected = upTo(120)
    expected.splice(100, 0, 'watermark 7')
    expect(blocked.received).toEqual([expected])
  })

  it('keeps each to its turn over several subpartitions, also where a buffer of one of them is open', () => {
    const blocked = new Blocked({ channels: 3 }).emit(0, 301)
    // Round robin from some first: every third to the same one.
    blocked.drain()
    expect(blocked.received.map((values) => values.length).sort()).toEqual([100, 100, 101])
    for (const values of blocked.received) for (let i = 1; i < values.length; i++) expect(values[i]).toBe((values[i - 1] as number) + 3)
  })

  it('stands still as a whole: a subpartition with an open buffer gets nothing of what comes after the block', () => {
    const blocked = new Blocked({ channels: 2, ship: 'hash' })
    const [first, second] = blocked.pair.partition.subpartitions
    let other = 1
    blocked.writer.emit(0, 0)
    const isFirst = first?.isOpen === true
    while (!(isFirst ? second : first)?.isOpen) blocked.writer.emit(other++, 0)
    const open = isFirst ? second : first
    while (!blocked.writer.isBlocked) blocked.writer.emit(0, 0)
    const before = open?.report().records
    blocked.writer.emit(other - 1, 0)
    expect(open?.report().records).toBe(before)
    blocked.drain()
    const all = blocked.received.flat()
    expect(all.filter((value) => value === other - 1)).toHaveLength(2)
  })

  it('of a broadcast reaches every channel once, in order, wherever among them the buffers ended', () => {
    for (let channels = 1; channels <= 7; channels++) {
      const blocked = new Blocked({ channels, ship: 'broadcast' }).emit(0, 100)
      expect(blocked.writer.isBlocked).toBe(true)
      blocked.drain()
      expect(blocked.received).toEqual(Array.from({ length: channels }, () => upTo(100)))
    }
  })

  it('is a copy: the row may be used again', () => {
    const schema: Schema = { kind: 'tuple', fields: [{ name: 'word', type: 'String' }, { name: 'n', type: 'Int' }] }
    const blocked = new Blocked({ schema, ship: 'hash', segmentBytes: 60 })
    const row: [string, number] = ['', 0]
    const expected: Value[] = []
    for (let i = 0; i < 300; i++) {
      row[0] = `w${i % 50}`
      row[1] = i
      expected.push([...row])
      blocked.writer.emit(row, i)
    }
    expect(blocked.writer.isBlocked).toBe(true)
    blocked.drain()
    expect(blocked.received).toEqual([expected])
  })

  it('finds words right that were not known before, or are not any more', () => {
    const blocked = new Blocked({ schema: bare('String'), ship: 'hash', segmentBytes: 40 })
    const expected: Value[] = []
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 200; i++) {
        const word = i % 3 === 0 ? 'often' : `w${round}-${i}`
        expected.push(word)
        blocked.writer.emit(word, i)
      }
      expect(blocked.writer.isBlocked).toBe(true)
      expect(blocked.writer.numbered).toBeNull()
      blocked.drain()
      expect(blocked.writer.numbered).not.toBeNull()
    }
    expect(blocked.received).toEqual([expected])
  })

  it('learns no number of a word without a buffer: the next buffer may begin a new dictionary', () => {
    // The thirtieth buffer fills the dictionary.
    const blocked = new Blocked({ schema: bare('String'), ship: 'hash', segmentBytes: 46_500 })
    const expected = Array.from({ length: 80_000 }, (_, i) => `w${100_000 + i}`)
    for (const [i, word] of expected.entries()) blocked.writer.emit(word, i)
    expect(blocked.writer.records).toBeGreaterThan(DICTIONARY_WORDS_MAX)
    expect(blocked.writer.isBlocked).toBe(true)
    blocked.drain()
    expect(new Set(blocked.pair.buffersSent.map((buffer) => buffer.dictionaryEpoch)).size).toBe(2)
    expect(blocked.received[0]?.findIndex((word, i) => word !== expected[i])).toBe(-1)
    expect(blocked.received[0]).toHaveLength(expected.length)
  })

  it('leaves record by record where the buffer timeout is 0', () => {
    const blocked = new Blocked({}, true).emit(0, 100).drain()
    expect(blocked.received).toEqual([upTo(100)])
  })

  it('has a bound, and says so beyond it', () => {
    const blocked = new Blocked({ schema: bare('String'), segmentBytes: 100 })
    const long = 'x'.repeat(1024 * 1024)
    const fill = (): void => {
      for (let i = 0; i < 30 + PENDING_OUTPUT_BYTES_MAX / long.length + 1; i++) blocked.writer.emit(long, i)
    }
    expect(fill).toThrow(/One record led to more output.*64 MiB/)
  })

  it('lets no event pass', () => {
    const blocked = new Blocked().emit(0, 100)
    expect(() => blocked.writer.broadcastEvent(alignedBarrier(1))).toThrow(/between two records/)
    expect(() => blocked.writer.broadcastBarrier(alignedBarrier(1))).toThrow(/between two records/)
  })
})

it('two outputs: the record that one of them has no buffer for goes to the other afterwards, and the next ones behind it', () => {
  const first = new ChannelPair()
  const second = new ChannelPair({ pending: first.pending })
  const writer = new RecordWriter([first.partition, second.partition], first.pending, false)
  for (let i = 0; i < 100; i++) writer.emit(i, i)
  expect([first.partition.records, second.partition.records]).toEqual([61, 60])
  expect([first.partition.pool.used, second.partition.pool.used]).toEqual([30, 30])
  const received: Value[][] = [[], []]
  for (const pair of [first, second]) pair.gates.grantInitialCredits()
  for (let i = 0; i < 200; i++) {
    for (const [at, pair] of [first, second].entries()) {
      pair.deliver()
      writer.resume()
      if (!writer.isBlocked) writer.flush()
      pair.deliver()
      const values = pair.take()
      if (values !== null && typeof values !== 'string') received[at]?.push(...values)
    }
  }
  expect(received).toEqual([upTo(100), upTo(100)])
})
