/**
 * Keyed state as objects in memory, with snapshots by copy-on-write. Flink: HashMapStateBackend, HeapKeyedStateBackend,
 * HeapRestoreOperation. VALUE state outside windows only; a snapshot is always full, as in Flink.
 */
import type { KeyGroupRange, KeyedStateHandle } from '../../model/state-handles.ts'
import type { KeyedStateReport } from '../../model/report.ts'
import type { Schema, Value } from '../../model/schema.ts'
import type { EngineTime } from '../../model/time.ts'
import type { KeyedSnapshot, KeyedStateBackend, ValueState, ValueStateDescriptor } from '../backend.ts'
import type { DataInput } from '../serializers/data-input.ts'
import { compatibility } from '../serializers/serializer-compatibility.ts'
import { describeSerializer, schemaSerializer } from '../serializers/serializer-snapshot.ts'
import type { SerializerType } from '../serializers/serializer-snapshot.ts'
import { UnsafeLongError } from '../serializers/unsafe-long.ts'
import { readStoredValue, readValue } from '../serializers/value-serializer.ts'
import { StateMigrationError } from '../state-migration-error.ts'
import { EntryEncoder } from './entry-encoder.ts'
import { HeapKeyedSnapshot } from './heap-keyed-snapshot.ts'
import { KeyContext, mapKeyOf, NO_NUMBER } from './key-context.ts'
import { schemaOf } from './keyed-file-reader.ts'
import type { EntryReader } from './keyed-file-reader.ts'
import { openKeyedFile } from './open-keyed-file.ts'
import type { KeyedFileHeader } from './keyed-file-header.ts'
import { SnapshotVersions } from './snapshot-versions.ts'
import { StateEntries } from './state-entries.ts'
import { StateTable } from './state-table.ts'

export class HeapKeyedStateBackend implements KeyedStateBackend {
  readonly keyGroupRange: KeyGroupRange
  private readonly context: KeyContext
  private readonly versions = new SnapshotVersions()
  private readonly tables: StateTable[] = []
  /** In which form the snapshot had the states that were restored. */
  private readonly stored = new Map<string, SerializerType>()
  /** The state that reports show: the first one that an operator asked for. */
  private reported: StateTable | null = null

  constructor(keySchema: Schema, keyGroupRange: KeyGroupRange, maxParallelism: number) {
    this.keyGroupRange = keyGroupRange
    this.context = new KeyContext(keySchema, maxParallelism)
  }

  get currentKey(): Value | null {
    return this.context.key
  }

  get currentKeyGroup(): number {
    return this.context.keyGroup()
  }

  /** Keys of the state that has most of them. */
  get keys(): number {
    return this.tables.reduce((most, table) => Math.max(most, table.entries.size), 0)
  }

  setCurrentKey(key: Value, number: number = NO_NUMBER): void {
    this.context.setKey(key, number)
  }

  setNow(now: EngineTime): void {
    this.versions.now = now
  }

  valueState(descriptor: ValueStateDescriptor): ValueState {
    const table = this.register(descriptor.name, descriptor.schema, schemaSerializer(descriptor.schema))
    this.reported ??= table
    return table
  }

  restore(handle: KeyedStateHandle, bytes: Uint8Array): void {
    const file = openKeyedFile(handle, bytes, this.context.maxParallelism)
    const tables = this.restoreHeader(file.header)
    file.read(this.keyGroupRange, new Restorer(this.context.schema, file.header, tables, this.versions))
  }

  restoreHeader(header: KeyedFileHeader): readonly StateTable[] {
    const own = schemaSerializer(this.context.schema)
    if (compatibility(header.key, own) !== 'as is') {
      throw new StateMigrationError(`the new key serializer (${describeSerializer(own)}) must be compatible with the one in the snapshot (${describeSerializer(header.key)})`)
    }
    return header.states.map(({ name, value }) => {
      const table = this.register(name, schemaOf(value, `state "${name}"`), value)
      this.stored.set(name, value)
      return table
    })
  }

  snapshot(): KeyedSnapshot | null {
    if (this.tables.length === 0) return null
    return new HeapKeyedSnapshot(this.context.schema, this.keyGroupRange, this.tables.slice(), this.versions)
  }

  report(limit: number): KeyedStateReport {
    const table = this.reported ?? this.tables[0]
    if (table === undefined) return { keys: 0, columns: [], rows: [] }
    const rows = table.entries.sample(limit).map(({ key, keyGroup, value, changedAt }) => ({ key, keyGroup, value, changedAt }))
    return { keys: this.keys, columns: table.schema.fields.map((field) => field.name), rows }
  }

  *entries(): Iterable<{ readonly state: string; readonly key: Value; readonly keyGroup: number; readonly value: Value }> {
    const groups = this.tables.map((table) => table.entries.byKeyGroup())
    for (let i = 0; i <= this.keyGroupRange.end - this.keyGroupRange.start; i++) {
      for (const [id, table] of this.tables.entries()) {
        for (const { key, keyGroup, value } of groups[id]?.[i] ?? []) yield { state: table.name, key, keyGroup, value }
      }
    }
  }

  /** The table of that name; a new one if there is none. A state of the snapshot that nobody asks for stays (behaviour 12.4). */
  private register(name: string, schema: Schema, serializer: SerializerType): StateTable {
    const known = this.tables.find((table) => table.name === name)
    if (known === undefined) {
      const entries = new StateEntries(this.keyGroupRange, new EntryEncoder(this.context.schema, schema))
      const table = new StateTable(name, this.tables.length, schema, entries, this.context, this.versions)
      this.tables.push(table)
      return table
    }
    const was = this.stored.get(name) ?? schemaSerializer(known.schema)
    if (compatibility(was, serializer) === 'incompatible') {
      throw new StateMigrationError(`state "${name}": the new value serializer (${describeSerializer(serializer)}) must not be incompatible with the previous one (${describeSerializer(was)})`)
    }
    // A file has no names of fields: those of the operator win.
    known.schema = schema
    return known
  }
}

/** Puts the entries of a file into tables. */
class Restorer implements EntryReader {
  private readonly keySchema: Schema
  private readonly header: KeyedFileHeader
  /** By the state id of the file. */
  private readonly tables: readonly StateTable[]
  private readonly versions: SnapshotVersions

  constructor(keySchema: Schema, header: KeyedFileHeader, tables: readonly StateTable[], versions: SnapshotVersions) {
    this.keySchema = keySchema
    this.header = header
    this.tables = tables
    this.versions = versions
  }

  readEntry(keys: DataInput, values: DataInput, state: number, keyGroup: number): void {
    const table = this.tables[state] as StateTable
    let key: Value | null = null
    try {
      key = readValue(keys, this.keySchema)
      const value = readStoredValue(values, (this.header.states[state] as KeyedFileHeader['states'][number]).value)
      table.entries.insert(key, mapKeyOf(key), keyGroup, value, this.versions.current, this.versions.now)
    } catch (error) {
      if (!(error instanceof UnsafeLongError)) throw error
      throw new UnsafeLongError(error.value, key === null ? `a key of state "${table.name}"` : `state "${table.name}", key ${JSON.stringify(key)}`)
    }
  }
}
