/** In-flight data is kept when the barrier passes and encoded later: nothing that happens to the buffer in between may show (behaviour 6.3, 6.4). */
import { describe, expect, it } from 'vitest'
import { asUnaligned } from '../../../workers/model/alignment.ts'
import { bare } from '../../../workers/model/schema.ts'
import { ChannelState } from '../../../workers/checkpointing/channel-state.ts'
import type { InFlightBuffer } from '../../../workers/network/in-flight-buffer.ts'
import { readChannelState } from '../../../workers/network/channel-state-codec.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { ChannelPair, alignedBarrier } from './channel-pair.ts'

const TEXT = bare('String')

function wordsOf(buffer: InFlightBuffer): string[] {
  buffer.encode()
  const out = new DataOutput()
  out.writeInt(0)
  out.writeBlob(buffer.bytes)
  return readChannelState({ offsets: [4] }, out.toBytes(), TEXT).flatMap((element) => (element.kind === 'record' ? [element.value as string] : []))
}

const sender = (pair: ChannelPair) => pair.partition.subpartitions[0] as ChannelPair['partition']['subpartitions'][number]
const receiver = (pair: ChannelPair) => pair.gates.channels[0] as ChannelPair['gates']['channels'][number]

/** Sends and reads so many further words, so that every payload has been used again. */
function goOn(pair: ChannelPair, words: readonly string[]): void {
  pair.gates.grantInitialCredits()
  for (const word of words) {
    pair.partition.emit(word, 0)
    pair.partition.flush()
    pair.deliver()
    for (let message = receiver(pair).poll(); message !== undefined; message = receiver(pair).poll()) {
      if (message.kind !== 'buffer') continue
      receiver(pair).reader.open(message)
      pair.gates.recycle(receiver(pair))
    }
    pair.deliver()
  }
}

describe('what a barrier overtakes', () => {
  it('is encoded as it stood, after its buffers have been sent, read, returned and filled anew', () => {
    const pair = new ChannelPair({ schema: TEXT })
    const before = ['a', 'b', 'a', 'c', 'd']
    for (const word of before) pair.partition.emit(word, 0)
    const kept = sender(pair).addPriorityBarrier(asUnaligned(alignedBarrier(1)))
    expect(kept.every((buffer) => !buffer.isEncoded)).toBe(true)
    goOn(pair, ['x', 'y', 'z', 'x', 'v', 'w', 'a'])
    expect(kept.flatMap(wordsOf)).toEqual(before)
  })

  it('at the receiver: the rest of a buffer in work, also when that has been read on and given back', () => {
    const pair = new ChannelPair({ schema: TEXT })
    pair.gates.grantInitialCredits()
    pair.deliver()
    for (const word of ['a', 'b']) pair.partition.emit(word, 0)
    pair.partition.flush()
    pair.deliver()
    const message = receiver(pair).poll()
    if (message?.kind !== 'buffer') throw new Error('a buffer is there')
    receiver(pair).reader.open(message)
    receiver(pair).startPersisting(1)
    const [kept] = pair.gates.stopPersisting()
    receiver(pair).reader.index = message.count
    pair.gates.recycle(receiver(pair))
    goOn(pair, ['x', 'y', 'z', 'x', 'v', 'w'])
    expect(kept?.buffers.flatMap(wordsOf).slice(0, 1)).toEqual(['a'])
  })

  it('of a buffer that has been read to its end, nothing is kept', () => {
    const pair = new ChannelPair({ schema: TEXT })
    pair.gates.grantInitialCredits()
    pair.deliver()
    pair.partition.emit('a', 0)
    pair.partition.flush()
    pair.deliver()
    const message = receiver(pair).poll()
    if (message?.kind !== 'buffer') throw new Error('a buffer is there')
    receiver(pair).reader.open(message)
    receiver(pair).reader.index = message.count
    receiver(pair).startPersisting(1)
    expect(pair.gates.stopPersisting()[0]?.buffers).toEqual([])
  })
})

describe('encoding it', () => {
  it('goes buffer by buffer, as far as the budget of records goes, and loses none', () => {
    const pair = new ChannelPair({ schema: TEXT })
    for (let i = 0; i < 8; i++) pair.partition.emit(`w${i}`, 0)
    const buffers = sender(pair).addPriorityBarrier(asUnaligned(alignedBarrier(1)))
    expect(buffers.length).toBeGreaterThan(2)
    const state = new ChannelState(1, true)
    state.keepOutputs([{ major: 0, minor: 0, buffers }])
    state.areOutputsDone = true
    let slices = 1
    while (state.encode(1)) {
      expect(state.isEncoded).toBe(false)
      slices++
    }
    expect(slices).toBe(buffers.length)
    expect(state.isEncoded).toBe(true)
    expect(state.encode(1)).toBe(false)
    expect(state.outputBytes).toBe(buffers.reduce((sum, { bytes }) => sum + bytes.length, 0))
  })
})
