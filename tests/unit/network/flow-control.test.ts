/** Credits, backlog, pools and events between one sender and its receivers (behaviour 8.1, 8.2). An Int with its overhead has 17 bytes. */
import { describe, expect, it } from 'vitest'
import { bare } from '../../../workers/model/schema.ts'
import type { Value } from '../../../workers/model/schema.ts'
import { DICTIONARY_WORDS_MAX } from '../../../workers/network/network-limits.ts'
import { alignedBarrier, ChannelPair } from './channel-pair.ts'

/** One buffer holds two records. */
const emit = (pair: ChannelPair, from: number, to: number): void => {
  for (let i = from; i < to; i++) pair.partition.emit(i, i)
}

describe('credit-based flow control', () => {
  it('sends nothing without a credit', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 10)
    expect(pair.sent).toEqual([])
  })

  it('starts with the two exclusive buffers of the channel, and tells the backlog', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 10)
    pair.gates.grantInitialCredits()
    for (const { output, feedback } of pair.feedbacks.splice(0)) pair.partition.subpartitions[output]?.onFeedback(feedback)
    expect(pair.buffersSent.map((buffer) => buffer.backlog)).toEqual([4, 3])
  })

  it('grants floating buffers for a backlog, at most eight beside the exclusive ones', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 40)
    pair.gates.grantInitialCredits()
    pair.deliver()
    expect(pair.gates.channels[0]?.held).toBe(10)
    expect(pair.buffersSent).toHaveLength(10)
    expect(pair.gates.poolUsage).toBe(1)
  })

  it('gives a payload back with the credit, and uses it again', () => {
    const pair = new ChannelPair()
    pair.gates.grantInitialCredits()
    pair.deliver()
    emit(pair, 0, 2)
    pair.deliver()
    const first = pair.buffersSent[0]?.payload
    expect(pair.take()).toEqual([0, 1])
    pair.deliver()
    emit(pair, 2, 4)
    expect(pair.buffersSent[1]?.payload).toBe(first)
  })

  it('never loses a credit: after everything was read, each channel has its exclusive buffers and the gate its floating ones', () => {
    const pair = new ChannelPair({ channels: 3 })
    pair.gates.grantInitialCredits()
    pair.deliver()
    let taken = 0
    for (let i = 0; i < 500; i++) {
      if (pair.partition.isAvailable) pair.partition.emit(i, i)
      if (i % 3 === 0 && pair.take() !== null) taken++
      pair.deliver()
    }
    pair.partition.flush()
    for (let i = 0; i < 1000; i++) {
      if (pair.take() !== null) taken++
      pair.deliver()
    }
    expect(taken).toBe(pair.buffersSent.length)
    expect(pair.gates.channels.map((channel) => channel.held)).toEqual([0, 0, 0])
    for (const channel of pair.gates.channels) expect(channel.credits - channel.floating).toBe(2)
  })

  it('lends what floats to the channel that needs it', () => {
    const pair = new ChannelPair({ channels: 2, ship: 'hash' })
    while (pair.partition.isAvailable) pair.partition.emit(7, 0)
    pair.gates.grantInitialCredits()
    pair.deliver()
    expect(pair.gates.channels.map((channel) => channel.held).sort()).toEqual([0, 9])
    expect(pair.gates.channels.map((channel) => channel.floating).sort()).toEqual([0, 8])
    while (pair.take() !== null) pair.deliver()
    expect(pair.gates.channels.map((channel) => channel.floating)).toEqual([0, 0])
  })
})

describe('the buffer pool of a partition', () => {
  it('is unavailable when one subpartition has ten buffers, whatever the others have', () => {
    const pair = new ChannelPair({ channels: 4, ship: 'hash' })
    let records = 0
    while (pair.partition.isAvailable) {
      pair.partition.emit(7, 0)
      records++
    }
    const buffers = pair.partition.subpartitions.map((subpartition) => subpartition.report().buffers)
    expect(Math.max(...buffers)).toBe(10)
    expect(records).toBe(19)
  })

  it('is unavailable when all its buffers are used: two per subpartition and eight', () => {
    const pair = new ChannelPair({ channels: 4 })
    for (let i = 0; pair.partition.isAvailable; i++) pair.partition.emit(i, 0)
    expect(pair.partition.pool.used).toBe(16)
  })

  it('is available again when buffers have left', () => {
    const pair = new ChannelPair()
    for (let i = 0; pair.partition.isAvailable; i++) pair.partition.emit(i, 0)
    pair.gates.grantInitialCredits()
    pair.deliver()
    expect(pair.partition.isAvailable).toBe(true)
  })

  it('lends twenty buffers beyond it to the record in hand, and no more', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 1000)
    expect(pair.partition.pool.used).toBe(10 + 20)
    expect(pair.pending.isBlocked).toBe(true)
  })
})

