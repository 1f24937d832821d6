/**
 * The short way of a record. An operator that has a `processRun` works on records that lie one behind the other in a buffer without a call of
 * the task for each, reads single columns of them, and writes words by their numbers. Ours: Flink serializes each record by itself.
 *
 * The short way never decides anything. It takes a record only if nothing but the record itself has to happen: its word is known wherever it
 * goes, and the buffer that it goes into is open. Every other record goes the general way (`processElement`, `emit`), which opens buffers, learns
 * words, and meets the limits of pools. So whether the task may go on can change only there, and the two give the same buffers and state.
 */
import type { Value } from '../model/schema.ts'

/** Records of one buffer, up to the next watermark or the end of what the task may do now. */
export interface RecordRun {
  /** The next record. Whoever has worked on it moves it on. */
  index: number
  /** Behind the last one. */
  readonly end: number
  value(i: number): Value
  /** NaN: none. */
  timestamp(i: number): number
  /** The number of the record's key word, where the key is one String; negative where it has none (yet). */
  keyNumber(i: number): number
  /** The field in this column, which must be numeric. */
  figure(column: number, i: number): number
}

/** Where an operator at the end of its chain may write records whose first or only field is a word with a number, the short way. */
export interface NumberedOutput {
  /** Where a word goes, by its number, which is not negative; negative: the general way. Valid until something is written. */
  placeOf(number: number): number
  /** Writes to a place that is not negative. `figure` is ignored where records have none. */
  write(place: number, figure: number, timestamp: number): void
}
