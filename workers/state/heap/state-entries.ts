/**
 * The entries of one keyed state: found by key, and kept in one dense array per key group, so that a snapshot walks them in the
 * order in which the file has them. Flink: StateTable, CopyOnWriteStateMap (theirs are hash maps per key group).
 *
 * A copy of the machine shares the entries: each side owns only what it has created since, and copies an entry before it changes it.
 * This class refers to nothing else of the engine, so that `cloneShared` may build the copy by itself.
 */
import { cloneShared } from '../../base/clone.ts'
import type { SharesStructure } from '../../base/clone.ts'
import type { Value } from '../../model/schema.ts'
import type { KeyGroupRange } from '../../model/state-handles.ts'
import type { EngineTime } from '../../model/time.ts'

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
  /** In the array of its key group. */
  position: number
}

/** How many changes are remembered for reports. A power of two. */
const RECENT_MAX = 512
/** The position of an entry that was removed. */
const GONE = -1

export class StateEntries implements SharesStructure {
  readonly range: KeyGroupRange
  /** By key group, from the start of the range. */
  readonly groups: Entry[][]
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

  constructor(range: KeyGroupRange) {
    this.range = range
    this.groups = Array.from({ length: Math.max(0, range.end - range.start + 1) }, () => [])
  }

  get size(): number {
    return this.index.size
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

  /** The entry itself if it may be changed here, else a copy that has taken its place. */
  own(entry: Entry): Entry {
    if (entry.owner === this.owner) return entry
    const copy: Entry = { ...entry, owner: this.owner }
    this.index.set(copy.mapKey, copy)
    this.group(copy.keyGroup)[copy.position] = copy
    if (this.cached === entry) this.cached = copy
    return copy
  }

  insert(key: Value, mapKey: MapKey, keyGroup: number, value: Value, version: number, now: EngineTime): void {
    const group = this.group(keyGroup)
    const entry: Entry = { value, version, owner: this.owner, changedAt: now, mapKey, key, keyGroup, position: group.length }
    group.push(entry)
    this.index.set(mapKey, entry)
    this.cachedStamp = -1
    this.touch(entry)
  }

  /** Removes an entry; the last one of its key group takes its place. Returns that one, or null if none had to move. */
  remove(entry: Entry): Entry | null {
    const group = this.group(entry.keyGroup)
    this.index.delete(entry.mapKey)
    this.cachedStamp = -1
    // Somebody else's stays as it is, and is not found by its number either.
    const isOwn = entry.owner === this.owner
    const last = group[group.length - 1] as Entry
    if (last === entry) {
      group.pop()
      if (isOwn) entry.position = GONE
      return null
    }
    const moved = this.own(last)
    group.pop()
    moved.position = entry.position
    group[moved.position] = moved
    if (isOwn) entry.position = GONE
    return moved
  }

  /** Remembers that an entry changed, for reports; once for several changes in a row. */
  touch(entry: Entry): void {
    if (this.recent[(this.recentNext - 1) & (RECENT_MAX - 1)] === entry) return
    this.recent[this.recentNext] = entry
    this.recentNext = (this.recentNext + 1) & (RECENT_MAX - 1)
  }

  /**
   * Up to `limit` entries in key-group order: all, or the most recently changed ones and, for what is left of the limit, the first.
   * Costs `limit` steps, however many entries there are.
   */
  sample(limit: number): Entry[] {
    if (this.size <= limit) return this.groups.flat()
    const chosen = new Set<Entry>()
    for (let i = 1; i <= RECENT_MAX && chosen.size < limit; i++) {
      const recent = this.recent[(this.recentNext - i) & (RECENT_MAX - 1)]
      const entry = recent === undefined ? undefined : this.index.get(recent.mapKey)
      if (entry !== undefined) chosen.add(entry)
    }
    for (let g = 0; g < this.groups.length && chosen.size < limit; g++) {
      for (const entry of this.groups[g] as Entry[]) {
        if (chosen.size >= limit) break
        chosen.add(entry)
      }
    }
    return [...chosen].sort((a, b) => a.keyGroup - b.keyGroup || a.position - b.position)
  }

  group(keyGroup: number): Entry[] {
    const group = this.groups[keyGroup - this.range.start]
    if (group === undefined) {
      throw new RangeError(`key group ${keyGroup} is not in the range ${this.range.start}–${this.range.end} of this subtask: the record was sent to the wrong one`)
    }
    return group
  }

  private remember(number: number, entry: Entry): void {
    const { byNumber } = this
    while (byNumber.length <= number) byNumber.push(null)
    byNumber[number] = entry
  }

  [cloneShared](): StateEntries {
    const copy = new StateEntries(this.range)
    for (let g = 0; g < this.groups.length; g++) copy.groups[g] = (this.groups[g] as Entry[]).slice()
    copy.index = new Map(this.index)
    copy.recent = this.recent.slice()
    copy.recentNext = this.recentNext
    // From now on nobody owns the common entries.
    this.owner = {}
    this.cachedStamp = -1
    return copy
  }
}
