/**
 * How far a snapshot has come. It looks at the entries state by state, as they lie in memory; one that is about to change before that is
 * written at once, so that nothing of it has to be kept.
 */
import type { KeyedFileWriter } from './keyed-file-writer.ts'
import type { Entry } from './state-entries.ts'

/** A key group or state without entries costs about as much as this part of an entry. */
const EMPTY_COST = 0.25
/** So many bytes of one entry cost as much as another entry. */
const BYTES_FOR_COST = 256

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

  /** Looks at up to `budget` entries of the state in hand, at fewer if they are long; returns what it cost. Throws what made writing one fail. */
  advance(entries: readonly Entry[], budget: number): number {
    if (this.failure !== null) throw this.failure
    const { state, version } = this
    const size = Math.min(this.sizes[state] as number, entries.length)
    let at = this.position
    let cost = 0
    for (; at < size && cost < budget; at++) {
      const entry = entries[at] as Entry
      cost++
      if (entry.version <= version) cost += Math.floor(this.write(state, entry) / BYTES_FOR_COST)
    }
    this.position = at
    if (at >= size) {
      this.position = 0
      this.state++
    }
    return cost
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

  /** Returns how many bytes that were. */
  private write(state: number, entry: Entry): number {
    this.writtenEntries++
    return this.file.put(entry.keyGroup, state, entry.key, entry.value)
  }
}
