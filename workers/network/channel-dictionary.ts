/**
 * The sender's dictionary of one channel: words to numbers, with each word's encoded length. Our own, Flink has none. It starts anew (a new
 * epoch) when it is full; the receiver follows by the epoch that each buffer names.
 */
import { must } from '../base/assert.ts'
import { encodedStringLength } from '../state/serializers/encoded-length.ts'
import { DICTIONARY_KEY_WORDS_MAX, DICTIONARY_WORDS_MAX } from './network-limits.ts'
import type { TaskWords } from './task-words.ts'

export class ChannelDictionary {
  epoch = 1
  readonly lengths: number[] = []
  /** Words that the receiver does not know yet; they leave with the buffer that is being filled. */
  pending: string[] = []
  /** Words of earlier epochs that a queued buffer may still refer to, oldest first. */
  private retired: { readonly epoch: number; readonly words: readonly string[] }[] = []
  private readonly ids = new Map<string, number>()
  /** Of this epoch, by their numbers. Only ever added to: whoever reads a buffer of it may hold on to it. */
  private words: string[] = []
  private readonly taskWords: TaskWords
  /** By the task's number of a word. */
  private readonly idsByNumber: number[] = []
  /** Words of this epoch that came with a number of the task. */
  private keyWords = 0

  constructor(taskWords: TaskWords) {
    this.taskWords = taskWords
  }

  idOf(word: string): number {
    const { taskWords } = this
    if (taskWords.number >= 0 && word === taskWords.inHand) return this.idOfWordInHand(taskWords.number, word)
    const known = this.ids.get(word)
    return known === undefined ? this.add(word) : known
  }

  takePending(): readonly string[] {
    if (this.pending.length === 0) return NO_WORDS
    const words = this.pending
    this.pending = []
    return words
  }

  /**
   * Between two buffers only: a buffer refers to one epoch. True if a new one began, and all numbers are void. Words that the task has
   * numbered have a larger share of their own: it keeps them for good anyhow, and they come again. With too small a share for its keys, an
   * epoch would be over before its words are of use.
   */
  startEpochIfFull(): boolean {
    if (this.ids.size < DICTIONARY_KEY_WORDS_MAX && this.ids.size - this.keyWords < DICTIONARY_WORDS_MAX) return false
    this.retired.push({ epoch: this.epoch, words: this.words })
    this.words = []
    this.epoch++
    this.ids.clear()
    this.idsByNumber.length = 0
    this.lengths.length = 0
    this.keyWords = 0
    return true
  }

  /** The words of an epoch by their numbers: what a reader of its buffers knows. */
  wordsOf(epoch: number): readonly string[] {
    if (epoch === this.epoch) return this.words
    return must(this.retired.find((each) => each.epoch === epoch), `dictionary epoch ${epoch}`).words
  }

  /** No queued buffer is of an earlier epoch than this. */
  forgetBefore(epoch: number): void {
    if (this.retired.length > 0) this.retired = this.retired.filter((each) => each.epoch >= epoch)
  }

  private idOfWordInHand(number: number, word: string): number {
    const { idsByNumber } = this
    if (number < idsByNumber.length) {
      const known = idsByNumber[number] as number
      if (known >= 0) return known
    }
    let id = this.ids.get(word)
    if (id === undefined) {
      id = this.add(word)
      this.keyWords++
    }
    while (idsByNumber.length <= number) idsByNumber.push(UNKNOWN)
    idsByNumber[number] = id
    return id
  }

  private add(word: string): number {
    const id = this.lengths.length
    this.ids.set(word, id)
    this.words.push(word)
    this.lengths.push(encodedStringLength(word))
    this.pending.push(word)
    return id
  }
}

const UNKNOWN = -1
const NO_WORDS: readonly string[] = []
