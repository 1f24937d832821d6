/** What the hand-written pipelines see of a channel, whatever its messages are. */
export type Way =
  /**
   * Columns in transferred buffers, words through a dictionary: the fastest known. With `numbered` the source has looked all words up beforehand,
   * so that it is faster than the counters and the queues before them are full.
   */
  | { readonly type: 'dictionary'; readonly numbered?: boolean }
  /** Arrays of so many objects, cloned by the browser; 1: an object a message. */
  | { readonly type: 'objects'; readonly batch: number }

export type OnRecord = (word: string, value: number, time: number) => void

export interface Sender {
  /** Messages that may be sent before the receiver gives some back. */
  readonly credits: number
  emit(word: string, value: number, time: number): void
  /** Sends what has gathered. `barrier`: wall milliseconds when the source emitted one. */
  flush(end: boolean, barrier?: number | null): void
}

export interface Receiver {
  /** Which stood behind the records that were read last. */
  readonly barrier: number | null
  /** Reads the oldest message; undefined without one, else whether it was the last. */
  read(onRecord: OnRecord): boolean | undefined
}
