/**
 * One keyed state of one subtask. Flink: HeapValueState over CopyOnWriteStateTable. Values are never changed in place, so that copying
 * on write means to keep the old value for the open snapshots that have not written it yet.
 */
import type { Schema, Value } from '../../model/schema.ts'
import type { ValueCell, ValueState } from '../backend.ts'
import { UnsafeLongError } from '../serializers/unsafe-long.ts'
import type { KeyContext } from './key-context.ts'
import type { SnapshotVersions } from './snapshot-versions.ts'
import type { Entry, StateEntries } from './state-entries.ts'

export class StateTable implements ValueState {
  readonly name: string
  /** Position among the states: the state id in files. */
  readonly id: number
  schema: Schema
  readonly entries: StateEntries
  private readonly context: KeyContext
  private readonly versions: SnapshotVersions
  /** The fields of a value that are Longs, to be checked at every update. */
  private readonly longFields: readonly number[]
  private readonly isBareLong: boolean

  constructor(name: string, id: number, schema: Schema, entries: StateEntries, context: KeyContext, versions: SnapshotVersions) {
    this.name = name
    this.id = id
    this.schema = schema
    this.entries = entries
    this.context = context
    this.versions = versions
    this.longFields = longFieldsOf(schema)
    this.isBareLong = schema.kind === 'bare' && this.longFields.length > 0
  }

  value(): Value | null {
    const { entries, context } = this
    const entry = entries.find(context.mapKey, context.stamp, context.number)
    if (entry !== undefined) return entry.value
    // Also where nothing is ever written: a key of another subtask has no state here, and that is no answer.
    entries.requireInRange(context.keyGroup())
    return null
  }

  update(value: Value): void {
    const { entries, context, versions } = this
    if (this.longFields.length > 0) this.refuseUnsafeLongs(value)
    const found = entries.find(context.mapKey, context.stamp, context.number)
    if (found === undefined) {
      entries.insert(context.requireKey(), context.mapKey, context.keyGroup(), value, versions.current, versions.now)
      return
    }
    if (found.version <= versions.newestOpen) versions.saveBeforeWrite(this.id, found)
    entries.set(entries.own(found), value, versions.current, versions.now)
  }

  findCells(numbers: Int32Array, count: number, cells: ValueCell[]): number {
    return this.entries.findAllOwned(numbers, count, cells)
  }

  /** An entry of its own needs no looking up, and no copy for a machine that was copied. */
  updateCell(cell: ValueCell, value: Value): void {
    const { entries, versions } = this
    const entry = cell as Entry
    if (this.longFields.length > 0 && !(this.isBareLong && Number.isSafeInteger(value))) this.refuseUnsafeLongs(value)
    if (entry.version <= versions.newestOpen) versions.saveBeforeWrite(this.id, entry)
    entries.set(entry, value, versions.current, versions.now)
  }

  clear(): void {
    const { entries, context, versions } = this
    const found = entries.find(context.mapKey, context.stamp, context.number)
    if (found === undefined) return
    if (found.version <= versions.newestOpen) versions.saveBeforeWrite(this.id, found)
    const from = entries.size - 1
    const moved = entries.remove(found)
    if (moved !== null && moved.version <= versions.newestOpen) versions.saveBeforeMove(this.id, moved, from)
  }

  private refuseUnsafeLongs(value: Value): void {
    for (const field of this.longFields) {
      const long = typeof value === 'object' ? value[field] : value
      if (!Number.isSafeInteger(long)) throw new UnsafeLongError(String(long), `state "${this.name}", key ${JSON.stringify(this.context.key)}`)
    }
  }
}

function longFieldsOf(schema: Schema): number[] {
  const fields: number[] = []
  schema.fields.forEach((field, i) => {
    if (field.type === 'Long') fields.push(i)
  })
  return fields
}
