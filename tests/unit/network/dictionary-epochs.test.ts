/** Many words through channels: the bounds of a dictionary, with and without numbers of the task. */
import { describe, expect, it } from 'vitest'
import { bare } from '../../../workers/model/schema.ts'
import { DICTIONARY_KEY_WORDS_MAX, DICTIONARY_WORDS_MAX } from '../../../workers/network/network-limits.ts'
import { ChannelPair } from './channel-pair.ts'

describe('the dictionaries of channels', () => {
  it('carries numbered keys through several channels, at the bound and over many epochs, each to its target and in order', () => {
    const channels = 2
    const pair = new ChannelPair({ schema: bare('String'), segmentBytes: 32_768, ship: 'hash', channels })
    pair.gates.grantInitialCredits()
    pair.deliver()
    const received = new Map<string, number[]>()
    let count = 0
    const drain = (): void => {
      pair.deliver()
      for (let taken = pair.take(); taken !== null; taken = pair.take()) {
        for (const each of taken) {
          const [word, number] = (each as string).split(' ') as [string, string]
          const list = received.get(word)
          if (list === undefined) received.set(word, [Number(number)])
          else list.push(Number(number))
          count++
        }
        pair.deliver()
      }
    }
    const emit = (word: string, isNumbered: boolean): void => {
      pair.words.number = isNumbered ? pair.words.numberOf(word) : -1
      pair.words.inHand = isNumbered ? word : ''
      pair.partition.emit(word, 0)
      if (pair.partition.records % 2048 === 0) drain()
    }
    // Words without a number fill several epochs of each channel; numbered ones come in all of these epochs.
    const rounds = 2 * channels * DICTIONARY_WORDS_MAX + 50_000
    for (let i = 0; i < rounds; i++) {
      emit(`once${i} ${i}`, false)
      if (i % 4 === 0) emit(`key${i % 1000} ${i % 1000}`, true)
    }
    pair.partition.flush()
    drain()
    expect(count).toBe(pair.partition.records)
    const keys = Array.from({ length: 250 }, (_, i) => received.get(`key${4 * i}`))
    const total = keys.reduce((sum, list) => sum + (list?.length ?? 0), 0)
    expect(total).toBe(Math.ceil(rounds / 4))
    expect(keys.every((list, i) => list?.every((number) => number === 4 * i))).toBe(true)
    for (let i = 0; i < rounds; i++) if (received.get(`once${i}`)?.join() !== String(i)) throw new Error(`once${i}: ${String(received.get(`once${i}`))}`)
    expect(Math.max(...pair.buffersSent.map((buffer) => buffer.dictionaryEpoch))).toBeGreaterThanOrEqual(3)
  })

  it('sends each of 300,000 keys once, however often they come', () => {
    const pair = new ChannelPair({ schema: bare('String'), segmentBytes: 32_768, ship: 'hash' })
    pair.gates.grantInitialCredits()
    pair.deliver()
    const keys = Array.from({ length: 300_000 }, (_, i) => `key${i}`)
    let read = 0
    let wrong = 0
    for (let i = 0; i < 3 * keys.length; i++) {
      const key = keys[i % keys.length] as string
      pair.words.number = pair.words.numberOf(key)
      pair.words.inHand = key
      pair.partition.emit(key, 0)
      if (i % 2048 !== 0 && i !== 3 * keys.length - 1) continue
      pair.partition.flush()
      pair.deliver()
      for (let taken = pair.take(); taken !== null; taken = pair.take()) {
        for (const value of taken) if (value !== keys[read++ % keys.length]) wrong++
        pair.deliver()
      }
    }
    expect([read, wrong]).toEqual([3 * keys.length, 0])
    expect(pair.buffersSent.reduce((sum, buffer) => sum + buffer.words.length, 0)).toBe(keys.length)
    expect(keys.length).toBeLessThan(DICTIONARY_KEY_WORDS_MAX)
  })
})
