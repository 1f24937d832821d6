/**
 * One broadcast state: a map that every subtask keeps whole. Flink: HeapBroadcastState. In a file it is `i4` count × {key, value} at its one offset;
 * every subtask writes its own copy (behaviour 11.3).
 */
import type { Schema, Value } from '../model/schema.ts'
import type { BroadcastState, BroadcastStateDescriptor } from './backend.ts'
import { mapKeyOf } from './heap/key-context.ts'
import type { MapKey } from './heap/state-entries.ts'
import type { DataInput } from './serializers/data-input.ts'
import type { DataOutput } from './serializers/data-output.ts'
import { compatibility } from './serializers/serializer-compatibility.ts'
import { describeSerializer, schemaSerializer } from './serializers/serializer-snapshot.ts'
import type { SerializerType } from './serializers/serializer-snapshot.ts'
import type { OperatorStateMeta } from './serializers/state-meta-info.ts'
import { readStoredValue, writeValue } from './serializers/value-serializer.ts'
import { StateMigrationError } from './state-migration-error.ts'

/** A key and a value of at least one byte each. */
const ENTRY_LENGTH_MIN = 2

export class HeapBroadcastState implements BroadcastState {
  readonly name: string
  private key: Schema
  private schema: Schema
  private readonly stored = new Map<MapKey, readonly [key: Value, value: Value]>()

  constructor({ name, key, value }: BroadcastStateDescriptor) {
    this.name = name
    this.key = key
    this.schema = value
  }

  get(key: Value): Value | null {
    return this.stored.get(mapKeyOf(key))?.[1] ?? null
  }

  put(key: Value, value: Value): void {
    this.stored.set(mapKeyOf(key), [key, value])
  }

  remove(key: Value): void {
    this.stored.delete(mapKeyOf(key))
  }

  /** In the order in which keys came first. */
  entries(): readonly (readonly [key: Value, value: Value])[] {
    return [...this.stored.values()]
  }

  get meta(): OperatorStateMeta {
    return { name: this.name, mode: 'BROADCAST', key: schemaSerializer(this.key), value: schemaSerializer(this.schema) }
  }

  /** Asked for again, by an operator: its types must be those that there are. */
  claim({ key, value }: BroadcastStateDescriptor): void {
    refuse(this.name, 'key', schemaSerializer(this.key), schemaSerializer(key))
    refuse(this.name, 'value', schemaSerializer(this.schema), schemaSerializer(value))
    // A file has no names of fields: those of the operator win.
    this.key = key
    this.schema = value
  }

  read(input: DataInput, key: SerializerType, value: SerializerType): void {
    for (let n = input.readCount(`the size of broadcast state "${this.name}"`, ENTRY_LENGTH_MIN); n > 0; n--) {
      const stored = readStoredValue(input, key)
      this.put(stored, readStoredValue(input, value))
    }
  }
}

function refuse(name: string, role: string, was: SerializerType, now: SerializerType): void {
  if (compatibility(was, now) !== 'incompatible') return
  throw new StateMigrationError(`broadcast state "${name}": the new ${role} serializer (${describeSerializer(now)}) must not be incompatible with the previous one (${describeSerializer(was)})`)
}

export function writeBroadcast(out: DataOutput, { key, value }: OperatorStateMeta, entries: readonly (readonly [Value, Value])[]): void {
  out.writeInt(entries.length)
  for (const [entryKey, entryValue] of entries) {
    if (key?.kind === 'schema') writeValue(out, key.schema, entryKey)
    if (value.kind === 'schema') writeValue(out, value.schema, entryValue)
  }
}
