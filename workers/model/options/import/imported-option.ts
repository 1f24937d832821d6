/** What becomes of one setting of a pasted text. */
export type ImportStatus = 'unchanged' | 'renamed' | 'removed' | 'not used here' | 'unknown'

export interface ImportedOption {
  /** The current key; of what is unknown or removed without a successor: the name as it was pasted. */
  readonly key: string
  /** In Flink's value syntax; null: nothing to take over (removed, or the text does not say the value). */
  readonly value: string | null
  readonly from: { readonly text: string; readonly line: number }
  readonly status: ImportStatus
  /** One sentence: what is so today. */
  readonly note: string
}

/** A part of the text that is no setting, or cannot be read. */
export interface UnreadPart {
  readonly line: number
  readonly text: string
  readonly reason: string
}

export interface ImportResult {
  readonly options: readonly ImportedOption[]
  readonly unread: readonly UnreadPart[]
}

/** A key and its value as a reader finds them, with where. */
export interface RawEntry {
  readonly key: string
  readonly value: string | null
  readonly text: string
  readonly line: number
}

/** Pasted texts longer than this are refused, in characters. */
export const PASTE_MAX = 100_000
