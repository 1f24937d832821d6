/**
 * What becomes of one setting of a pasted text. "no value": the option is known, and the text does not say what it is set to.
 * "overridden": another setting of the same text counts in its place. "refused": the compiler does not take the value.
 */
export type ImportStatus = 'unchanged' | 'refused' | 'renamed' | 'removed' | 'not used here' | 'unknown' | 'no value' | 'overridden'

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
  /** Set by a call; absent: a key and a value stood in the text. */
  readonly call?: CallFate
  /** Entries of one call have the same number; absent: it stands by itself. */
  readonly group?: number
  /** A sentence more on this place; absent: nothing to say. */
  readonly remark?: string
}

/** What became of a call of the Java API. */
export interface CallFate {
  /** Absent: it is as it was. "unknown": no call that is known here. */
  readonly fate?: 'renamed' | 'removed' | 'unknown'
  readonly note?: string
  /** State backends of before 1.13 bring their storage with them, whatever else is said. Flink up to 1.20: CheckpointStorageLoader.load. */
  readonly legacy?: true
}

/** RESET of the SQL client: takes back what was set before it. */
export interface Reset {
  /** Null: everything. */
  readonly key: string | null
  readonly line: number
  /** How many entries stand before it. */
  readonly after: number
}

/** What a reader finds in a text. */
export interface ReadEntries {
  readonly entries: readonly RawEntry[]
  readonly unread: readonly UnreadPart[]
  readonly resets?: readonly Reset[]
}

/** Pasted texts longer than this are refused, in characters. */
export const PASTE_MAX = 100_000
/** Settings of one text that are read; the rest is listed as one part. */
export const ENTRIES_MAX = 10_000
