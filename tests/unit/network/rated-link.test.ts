/** A channel that takes only so many bytes a second. An Int with its overhead has 17 bytes, a buffer has two of them: 34 ms at 1000 bytes a second. */
import { describe, expect, it } from 'vitest'
import { asUnaligned } from '../../../workers/model/alignment.ts'
import { alignedBarrier, ChannelPair } from './channel-pair.ts'

const BUFFER = 34_000

/** Ready to send, `records` of them written. */
function rated(records: number, bytesPerSecond = 1000): ChannelPair {
  const pair = new ChannelPair({ bytesPerSecond })
  pair.gates.grantInitialCredits()
  pair.deliver()
  for (let i = 0; i < records; i++) pair.partition.emit(i, i)
  pair.deliver()
  return pair
}

const sender = (pair: ChannelPair) => pair.partition.subpartitions[0] as ChannelPair['partition']['subpartitions'][number]
const receiver = (pair: ChannelPair) => pair.gates.channels[0] as ChannelPair['gates']['channels'][number]
const order = (pair: ChannelPair): string[] => pair.sent.map((message) => (message.kind === 'event' ? message.event.type : String(message.sequence)))

describe('a rate', () => {
  it('a buffer arrives when its last byte has left, one after the other', () => {
    const pair = rated(6)
    expect(order(pair)).toEqual([])
    pair.until(BUFFER - 1)
    expect(order(pair)).toEqual([])
    pair.until(BUFFER)
    expect(order(pair)).toEqual(['1'])
    pair.until(2 * BUFFER - 1)
    expect(order(pair)).toEqual(['1'])
    pair.until(3 * BUFFER)
    expect(order(pair)).toEqual(['1', '2', '3'])
    expect(pair.buffersSent.map(({ sentAt }) => sentAt)).toEqual([BUFFER, 2 * BUFFER, 3 * BUFFER])
  })

  it('a timer that comes late costs no rate: what waited leaves as if it had been in time', () => {
    const pair = rated(6)
    pair.now = 2 * BUFFER + 1
    sender(pair).onLinkTimer()
    expect(order(pair)).toEqual(['1', '2'])
    expect(pair.buffersSent.map(({ sentAt }) => sentAt)).toEqual([BUFFER, 2 * BUFFER])
    pair.until(3 * BUFFER)
    expect(order(pair)).toEqual(['1', '2', '3'])
  })

  it('a link that was idle begins when something comes', () => {
    const pair = rated(2)
    pair.until(10 * BUFFER)
    pair.partition.emit(2, 2)
    pair.partition.emit(3, 3)
    pair.until(11 * BUFFER - 1)
    expect(order(pair)).toEqual(['1'])
    pair.until(11 * BUFFER)
    expect(order(pair)).toEqual(['1', '2'])
  })

  it('what is on the link has left the queue, and its memory is not free yet', () => {
    const pair = rated(6)
    const { buffers, records, sentBuffers, sentRecords } = sender(pair).report()
    expect({ buffers, records, sentBuffers, sentRecords }).toEqual({ buffers: 2, records: 4, sentBuffers: 1, sentRecords: 2 })
    expect(pair.partition.pool.used).toBe(3)
    pair.until(BUFFER)
    expect(pair.partition.pool.used).toBe(2)
  })

  it('a sender is done when the last byte has left', () => {
    const pair = rated(2)
    expect(sender(pair).isEmpty).toBe(false)
    pair.until(BUFFER)
    expect(sender(pair).isEmpty).toBe(true)
  })

  it('is what puts the writer under backpressure, though the receiver has all the room in the world', () => {
    const pair = rated(0)
    let written = 0
    for (let i = 0; i < 1000 && pair.partition.isAvailable; i++, written++) pair.partition.emit(i, i)
    pair.deliver()
    expect(receiver(pair).held).toBe(0)
    expect(written).toBeLessThan(30)
  })
})

describe('a rate that is changed', () => {
  it('holds for what is left of the buffer on the link', () => {
    const pair = rated(4)
    pair.until(BUFFER / 2)
    sender(pair).setRate(2000)
    pair.until(BUFFER * 0.75 - 1)
    expect(order(pair)).toEqual([])
    pair.until(BUFFER * 0.75)
    expect(order(pair)).toEqual(['1'])
    pair.until(BUFFER * 1.25)
    expect(order(pair)).toEqual(['1', '2'])
  })

  it('taken away, lets everything go at once that has a credit, in order', () => {
    const pair = rated(8)
    pair.until(BUFFER / 2)
    sender(pair).setRate(null)
    pair.deliver()
    expect(order(pair)).toEqual(['1', '2', '3', '4'])
  })

  it('set on an idle channel, holds from its next buffer on', () => {
    const pair = new ChannelPair()
    pair.gates.grantInitialCredits()
    pair.deliver()
    sender(pair).setRate(1000)
    pair.partition.emit(0, 0)
    pair.partition.emit(1, 1)
    expect(order(pair)).toEqual([])
    pair.until(BUFFER)
    expect(order(pair)).toEqual(['1'])
  })
})

describe('barriers', () => {
  it('an aligned one keeps its place: behind all data, and the sender stops behind it', () => {
    const pair = rated(4)
    pair.partition.broadcastEvent(alignedBarrier(1))
    pair.partition.emit(4, 4)
    pair.partition.emit(5, 5)
    pair.until(5 * BUFFER)
    expect(order(pair)).toEqual(['1', '2', 'barrier'])
    sender(pair).onFeedback({ kind: 'resume' })
    pair.until(6 * BUFFER)
    expect(order(pair)).toEqual(['1', '2', 'barrier', '3'])
  })

  it('an unaligned one overtakes what waits at the sender and not what is on the link, which is not given back either', () => {
    const pair = rated(6)
    pair.until(BUFFER / 2)
    expect(sender(pair).addPriorityBarrier(asUnaligned(alignedBarrier(1)))).toHaveLength(2)
    expect(order(pair)).toEqual([])
    pair.until(BUFFER)
    expect(order(pair)).toEqual(['1', 'barrier'])
    pair.until(3 * BUFFER)
    expect(order(pair)).toEqual(['1', 'barrier', '2', '3'])
  })
})
