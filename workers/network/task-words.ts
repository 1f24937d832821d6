/**
 * The words that a task has read as keys, numbered over all of its input channels, and the one in hand. Ours: Flink has no dictionary. What
 * is kept for each word beside it (the entry of keyed state, the number in an output's dictionary) is then found by an index instead
 * of by hashing the word again at each place, which is most of what a record costs.
 */
import { TASK_WORDS_MAX } from './network-limits.ts'

/** A word without a number: everything works, by hashing. */
export const NO_WORD = -1

export class TaskWords {
  /** The key of the record in work where it is a word that has a number, else `NO_WORD` as the number. */
  inHand = ''
  number = NO_WORD
  private readonly numbers = new Map<string, number>()

  /** The number of a word, for good; `NO_WORD` once there are too many. */
  numberOf(word: string): number {
    const known = this.numbers.get(word)
    if (known !== undefined) return known
    const number = this.numbers.size
    if (number >= TASK_WORDS_MAX) return NO_WORD
    this.numbers.set(word, number)
    return number
  }
}
