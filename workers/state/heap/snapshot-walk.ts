/**
 * How far a snapshot has come, and what was saved for it because it changed too early. Files are written key group by key group, in
 * each of them state by state, in each of them the live entries by position and then the saved ones.
 */
import type { Value } from '../../model/schema.ts'
import type { Entry } from './state-entries.ts'

export interface SavedEntry {
  readonly key: Value
  readonly value: Value
}

const NOTHING: readonly SavedEntry[] = []

export class SnapshotWalk {
  readonly version: number
  /** Where the walker stands: the next entry to look at. */
  keyGroup: number
  state = 0
  position = 0
  /** By state, then by key group. Only key groups that the walker has not left have any. */
  private readonly saved: Map<number, SavedEntry[]>[]

  constructor(version: number, firstKeyGroup: number, states: number) {
    this.version = version
    this.keyGroup = firstKeyGroup
    this.saved = Array.from({ length: states }, () => new Map<number, SavedEntry[]>())
  }

  hasPassed(state: number, keyGroup: number, position: number): boolean {
    if (keyGroup !== this.keyGroup) return keyGroup < this.keyGroup
    if (state !== this.state) return state < this.state
    return position < this.position
  }

  save(state: number, entry: Entry): void {
    const ofState = this.saved[state]
    // A state that was registered after the snapshot has no entry that old.
    if (ofState === undefined) return
    const list = ofState.get(entry.keyGroup)
    if (list === undefined) ofState.set(entry.keyGroup, [{ key: entry.key, value: entry.value }])
    else list.push({ key: entry.key, value: entry.value })
  }

  savedEntries(): readonly SavedEntry[] {
    return this.saved[this.state]?.get(this.keyGroup) ?? NOTHING
  }

  /** To the next state of the key group, or to the first of the next group. */
  next(): void {
    this.saved[this.state]?.delete(this.keyGroup)
    this.position = 0
    this.state++
    if (this.state === this.saved.length) {
      this.state = 0
      this.keyGroup++
    }
  }
}
