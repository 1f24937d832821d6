/**
 * The asynchronous part of a heap snapshot: writes the native keyed file in slices, while entries go on being written. Flink:
 * HeapSnapshotStrategy, CopyOnWriteStateTableSnapshot. Layout: keyed-file-reader.ts.
 */
import { assert } from '../../base/assert.ts'
import type { KeyGroupRange } from '../../model/state-handles.ts'
import type { Schema } from '../../model/schema.ts'
import type { KeyedSnapshot } from '../backend.ts'
import { schemaSerializer } from '../serializers/serializer-snapshot.ts'
import { KeyedFileWriter } from './keyed-file-writer.ts'
import type { SnapshotVersions } from './snapshot-versions.ts'
import { SnapshotWalk } from './snapshot-walk.ts'
import type { StateTable } from './state-table.ts'

export class HeapKeyedSnapshot implements KeyedSnapshot {
  readonly totalEntries: number
  /** The states at the time of the snapshot, by id. */
  private readonly tables: readonly StateTable[]
  private readonly versions: SnapshotVersions
  private readonly file: KeyedFileWriter
  private readonly walk: SnapshotWalk
  private begun = false
  private released = false

  /** The synchronous part: takes a version and the extent of each key group, and looks at no entry. */
  constructor(keySchema: Schema, range: KeyGroupRange, tables: readonly StateTable[], versions: SnapshotVersions) {
    this.tables = tables
    this.versions = versions
    const sizes = tables.map((table) => table.entries.size)
    this.totalEntries = sizes.reduce((sum, size) => sum + size, 0)
    const states = tables.map((table) => ({ name: table.name, value: schemaSerializer(table.schema) }))
    this.file = new KeyedFileWriter({ key: schemaSerializer(keySchema), states }, range, tables.map((table) => table.entries.extent()))
    this.walk = new SnapshotWalk(versions.take(), sizes, this.file)
    versions.opened(this.walk)
  }

  get writtenEntries(): number {
    return this.walk.writtenEntries
  }

  get totalBytes(): number {
    return this.file.bytes.length
  }

  advance(budget: number): boolean {
    assert(!this.released, 'a released snapshot is not written any further')
    const { walk } = this
    let left = budget
    if (!this.begun) left -= walk.begin()
    this.begun = true
    while (left > 0 && !walk.isDone) left -= walk.advance((this.tables[walk.state] as StateTable).entries.all, left)
    if (!walk.isDone) return true
    this.versions.closed(walk)
    this.file.verify()
    return false
  }

  result(): { readonly bytes: Uint8Array; readonly offsets: readonly number[] } {
    assert(this.begun && this.walk.isDone, 'the result of a snapshot is taken after its last slice')
    return { bytes: this.file.bytes, offsets: this.file.offsets }
  }

  release(): void {
    assert(!this.released, 'a snapshot is released once')
    this.released = true
    this.versions.closed(this.walk)
  }
}
