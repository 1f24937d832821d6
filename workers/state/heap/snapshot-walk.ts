/**
 * How far a snapshot has come. It looks at the entries state by state, as they lie in memory; one that is about to change before that is
 * written at once, so that nothing of it has to be kept.
 */
import type { KeyedFileWriter } from './keyed-file-writer.ts'
import type { Entry } from './state-entries.ts'

/** A key group or state without entries costs about as much as this part of an entry. */
const EMPTY_COST = 0.25

export class SnapshotWalk {
  readonly version: number
  writtenEntries = 0
  /** Where the walker stands: the next entry to look at. */
  state = 0
  position = 0
  private readonly file: KeyedFileWriter
  /** How many entries each state had: what is behind came later. */
  private readonly sizes: readonly number[]
  /** Of an entry that was written because it was about to change: whoever changed it goes on, the snapshot cannot. */
  private failure: unknown = null

  constructor(version: number, sizes: readonly number[], file: KeyedFileWriter) {
    this.version = version
    this.sizes = sizes
    this.file = file
  }

  get isDone(): boolean {
    return this.state === this.sizes.length
  }

  hasPassed(state: number, position: number): boolean {
    if (state !== this.state) return state < this.state
    return position < this.position
  }

  /** Before the first entry; returns what it cost. */
  begin(): number {
    if (!this.file.isLaidOut) this.file.layOut()
    return this.file.parts * EMPTY_COST
  }

  /** Looks at up to `budget` entries of the state in hand; returns at how many. Throws what made writing one of them fail. */
  advance(entries: readonly Entry[], budget: number): number {
    if (this.failure !== null) throw this.failure
    const { position, state, version } = this
    const size = Math.min(this.sizes[state] as number, entries.length)
    const to = Math.min(size, position + Math.ceil(budget))
    for (let i = position; i < to; i++) {
      const entry = entries[i] as Entry
      if (entry.version <= version) this.write(state, entry)
    }
    this.position = to
    if (to >= size) {
      this.position = 0
      this.state++
    }
    return Math.max(0, to - position)
  }

  save(state: number, entry: Entry): void {
    // A state that was registered after the snapshot has no entry that old.
    if (state >= this.sizes.length || this.failure !== null) return
    try {
      if (!this.file.isLaidOut) this.file.layOut()
      this.write(state, entry)
    } catch (error) {
      this.failure = error
    }
  }

  private write(state: number, entry: Entry): void {
    this.file.put(entry.keyGroup, state, entry.key, entry.value)
    this.writtenEntries++
  }
}
