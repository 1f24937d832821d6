/** One setting that a Java call makes. */
export interface CallSetting {
  /** An option's key, or the call itself where no option stands for it. */
  readonly key: string
  readonly value: string | null
  /** What became of the call; absent: it is as it was. */
  readonly fate?: 'renamed' | 'removed'
  /** A sentence on the call; absent: nothing to say. */
  readonly note?: string
}
