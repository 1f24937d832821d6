/** What reading a file of keyed state produces, whatever its layout. */
import type { ValueView } from '../../model/snapshot-view.ts'

export interface StoredEntry {
  /** The position of the state in the header. */
  readonly state: number
  readonly keyGroup: number
  readonly key: ValueView
  /** Null without one (VoidNamespace). */
  readonly namespace: ValueView
  /** The key within a map state stored entry by entry; undefined otherwise. */
  readonly mapKey?: ValueView
  readonly value: ValueView
  /** Something in it could not be decoded. */
  readonly isOpaque: boolean
}

export type EntrySink = (entry: StoredEntry) => void
