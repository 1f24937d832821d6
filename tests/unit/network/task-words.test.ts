import { describe, expect, it } from 'vitest'
import { ChannelDictionary } from '../../../workers/network/channel-dictionary.ts'
import { DICTIONARY_KEY_WORDS_MAX, DICTIONARY_WORDS_MAX, RECORDS_PER_BUFFER_MAX, TASK_WORDS_MAX } from '../../../workers/network/network-limits.ts'
import { NO_WORD, TaskWords } from '../../../workers/network/task-words.ts'

const hold = (words: TaskWords, word: string): string => {
  words.inHand = word
  words.number = words.numberOf(word)
  return word
}

describe('numbers of key words', () => {
  it('are the same for the same word, for good', () => {
    const words = new TaskWords()
    expect([words.numberOf('a'), words.numberOf('b'), words.numberOf('a')]).toEqual([0, 1, 0])
  })

  it('end at their bound: later words go without one, earlier ones keep theirs', () => {
    const words = new TaskWords()
    for (let i = 0; i < TASK_WORDS_MAX; i++) words.numberOf(`w${i}`)
    expect(words.numberOf('one too many')).toBe(NO_WORD)
    expect(words.numberOf('w7')).toBe(7)
  })
})

describe('a dictionary', () => {
  it('gives a word the same id by its number as by itself', () => {
    const words = new TaskWords()
    const dictionary = new ChannelDictionary(words)
    const plain = ['x', 'y', 'z'].map((word) => dictionary.idOf(word))
    expect(['z', 'x', 'y'].map((word) => dictionary.idOf(hold(words, word)))).toEqual([plain[2], plain[0], plain[1]])
    expect(['z', 'x', 'y'].map((word) => dictionary.idOf(hold(words, word)))).toEqual([plain[2], plain[0], plain[1]])
  })

  it('does not take another word for the one in hand', () => {
    const words = new TaskWords()
    const dictionary = new ChannelDictionary(words)
    const held = dictionary.idOf(hold(words, 'held'))
    expect(dictionary.idOf('other')).not.toBe(held)
  })

  it('forgets what it knew by number when a new epoch begins', () => {
    const words = new TaskWords()
    const dictionary = new ChannelDictionary(words)
    for (let i = 0; i < DICTIONARY_KEY_WORDS_MAX; i++) dictionary.idOf(hold(words, `w${i}`))
    expect(dictionary.startEpochIfFull()).toBe(true)
    dictionary.takePending()
    expect(dictionary.idOf(hold(words, 'w5'))).toBe(0)
    expect(dictionary.takePending()).toEqual(['w5'])
  })

  it('goes on with its epoch beyond the words without a number for those that have one', () => {
    const words = new TaskWords()
    const dictionary = new ChannelDictionary(words)
    for (let i = 0; i < DICTIONARY_KEY_WORDS_MAX - 1; i++) dictionary.idOf(hold(words, `w${i}`))
    expect(dictionary.startEpochIfFull()).toBe(false)
    dictionary.idOf(hold(words, 'the last'))
    expect(dictionary.startEpochIfFull()).toBe(true)
    expect(dictionary.epoch).toBe(2)
  })

  it('is full of words without a number at their own bound, whatever it holds of the others', () => {
    const words = new TaskWords()
    const dictionary = new ChannelDictionary(words)
    for (let i = 0; i < 1000; i++) dictionary.idOf(hold(words, `key ${i}`))
    words.number = NO_WORD
    for (let i = 0; i < DICTIONARY_WORDS_MAX - 1; i++) dictionary.idOf(`w${i}`)
    expect(dictionary.startEpochIfFull()).toBe(false)
    dictionary.idOf('the last')
    expect(dictionary.startEpochIfFull()).toBe(true)
    // The share of the new epoch is whole again.
    for (let i = 0; i < DICTIONARY_WORDS_MAX - 1; i++) dictionary.idOf(`w${i}`)
    expect(dictionary.startEpochIfFull()).toBe(false)
  })

  it('has ids that fit into 20 bits, also when the largest buffer begins one word below its bound', () => {
    const columnsMax = 100
    expect(DICTIONARY_KEY_WORDS_MAX - 1 + columnsMax * RECORDS_PER_BUFFER_MAX).toBeLessThan(2 ** 20)
  })
})
