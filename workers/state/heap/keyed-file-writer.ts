/**
 * Writes the native keyed file of one snapshot (layout: keyed-file-reader.ts) with its entries in any order: it is known beforehand how many
 * bytes each state has in each key group, so that every entry is put where it belongs, once, in a buffer of exactly the file's length.
 *
 * Entries are not sorted, because looking at a million of them in another order than that of memory takes several times as long as
 * writing them: each look would miss the processor's cache.
 */
import { assert } from '../../base/assert.ts'
import type { KeyGroupRange } from '../../model/state-handles.ts'
import type { Value } from '../../model/schema.ts'
import { DataOutput } from '../serializers/data-output.ts'
import { putInt, putShort } from '../serializers/put.ts'
import type { EntryEncoder } from './entry-encoder.ts'
import { writeKeyedFileHeader } from './keyed-file-header.ts'
import type { KeyedFileHeader } from './keyed-file-header.ts'

const KEY_GROUP_LENGTH = 4
const STATE_LENGTH = 2 + 4
const NO_BYTES = new Uint8Array(0)

/** One state at the instant of the snapshot; counts and lengths by key group, from the start of the range. */
export interface StateExtent {
  readonly encoder: EntryEncoder
  readonly counts: readonly number[]
  readonly lengths: readonly number[]
}

export class KeyedFileWriter {
  bytes = NO_BYTES
  /** Of each key group. */
  readonly offsets: number[] = []
  private readonly header: KeyedFileHeader
  private readonly range: KeyGroupRange
  private readonly states: readonly StateExtent[]
  /** By key group and state: where the next entry goes, and where the last one ends. */
  private readonly cursors: number[] = []
  private readonly ends: number[] = []

  constructor(header: KeyedFileHeader, range: KeyGroupRange, states: readonly StateExtent[]) {
    this.header = header
    this.range = range
    this.states = states
  }

  /** Key groups times states: what the file costs without entries. */
  get parts(): number {
    return (this.range.end - this.range.start + 1) * this.states.length
  }

  get isLaidOut(): boolean {
    return this.bytes.length > 0
  }

  /** Makes the file but for its entries. Apart from the constructor, since a large buffer may have the memory tidied up first. */
  layOut(): void {
    const header = new DataOutput()
    writeKeyedFileHeader(header, this.header)
    const groups = this.range.end - this.range.start + 1
    let length = header.position + groups * KEY_GROUP_LENGTH + this.parts * STATE_LENGTH
    for (const state of this.states) for (const bytes of state.lengths) length += bytes
    this.bytes = new Uint8Array(length)
    this.bytes.set(header.toBytes())
    let at = header.position
    for (let group = 0; group < groups; group++) {
      this.offsets.push(at)
      at = putInt(this.bytes, at, this.range.start + group)
      for (const [id, state] of this.states.entries()) {
        at = putInt(this.bytes, putShort(this.bytes, at, id), state.counts[group] as number)
        this.cursors.push(at)
        at += state.lengths[group] as number
        this.ends.push(at)
      }
    }
  }

  /** Returns the length of the entry. */
  put(keyGroup: number, state: number, key: Value, value: Value): number {
    const { cursors } = this
    const part = (keyGroup - this.range.start) * this.states.length + state
    const start = cursors[part] as number
    const end = (this.states[state] as StateExtent).encoder.put(this.bytes, start, key, value)
    cursors[part] = end
    return end - start
  }

  /** Every entry is there, and each had the length that was counted: else one has gone into the next, and the file is worthless. */
  verify(): void {
    this.cursors.forEach((cursor, i) => {
      const end = this.ends[i] as number
      assert(cursor === end, `part ${i} of the keyed file ends at ${cursor} instead of ${end}`)
    })
  }
}
