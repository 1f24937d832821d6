/**
 * A few hundred records as columns: what the short way of a record (operators/record-run.ts) works on. Loops over short typed arrays cost half of
 * what a call for each record does, and the processor fetches many entries of state at a time. Ours: Flink has no columns.
 */

/** So few that all columns stay in the nearest cache, and that little is read in vain where a buffer is full in their middle. */
export const RUN_RECORDS_MAX = 256

/** Made once by each operator's module and filled anew for every run: nothing in it outlives a call. */
export class RunColumns {
  /** Of the key words; negative: the word has none. */
  readonly numbers = new Int32Array(RUN_RECORDS_MAX)
  readonly figures = new Float64Array(RUN_RECORDS_MAX)
  /** NaN: none. */
  readonly timestamps = new Float64Array(RUN_RECORDS_MAX).fill(NaN)
}
