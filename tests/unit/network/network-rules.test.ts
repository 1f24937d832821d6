/** Rules of buffers and events between one sender and its receivers that are easily told wrongly (behaviour 6.2, 6.3, 8.1, 8.2). */
import { describe, expect, it } from 'vitest'
import { asUnaligned } from '../../../workers/model/alignment.ts'
import {
  BUFFERS_PER_SUBPARTITION_MAX, EVENTS_PER_QUEUE_MAX, EXCLUSIVE_BUFFERS_PER_CHANNEL, FLOATING_BUFFERS_PER_GATE, OVERDRAFT_BUFFERS_MAX, outputPoolSize,
} from '../../../workers/network/network-limits.ts'
import { ChannelPair, alignedBarrier } from './channel-pair.ts'

const sender = (pair: ChannelPair) => pair.partition.subpartitions[0] as ChannelPair['partition']['subpartitions'][number]
const ids = (pair: ChannelPair): (number | string)[] => pair.sent.map((message) => (message.kind === 'buffer' ? 'buffer' : message.event.type === 'barrier' ? message.event.checkpointId : message.event.type))

/** One buffer holds two records. */
const emit = (pair: ChannelPair, from: number, to: number): void => {
  for (let i = from; i < to; i++) pair.partition.emit(i, i)
}

it('the numbers of the network are Flink’s (behaviour 8.1)', () => {
  expect([EXCLUSIVE_BUFFERS_PER_CHANNEL, FLOATING_BUFFERS_PER_GATE, BUFFERS_PER_SUBPARTITION_MAX, OVERDRAFT_BUFFERS_MAX]).toEqual([2, 8, 10, 20])
  expect([outputPoolSize(1), outputPoolSize(4)]).toEqual([10, 16])
})

describe('a priority event', () => {
  it('goes behind other priority events, ahead of everything else', () => {
    const pair = new ChannelPair()
    sender(pair).addEvent(alignedBarrier(1))
    emit(pair, 0, 2)
    sender(pair).addPriorityBarrier(asUnaligned(alignedBarrier(2)))
    sender(pair).addPriorityBarrier(asUnaligned(alignedBarrier(3)))
    pair.gates.grantInitialCredits()
    pair.deliver()
    expect(ids(pair)).toEqual([1])
    sender(pair).onFeedback({ kind: 'resume' })
    expect(ids(pair)).toEqual([1, 2, 3, 'buffer'])
  })

  it('is handled at the receiver in the order of arrival, over all channels', () => {
    const pair = new ChannelPair({ channels: 2 })
    pair.partition.subpartitions[1]?.addPriorityBarrier(asUnaligned(alignedBarrier(1)))
    pair.partition.subpartitions[0]?.addPriorityBarrier(asUnaligned(alignedBarrier(1)))
    pair.deliver()
    expect([pair.gates.takePriority(), pair.gates.takePriority()].map(({ channel }) => channel.number)).toEqual([1, 0])
    expect(pair.gates.hasPriority).toBe(false)
  })
})

describe('an event', () => {
  it('closes the buffer in work and stands behind it, so that a barrier never waits for the buffer timeout', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 1)
    pair.gates.grantInitialCredits()
    pair.deliver()
    sender(pair).addEvent(alignedBarrier(1))
    emit(pair, 1, 2)
    expect(ids(pair)).toEqual(['buffer', 1])
  })

  it('that finds thousands of others waiting fails the task in words, whatever data stands among them; it is no bug of the engine', () => {
    const pair = new ChannelPair()
    sender(pair).addEvent(alignedBarrier(0))
    emit(pair, 0, 12)
    for (let id = 1; id <= EVENTS_PER_QUEUE_MAX; id++) sender(pair).addEvent(alignedBarrier(id))
    emit(pair, 12, 14)
    expect(() => sender(pair).addEvent(alignedBarrier(EVENTS_PER_QUEUE_MAX + 1))).toThrow(RangeError)
    expect(() => sender(pair).addEvent(alignedBarrier(EVENTS_PER_QUEUE_MAX + 1))).toThrow('4096 barriers and other events wait at the sender')
  })
})

describe('floating buffers', () => {
  it('the receiver wants as many as are in the backlog beside its exclusive ones', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 8)
    pair.gates.grantInitialCredits()
    for (const { output, feedback } of pair.feedbacks.splice(0)) pair.partition.subpartitions[output]?.onFeedback(feedback)
    // The second of two buffers says that two more wait: two floating ones for them, and two for those that are exclusive and in use.
    for (const { channel, message } of pair.messages.splice(0)) pair.gates.receive(channel, message)
    expect(pair.gates.channels[0]?.floating).toBe(2 + EXCLUSIVE_BUFFERS_PER_CHANNEL)
  })

  it('of a channel that has ended go to one of the same gate that waits', () => {
    const pair = new ChannelPair({ channels: 2, ship: 'broadcast' })
    const [first, second] = pair.gates.channels
    if (first === undefined || second === undefined) throw new Error('two channels')
    first.floating = 8
    ;(pair.gates as unknown as { floatingFree: number[] }).floatingFree[0] = 0
    second.backlog = 3
    pair.gates.finish(first)
    expect([first.floating, second.floating]).toEqual([0, 5])
    expect(pair.feedbacks).toEqual([{ output: 1, feedback: { kind: 'credit', credits: 5, recycled: [] } }])
  })
})

describe('a task', () => {
  it('is unavailable from the moment the pool is empty, and writes its record to the end all the same', () => {
    const pair = new ChannelPair({ channels: 4 })
    let records = 0
    for (; pair.partition.isAvailable; records++) pair.partition.emit(records, 0)
    expect(pair.partition.pool.used).toBe(outputPoolSize(4))
    for (let i = 0; i < 2 * OVERDRAFT_BUFFERS_MAX; i++) pair.partition.emit(records + i, 0)
    expect(pair.partition.pool.used).toBeGreaterThan(outputPoolSize(4))
    expect(pair.partition.isAvailable).toBe(false)
  })

  it('is unavailable because of one slow consumer, though its other consumers have room', () => {
    const pair = new ChannelPair({ channels: 8, ship: 'hash' })
    while (pair.partition.isAvailable) pair.partition.emit(7, 0)
    expect(pair.partition.pool.used).toBe(BUFFERS_PER_SUBPARTITION_MAX)
    expect(pair.partition.pool.used).toBeLessThan(outputPoolSize(8))
  })
})
