/**
 * Where the words of one column go on an output edge: subpartition and the word's number in that channel's dictionary, in one small integer, so
 * that a word is looked up once per record. Ours: Flink has no dictionaries.
 */
import { NO_WORD } from './task-words.ts'
import type { TaskWords } from './task-words.ts'

const WORD_BITS = 20
const WORD_MASK = (1 << WORD_BITS) - 1
/** What goes into the rest of a positive 32-bit integer. */
export const PLACED_SUBPARTITIONS_MAX = 1024

export const UNKNOWN_PLACE = -1
const FIRST_NUMBERS = 1024

export const pack = (subpartition: number, word: number): number => (subpartition << WORD_BITS) | word
export const subpartitionOf = (place: number): number => place >> WORD_BITS
export const wordOf = (place: number): number => place & WORD_MASK

export class WordPlaces {
  /** Of the words in a record. */
  readonly column: number
  private readonly words: TaskWords
  private readonly byWord = new Map<string, number>()
  /** By the task's number of a word. */
  private byNumber = new Int32Array(FIRST_NUMBERS).fill(UNKNOWN_PLACE)

  constructor(column: number, words: TaskWords) {
    this.column = column
    this.words = words
  }

  /** `UNKNOWN_PLACE`: it has to be learnt. */
  find(word: string): number {
    const { inHand, number } = this.words
    if (number === NO_WORD || word !== inHand) return this.byWord.get(word) ?? UNKNOWN_PLACE
    const known = number < this.byNumber.length ? (this.byNumber[number] as number) : UNKNOWN_PLACE
    if (known !== UNKNOWN_PLACE) return known
    const place = this.byWord.get(word) ?? UNKNOWN_PLACE
    this.remember(number, place)
    return place
  }

  /** As `find`, by the task's numbers of the first `count` words, up to the first that has none or is not known; how many. */
  findNumbers(numbers: Int32Array, count: number, places: Int32Array): number {
    const { byNumber } = this
    for (let i = 0; i < count; i++) {
      const number = numbers[i] as number
      if (number < 0 || number >= byNumber.length) return i
      const place = byNumber[number] as number
      if (place === UNKNOWN_PLACE) return i
      places[i] = place
    }
    return count
  }

  learn(word: string, place: number): void {
    this.byWord.set(word, place)
    const { inHand, number } = this.words
    if (number !== NO_WORD && word === inHand) this.remember(number, place)
  }

  /** A dictionary began anew: what was known is void. */
  forget(): void {
    this.byWord.clear()
    this.byNumber.fill(UNKNOWN_PLACE)
  }

  private remember(number: number, place: number): void {
    if (number >= this.byNumber.length) {
      const grown = new Int32Array(Math.max(2 * this.byNumber.length, number + 1)).fill(UNKNOWN_PLACE)
      grown.set(this.byNumber)
      this.byNumber = grown
    }
    this.byNumber[number] = place
  }
}
