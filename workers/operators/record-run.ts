/**
 * The short way of a record. An operator that has a `processRun` works on records that lie one behind the other in a buffer without a call of
 * the task for each, column by column, and writes words by their numbers. Ours: Flink serializes each record by itself.
 *
 * The short way never decides anything. It takes a record only if nothing but the record itself has to happen: its word is known wherever it
 * goes, and the buffer that it goes into is open. Every other record goes the general way (`processElement`, `emit`), which opens buffers, learns
 * words, and meets the limits of pools. So whether the task may go on can change only there, and the two give the same buffers and state.
 */
import type { RunColumns } from '../model/run-columns.ts'

/** Records of one buffer, up to the next watermark or the end of what the task may do now. */
export interface RecordRun {
  /** The next record. Whoever has worked on records moves it on. */
  index: number
  /** Behind the last one. */
  readonly end: number
  /** The key's numbers and the timestamps of the next records, up to the first whose key is no single String or has no number (yet); how many. */
  readNumbers(columns: RunColumns): number
  /** The field in this column, which must be numeric, of the next `count` records. */
  readFigures(column: number, count: number, columns: RunColumns): void
}

/**
 * Where an operator at the end of its chain may write records whose first or only field is a word with a number, the short way: `place`, then
 * `write` of as many or fewer, and nothing else in between.
 */
export interface NumberedOutput {
  /**
   * Looks up where the first `count` words go, by `numbers`; how many of the records may be written. The first that may not has to go the
   * general way: where its word goes is not known, or the buffer is not open, or full with the record before it. Reads `timestamps` too.
   */
  place(columns: RunColumns, count: number): number
  /** Writes the first `count` of those that were placed last. `figures` are ignored where records have none. */
  write(columns: RunColumns, count: number): void
}
