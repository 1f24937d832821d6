/** Barriers that overtake: in the sender's queue, in the receiver's queue, and what is kept of the data there (behaviour 6.3, 6.4). */
import { describe, expect, it } from 'vitest'
import { asUnaligned } from '../../../workers/model/alignment.ts'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import type { CheckpointBarrier } from '../../../workers/model/wire.ts'
import { readChannelState } from '../../../workers/network/channel-state-codec.ts'
import type { InFlightBuffer } from '../../../workers/network/in-flight-buffer.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { ChannelPair, alignedBarrier } from './channel-pair.ts'

const unaligned = (id: number): CheckpointBarrier => asUnaligned(alignedBarrier(id))
const timeoutable = (id: number): CheckpointBarrier => ({ ...alignedBarrier(id), options: { ...alignedBarrier(id).options, alignedTimeoutMicros: 10 } })

/** The values of what was kept, read as a file of in-flight data holds them. */
function valuesOf(kept: readonly InFlightBuffer[], schema: Schema = bare('Int')): Value[] {
  const out = new DataOutput()
  out.writeInt(0)
  const offsets = kept.map((buffer) => {
    const at = out.position
    buffer.encode()
    out.writeBlob(buffer.bytes)
    return at
  })
  return readChannelState({ offsets }, out.toBytes(), schema).flatMap((element) => (element.kind === 'record' ? [element.value] : [`W${element.timestamp}`]))
}

function emit(pair: ChannelPair, from: number, to: number): void {
  for (let i = from; i < to; i++) pair.partition.emit(i, i)
}

const sender = (pair: ChannelPair) => pair.partition.subpartitions[0] as ChannelPair['partition']['subpartitions'][number]
const receiver = (pair: ChannelPair) => pair.gates.channels[0] as ChannelPair['gates']['channels'][number]
const order = (pair: ChannelPair): string[] => pair.sent.map((message) => (message.kind === 'event' ? message.event.type : 'buffer'))

describe('in the sender', () => {
  it('an unaligned barrier goes ahead of all data, which it gives back; the data is sent behind it', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 5)
    expect(valuesOf(sender(pair).addPriorityBarrier(unaligned(1)))).toEqual([0, 1, 2, 3, 4])
    pair.gates.grantInitialCredits()
    pair.deliver()
    expect(order(pair)).toEqual(['barrier', 'buffer', 'buffer', 'buffer'])
  })

  it('needs no credit, and does not stop the subpartition', () => {
    const pair = new ChannelPair()
    sender(pair).addPriorityBarrier(unaligned(1))
    expect(order(pair)).toEqual(['barrier'])
    expect(sender(pair).report().stopped).toBe(false)
  })

  it('keeps watermarks in their place among the records', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 2)
    pair.partition.emitWatermark(7)
    emit(pair, 2, 3)
    pair.partition.emitWatermark(9)
    expect(valuesOf(sender(pair).addPriorityBarrier(unaligned(1)))).toEqual([0, 1, 'W7', 2, 'W9'])
  })

  it('knows the words of queued buffers whatever became of the dictionary', () => {
    const pair = new ChannelPair({ schema: bare('String') })
    for (const word of ['a', 'b', 'a', 'c']) pair.partition.emit(word, 0)
    expect(valuesOf(sender(pair).addPriorityBarrier(unaligned(1)), bare('String'))).toEqual(['a', 'b', 'a', 'c'])
  })

  it('an aligned barrier that is stuck when its time is over is pulled forward, with what stands before it and no more', () => {
    const pair = new ChannelPair()
    emit(pair, 0, 3)
    sender(pair).addEvent(timeoutable(1))
    emit(pair, 3, 6)
    expect(sender(pair).hasTimeoutableBarrier(1)).toBe(true)
    expect(valuesOf(sender(pair).timeOutBarrier(1) ?? [])).toEqual([0, 1, 2])
    expect(order(pair)).toEqual(['barrier'])
    expect(sender(pair).report().stopped).toBe(false)
  })

  it('one that has left is left alone', () => {
    const pair = new ChannelPair()
    sender(pair).addEvent(timeoutable(1))
    expect(sender(pair).hasTimeoutableBarrier(1)).toBe(false)
    expect(sender(pair).timeOutBarrier(1)).toBeNull()
    expect(sender(pair).report().stopped).toBe(true)
  })
})

describe('in the receiver', () => {
  it('an unaligned barrier is handled ahead of the data; what came before it is kept, also the rest of a buffer in work', () => {
    const pair = new ChannelPair()
    pair.gates.grantInitialCredits()
    pair.deliver()
    emit(pair, 0, 4)
    pair.deliver()
    const message = receiver(pair).poll()
    if (message?.kind !== 'buffer') throw new Error('a buffer is there')
    receiver(pair).reader.open(message)
    receiver(pair).reader.index = 1
    sender(pair).addPriorityBarrier(unaligned(1))
    emit(pair, 4, 6)
    pair.deliver()
    expect(pair.gates.takePriority()).toMatchObject({ isAnnouncement: false, barrier: { checkpointId: 1 } })
    receiver(pair).startPersisting(1)
    const [kept] = pair.gates.stopPersisting()
    const all = Array.from({ length: message.count - 1 }, (_, i) => i + 1)
    expect(valuesOf(kept?.buffers ?? []).slice(0, all.length)).toEqual(all)
    expect(valuesOf(kept?.buffers ?? [])).not.toContain(4)
  })

  it('what arrives until the barrier of the channel does is kept, what comes behind it is not', () => {
    const pair = new ChannelPair()
    pair.gates.grantInitialCredits()
    pair.deliver()
    receiver(pair).startPersisting(1)
    emit(pair, 0, 3)
    sender(pair).addEvent({ ...alignedBarrier(1), options: { ...alignedBarrier(1).options, alignment: 'AT_LEAST_ONCE' } })
    emit(pair, 3, 6)
    pair.deliver()
    expect(valuesOf(pair.gates.stopPersisting()[0]?.buffers ?? [])).toEqual([0, 1, 2])
  })

  it('an aligned barrier that may time out is announced when it arrives, and keeps its place', () => {
    const pair = new ChannelPair()
    pair.gates.grantInitialCredits()
    pair.deliver()
    emit(pair, 0, 3)
    sender(pair).addEvent(timeoutable(1))
    pair.deliver()
    expect(pair.gates.takePriority()).toMatchObject({ isAnnouncement: true })
    expect(pair.gates.convertToPriority(0, 1)).toBe(true)
    expect(pair.gates.takePriority()).toMatchObject({ isAnnouncement: false, barrier: { options: { alignment: 'ALIGNED' } } })
    expect(pair.gates.convertToPriority(0, 1)).toBe(false)
    receiver(pair).startPersisting(1)
    expect(valuesOf(pair.gates.stopPersisting()[0]?.buffers ?? [])).toEqual([0, 1, 2])
  })
})
