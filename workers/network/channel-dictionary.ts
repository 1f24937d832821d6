/**
 * The sender's dictionary of one channel: words to numbers, with each word's encoded length. Our own, Flink has none. It starts anew (a new
 * epoch) when it is full; the receiver follows by the epoch that each buffer names.
 */
import { encodedStringLength } from '../state/serializers/encoded-length.ts'
import { DICTIONARY_WORDS_MAX } from './network-limits.ts'

export class ChannelDictionary {
  epoch = 1
  readonly lengths: number[] = []
  /** Words that the receiver does not know yet; they leave with the buffer that is being filled. */
  pending: string[] = []
  private readonly ids = new Map<string, number>()

  idOf(word: string): number {
    const known = this.ids.get(word)
    return known === undefined ? this.add(word) : known
  }

  takePending(): readonly string[] {
    if (this.pending.length === 0) return NO_WORDS
    const words = this.pending
    this.pending = []
    return words
  }

  /** Between two buffers only: a buffer refers to one epoch. True if a new one began, and all numbers are void. */
  startEpochIfFull(): boolean {
    if (this.ids.size < DICTIONARY_WORDS_MAX) return false
    this.epoch++
    this.ids.clear()
    this.lengths.length = 0
    return true
  }

  private add(word: string): number {
    const id = this.lengths.length
    this.ids.set(word, id)
    this.lengths.push(encodedStringLength(word))
    this.pending.push(word)
    return id
  }
}

const NO_WORDS: readonly string[] = []
