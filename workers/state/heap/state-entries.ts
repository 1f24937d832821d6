/**
 * The entries of one keyed state: found by key, and kept in one dense array in the order in which they were made, which is more or less that of
 * memory, so that a snapshot walks them fast. Flink: StateTable, CopyOnWriteStateMap (theirs are hash maps per key group).
 *
 * A copy of the machine shares the entries: each side owns only what it has created since, and copies an entry before it changes it.
 * This class refers to nothing of the engine that changes, so that `cloneShared` may build the copy by itself.
 */
import { cloneShared } from '../../base/clone.ts'
import type { SharesStructure } from '../../base/clone.ts'
import type { Value } from '../../model/schema.ts'
import type { KeyGroupRange } from '../../model/state-handles.ts'
import type { EngineTime } from '../../model/time.ts'
import type { EntryEncoder } from './entry-encoder.ts'
import type { StateExtent } from './keyed-file-writer.ts'

/** A key as a Map finds it: the bare key itself, or a text made of a tuple. */
export type MapKey = string | number | boolean

/** The fields that every update touches come first: they share a cache line. */
export interface Entry {
  value: Value
  /** Of the backend when the entry was last written: a snapshot of at least this version holds this value. */
  version: number
  /** Which `StateEntries` may change it. */
  owner: object
  changedAt: EngineTime
  readonly mapKey: MapKey
  readonly key: Value
  readonly keyGroup: number
  /** In the array of all. */
  position: number
}

/** How many changes are remembered for reports. A power of two. */
const RECENT_MAX = 512
/** The position of an entry that was removed. */
const GONE = -1

export class StateEntries implements SharesStructure {
  readonly range: KeyGroupRange
  all: Entry[] = []
  /** By key group, from the start of the range: how many entries, and how many bytes of a file they make. */
  private counts: number[]
  private lengths: number[]
  private readonly encoder: EntryEncoder
  /** Asked at every update. */
  private readonly hasFixedLengths: boolean
  private index = new Map<MapKey, Entry>()
  private owner: object = {}
  /** A ring; entries in it may be gone or replaced by a copy. */
  private recent: Entry[] = []
  private recentNext = 0
  /** The entry of the current key, kept from `value` to `update`. Valid while the stamp is the current key's. */
  private cached: Entry | undefined = undefined
  private cachedStamp = -1
  /** By the number of a key, where keys have numbers. One that is not owned, or gone, is out of date. */
  private byNumber: (Entry | null)[] = []

  constructor(range: KeyGroupRange, encoder: EntryEncoder) {
    this.range = range
    this.encoder = encoder
    this.hasFixedLengths = encoder.hasFixedValue
    this.counts = new Array<number>(range.end - range.start + 1).fill(0)
    this.lengths = this.counts.slice()
  }

  get size(): number {
    return this.all.length
  }

  /** The entry of a key; `stamp` changes with the current key. `number` is the key's own, or negative. */
  find(mapKey: MapKey, stamp: number, number: number): Entry | undefined {
    if (this.cachedStamp === stamp) return this.cached
    this.cachedStamp = stamp
    const known = number >= 0 ? this.findOwned(number) : undefined
    if (known !== undefined) {
      this.cached = known
      return known
    }
    this.cached = this.index.get(mapKey)
    if (number >= 0 && this.cached !== undefined) this.remember(number, this.cached)
    return this.cached
  }

  /** The entry of the key with this number, if it is known by it and may be changed here. */
  findOwned(number: number): Entry | undefined {
    if (number >= this.byNumber.length) return undefined
    const known = this.byNumber[number] as Entry | null
    return known !== null && known.owner === this.owner && known.position !== GONE ? known : undefined
  }

  /** As `findOwned`, of the first `count` numbers, up to the first without; how many. */
  findAllOwned(numbers: Int32Array, count: number, found: { readonly value: Value }[]): number {
    const { byNumber, owner } = this
    for (let i = 0; i < count; i++) {
      const number = numbers[i] as number
      const known = number < byNumber.length ? (byNumber[number] as Entry | null) : null
      if (known === null || known.owner !== owner || known.position === GONE) return i
      found[i] = known
    }
    return count
  }

  /** The entry itself if it may be changed here, else a copy that has taken its place. */
  own(entry: Entry): Entry {
    if (entry.owner === this.owner) return entry
    const copy: Entry = { ...entry, owner: this.owner }
    this.index.set(copy.mapKey, copy)
    this.all[copy.position] = copy
    if (this.cached === entry) this.cached = copy
    return copy
  }

