/**
 * The asynchronous part of a heap snapshot: writes the native keyed file in slices, while entries go on being written. Flink:
 * HeapSnapshotStrategy, CopyOnWriteStateTableSnapshot. Layout: keyed-file-reader.ts.
 */
import { assert } from '../../base/assert.ts'
import type { KeyGroupRange } from '../../model/state-handles.ts'
import type { Schema, Value } from '../../model/schema.ts'
import type { KeyedSnapshot } from '../backend.ts'
import { DataOutput } from '../serializers/data-output.ts'
import { schemaSerializer } from '../serializers/serializer-snapshot.ts'
import { writeValue } from '../serializers/value-serializer.ts'
import { writeKeyedFileHeader } from './keyed-file-header.ts'
import type { SnapshotVersions } from './snapshot-versions.ts'
import type { SnapshotWalk } from './snapshot-walk.ts'
import type { Entry } from './state-entries.ts'
import type { StateTable } from './state-table.ts'

/** A key group or state without entries costs about as much as this part of an entry. */
const EMPTY_COST = 0.25
const NOT_BEGUN = -1
/** Room asked for at the start; a file that needs more grows by doubling. */
const ENTRY_LENGTH_GUESS = 32
const HEADER_LENGTH_GUESS = 1024

export class HeapKeyedSnapshot implements KeyedSnapshot {
  readonly totalEntries: number
  writtenEntries = 0
  private readonly keySchema: Schema
  private readonly range: KeyGroupRange
  /** The states at the time of the snapshot, by id. */
  private readonly tables: readonly StateTable[]
  private readonly versions: SnapshotVersions
  private readonly walk: SnapshotWalk
  private readonly out = new DataOutput()
  private readonly offsets: number[] = []
  /** Where the count of the state in hand stands, to be filled in when all its entries are written. */
  private countAt = NOT_BEGUN
  private count = 0
  private savedWritten = 0
  private released = false

  constructor(keySchema: Schema, range: KeyGroupRange, tables: readonly StateTable[], versions: SnapshotVersions, walk: SnapshotWalk) {
    this.keySchema = keySchema
    this.range = range
    this.tables = tables
    this.versions = versions
    this.walk = walk
    this.totalEntries = tables.reduce((sum, table) => sum + table.entries.size, 0)
  }

  advance(budget: number): boolean {
    assert(!this.released, 'a released snapshot is not written any further')
    if (this.out.position === 0) this.writeHeader()
    let left = budget
    while (left > 0 && !this.isDone()) left -= this.advanceState(left)
    if (!this.isDone()) return true
    this.versions.closed(this.walk)
    return false
  }

  result(): { readonly bytes: Uint8Array; readonly offsets: readonly number[] } {
    assert(this.isDone() && this.out.position > 0, 'the result of a snapshot is taken after its last slice')
    return { bytes: this.out.toBytes(), offsets: this.offsets }
  }

  release(): void {
    assert(!this.released, 'a snapshot is released once')
    this.released = true
    this.versions.closed(this.walk)
  }

  private isDone(): boolean {
    return this.walk.keyGroup > this.range.end
  }

  private writeHeader(): void {
    this.out.reserve(HEADER_LENGTH_GUESS + this.totalEntries * ENTRY_LENGTH_GUESS)
    const states = this.tables.map((table) => ({ name: table.name, value: schemaSerializer(table.schema) }))
    writeKeyedFileHeader(this.out, { key: schemaSerializer(this.keySchema), states })
  }

  /** Goes on with the state in hand of the key group in hand; returns what it cost. */
  private advanceState(budget: number): number {
    const { walk, out } = this
    const table = this.tables[walk.state] as StateTable
    if (this.countAt === NOT_BEGUN) this.beginState()
    const live = table.entries.group(walk.keyGroup)
    let cost = 0
    while (walk.position < live.length && cost < budget) {
      const entry = live[walk.position++] as Entry
      cost++
      if (entry.version <= walk.version) this.writeEntry(table, entry.key, entry.value)
    }
    const saved = walk.savedEntries()
    while (this.savedWritten < saved.length && cost < budget) {
      const entry = saved[this.savedWritten++] as { key: Value; value: Value }
      cost++
      this.writeEntry(table, entry.key, entry.value)
    }
    if (walk.position < live.length || this.savedWritten < saved.length) return cost
    out.patchInt(this.countAt, this.count)
    this.countAt = NOT_BEGUN
    walk.next()
    return cost + EMPTY_COST
  }

  private beginState(): void {
    const { walk, out } = this
    if (walk.state === 0) {
      this.offsets.push(out.position)
      out.writeInt(walk.keyGroup)
    }
    out.writeShort(walk.state)
    this.countAt = out.position
    this.count = 0
    this.savedWritten = 0
    out.writeInt(0)
  }

  private writeEntry(table: StateTable, key: Value, value: Value): void {
    this.out.writeByte(0)
    writeValue(this.out, this.keySchema, key)
    writeValue(this.out, table.schema, value)
    this.count++
    this.writtenEntries++
  }
}