describe('events', () => {
  it('need no credit and keep their place behind the data', () => {
    const pair = new ChannelPair()
    pair.partition.broadcastEvent({ type: 'cancel-checkpoint', checkpointId: 1 })
    expect(pair.sent.map((message) => message.kind)).toEqual(['event'])
    emit(pair, 0, 3)
    pair.partition.broadcastEvent(alignedBarrier(2))
    expect(pair.sent).toHaveLength(1)
    pair.gates.grantInitialCredits()
    pair.deliver()
    expect([pair.take(), pair.take(), pair.take(), pair.take()]).toEqual(['cancel-checkpoint', [0, 1], [2], 'barrier'])
  })

  it('an aligned barrier stops its subpartition until it is resumed; what comes behind waits at the sender', () => {
    const pair = new ChannelPair()
    pair.gates.grantInitialCredits()
    pair.deliver()
    pair.partition.broadcastEvent(alignedBarrier(1))
    emit(pair, 0, 4)
    pair.partition.broadcastEvent({ type: 'cancel-checkpoint', checkpointId: 2 })
    pair.deliver()
    expect(pair.sent.map((message) => message.kind)).toEqual(['event'])
    expect(pair.partition.subpartitions[0]?.report()).toMatchObject({ stopped: true, buffers: 2, records: 4 })
    pair.partition.subpartitions[0]?.onFeedback({ kind: 'resume' })
    expect(pair.sent.map((message) => message.kind)).toEqual(['event', 'buffer', 'buffer', 'event'])
  })

  it('a barrier that need not align does not stop it', () => {
    const pair = new ChannelPair()
    pair.gates.grantInitialCredits()
    pair.deliver()
    const barrier = alignedBarrier(1)
    pair.partition.broadcastEvent({ ...barrier, options: { ...barrier.options, alignment: 'AT_LEAST_ONCE' } })
    emit(pair, 0, 2)
    expect(pair.sent.map((message) => message.kind)).toEqual(['event', 'buffer'])
  })
})

describe('flushing', () => {
  it('lets an unfinished buffer leave, now or as soon as it may', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 1)
    pair.partition.flush()
    expect(pair.sent).toEqual([])
    emit(pair, 1, 2)
    pair.gates.grantInitialCredits()
    pair.deliver()
    // It went on filling up while it waited.
    expect(pair.take()).toEqual([0, 1])
  })
})

describe('the gate', () => {
  it('takes from its channels in turn', () => {
    const pair = new ChannelPair({ channels: 2, ship: 'broadcast' })
    pair.gates.grantInitialCredits()
    pair.deliver()
    emit(pair, 0, 4)
    pair.deliver()
    expect([0, 1, 2, 3].map(() => pair.take())).toEqual([[0, 1], [0, 1], [2, 3], [2, 3]])
  })

  it('passes over a blocked channel', () => {
    const pair = new ChannelPair({ channels: 2, ship: 'broadcast' })
    pair.gates.grantInitialCredits()
    pair.deliver()
    emit(pair, 0, 2)
    pair.deliver()
    const [first] = pair.gates.channels
    if (first !== undefined) first.isBlocked = true
    expect(pair.take()).toEqual([0, 1])
    expect(pair.take()).toBeNull()
  })
})

describe('the dictionary of a channel', () => {
  it('sends each word once', () => {
    const pair = new ChannelPair({ schema: bare('String'), segmentBytes: 60, ship: 'hash' })
    pair.gates.grantInitialCredits()
    pair.deliver()
    for (let i = 0; i < 12; i++) {
      pair.partition.emit(i % 2 === 0 ? 'even' : 'odd', 0)
      pair.deliver()
      pair.take()
    }
    expect(pair.buffersSent.flatMap((buffer) => buffer.words)).toEqual(['even', 'odd'])
  })

  it('starts a new epoch when it is full, and stays right for words known by their key', () => {
    const pair = new ChannelPair({ schema: bare('String'), segmentBytes: 60_000, ship: 'hash' })
    pair.gates.grantInitialCredits()
    pair.deliver()
    const sent: Value[] = []
    const received: Value[] = []
    const drain = (): void => {
      pair.deliver()
      for (let taken = pair.take(); taken !== null; taken = pair.take()) {
        if (typeof taken !== 'string') received.push(...taken)
        pair.deliver()
      }
    }
    for (let i = 0; i < DICTIONARY_WORDS_MAX + 10_000; i++) {
      for (const word of i % 10 === 0 ? [`w${i}`, 'often'] : [`w${i}`]) {
        sent.push(word)
        pair.partition.emit(word, 0)
      }
      if (i % 100 === 0) drain()
    }
    pair.partition.flush()
    drain()
    expect(new Set(pair.buffersSent.map((buffer) => buffer.dictionaryEpoch)).size).toBe(2)
    expect(received.length).toBe(sent.length)
    expect(received.every((word, i) => word === sent[i])).toBe(true)
  })
})