  /**
   * Throws `RangeError` for a key group of another subtask. A key that has an entry was looked at when the entry was made. Flink:
   * InternalKeyContextImpl.setCurrentKeyGroupIndex (FLINK-23908).
   */
  requireInRange(keyGroup: number): void {
    const { start, end } = this.range
    if (keyGroup >= start && keyGroup <= end) return
    throw new RangeError(
      `Key group ${keyGroup} is not in KeyGroupRange{startKeyGroup=${start}, endKeyGroup=${end}}: the record was sent to the wrong subtask. Most likely the hash of the key is not stable: hashCode and equals must give the same in every process.`,
    )
  }

  insert(key: Value, mapKey: MapKey, keyGroup: number, value: Value, version: number, now: EngineTime): void {
    const { all } = this
    this.requireInRange(keyGroup)
    const entry: Entry = { value, version, owner: this.owner, changedAt: now, mapKey, key, keyGroup, position: all.length }
    all.push(entry)
    this.count(entry, 1)
    this.index.set(mapKey, entry)
    this.cachedStamp = -1
    this.touch(entry)
  }

  /** The entry is owned. */
  set(entry: Entry, value: Value, version: number, now: EngineTime): void {
    if (!this.hasFixedLengths) {
      const group = entry.keyGroup - this.range.start
      this.lengths[group] = (this.lengths[group] as number) + this.encoder.growth(entry.value, value)
    }
    entry.value = value
    entry.version = version
    entry.changedAt = now
    this.touch(entry)
  }

  /** Removes an entry; the last one takes its place. Returns that one, or null if none had to move. */
  remove(entry: Entry): Entry | null {
    const { all } = this
    this.count(entry, -1)
    this.index.delete(entry.mapKey)
    this.cachedStamp = -1
    // Somebody else's stays as it is, and is not found by its number either.
    const isOwn = entry.owner === this.owner
    const last = all[all.length - 1] as Entry
    if (last === entry) {
      all.pop()
      if (isOwn) entry.position = GONE
      return null
    }
    const moved = this.own(last)
    all.pop()
    moved.position = entry.position
    all[moved.position] = moved
    if (isOwn) entry.position = GONE
    return moved
  }

  /** What a file of these entries has in each key group, at this instant. */
  extent(): StateExtent {
    return { encoder: this.encoder, counts: this.counts.slice(), lengths: this.lengths.slice() }
  }

  /** Remembers that an entry changed, for reports; once for several changes in a row. */
  private touch(entry: Entry): void {
    if (this.recent[(this.recentNext - 1) & (RECENT_MAX - 1)] === entry) return
    this.recent[this.recentNext] = entry
    this.recentNext = (this.recentNext + 1) & (RECENT_MAX - 1)
  }

  /**
   * Up to `limit` entries in key-group order: all, or the most recently changed ones and, for what is left of the limit, the first.
   * Costs `limit` steps, however many entries there are.
   */
  sample(limit: number): Entry[] {
    if (this.size <= limit) return this.all.toSorted(inKeyGroupOrder)
    const chosen = new Set<Entry>()
    for (let i = 1; i <= RECENT_MAX && chosen.size < limit; i++) {
      const recent = this.recent[(this.recentNext - i) & (RECENT_MAX - 1)]
      const entry = recent === undefined ? undefined : this.index.get(recent.mapKey)
      if (entry !== undefined) chosen.add(entry)
    }
    for (let i = 0; chosen.size < limit; i++) chosen.add(this.all[i] as Entry)
    return [...chosen].sort(inKeyGroupOrder)
  }

  /** All of them, by key group from the start of the range: every entry is looked at. */
  byKeyGroup(): readonly (readonly Entry[])[] {
    const { start, end } = this.range
    const groups = Array.from({ length: end - start + 1 }, (): Entry[] => [])
    for (const entry of this.all) (groups[entry.keyGroup - start] as Entry[]).push(entry)
    return groups
  }

  private count({ keyGroup, key, value }: Entry, by: 1 | -1): void {
    const group = keyGroup - this.range.start
    this.counts[group] = (this.counts[group] as number) + by
    this.lengths[group] = (this.lengths[group] as number) + by * this.encoder.length(key, value)
  }

  private remember(number: number, entry: Entry): void {
    const { byNumber } = this
    while (byNumber.length <= number) byNumber.push(null)
    byNumber[number] = entry
  }

  [cloneShared](): StateEntries {
    const copy = new StateEntries(this.range, this.encoder)
    copy.all = this.all.slice()
    copy.counts = this.counts.slice()
    copy.lengths = this.lengths.slice()
    copy.index = new Map(this.index)
    copy.recent = this.recent.slice()
    copy.recentNext = this.recentNext
    // From now on nobody owns the common entries.
    this.owner = {}
    this.cachedStamp = -1
    return copy
  }
}

const inKeyGroupOrder = (a: Entry, b: Entry): number => a.keyGroup - b.keyGroup || a.position - b.position
