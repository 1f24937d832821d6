/**
 * What the header of a keyed file or an operator state file says of each state. Flink: StateMetaInfoSnapshot and its writer.
 *
 *   UTF name | i4 kind | i4 count × {UTF option, UTF value} | i4 count × {UTF key, serializer entry}
 *
 * Kinds: 0 keyed, 1 operator list, 2 broadcast, 3 priority queue (timers), 4 keyed v2. Read here are 0 (VALUE), 1 and 2.
 */
import type { DataInput } from './data-input.ts'
import type { DataOutput } from './data-output.ts'
import { FormatError } from './format-error.ts'
import type { OperatorStateMode } from '../../model/state-handles.ts'
import { readSerializerEntry, VOID_NAMESPACE_SERIALIZER, writeSerializerEntry } from './serializer-snapshot.ts'
import type { SerializerType } from './serializer-snapshot.ts'

const KIND_KEYED = 0
const KIND_OPERATOR = 1
const KIND_BROADCAST = 2
const KEYED_STATE_TYPE = 'KEYED_STATE_TYPE'
const DISTRIBUTION_MODE = 'OPERATOR_STATE_DISTRIBUTION_MODE'
const VALUE_SERIALIZER = 'VALUE_SERIALIZER'
const KEY_SERIALIZER = 'KEY_SERIALIZER'
const NAMESPACE_SERIALIZER = 'NAMESPACE_SERIALIZER'

export interface KeyedStateMeta {
  readonly name: string
  readonly value: SerializerType
}

export interface OperatorStateMeta {
  readonly name: string
  readonly mode: OperatorStateMode
  /** Of the key of a broadcast state, else null. */
  readonly key: SerializerType | null
  readonly value: SerializerType
}

/** A keyed VALUE state outside windows. */
export function writeKeyedStateMeta(out: DataOutput, meta: KeyedStateMeta): void {
  out.writeUTF(meta.name)
  out.writeInt(KIND_KEYED)
  out.writeInt(1)
  out.writeUTF(KEYED_STATE_TYPE)
  out.writeUTF('VALUE')
  out.writeInt(2)
  out.writeUTF(VALUE_SERIALIZER)
  writeSerializerEntry(out, meta.value)
  out.writeUTF(NAMESPACE_SERIALIZER)
  writeSerializerEntry(out, VOID_NAMESPACE_SERIALIZER)
}

export function readKeyedStateMeta(input: DataInput): KeyedStateMeta {
  const raw = readMeta(input)
  const type = raw.options.get(KEYED_STATE_TYPE)
  if (raw.kind !== KIND_KEYED || type !== 'VALUE') {
    throw new FormatError(`offset ${raw.at}: state "${raw.name}" is of kind ${raw.kind}${type === undefined ? '' : ` (${type})`}; only VALUE state can be read yet`)
  }
  if (serializerOf(raw, NAMESPACE_SERIALIZER).kind !== 'void-namespace') {
    throw new FormatError(`offset ${raw.at}: state "${raw.name}" has a namespace; only state outside windows can be read yet`)
  }
  return { name: raw.name, value: serializerOf(raw, VALUE_SERIALIZER) }
}

export function writeOperatorStateMeta(out: DataOutput, meta: OperatorStateMeta): void {
  out.writeUTF(meta.name)
  out.writeInt(meta.mode === 'BROADCAST' ? KIND_BROADCAST : KIND_OPERATOR)
  out.writeInt(1)
  out.writeUTF(DISTRIBUTION_MODE)
  out.writeUTF(meta.mode)
  out.writeInt(meta.key === null ? 1 : 2)
  if (meta.key !== null) {
    out.writeUTF(KEY_SERIALIZER)
    writeSerializerEntry(out, meta.key)
  }
  out.writeUTF(VALUE_SERIALIZER)
  writeSerializerEntry(out, meta.value)
}

export function readOperatorStateMeta(input: DataInput): OperatorStateMeta {
  const raw = readMeta(input)
  const mode = raw.options.get(DISTRIBUTION_MODE)
  const isList = raw.kind === KIND_OPERATOR && (mode === 'SPLIT_DISTRIBUTE' || mode === 'UNION')
  const isBroadcast = raw.kind === KIND_BROADCAST && mode === 'BROADCAST'
  if (!isList && !isBroadcast) {
    throw new FormatError(`offset ${raw.at}: operator state "${raw.name}" is of kind ${raw.kind} with distribution ${mode ?? 'unknown'}`)
  }
  return { name: raw.name, mode: mode as OperatorStateMode, key: isBroadcast ? serializerOf(raw, KEY_SERIALIZER) : null, value: serializerOf(raw, VALUE_SERIALIZER) }
}

interface RawMeta {
  readonly at: number
  readonly name: string
  readonly kind: number
  readonly options: ReadonlyMap<string, string>
  readonly serializers: ReadonlyMap<string, SerializerType>
}

function readMeta(input: DataInput): RawMeta {
  const at = input.position
  const name = input.readUTF('the name of a state')
  const kind = input.readInt('the kind of a state')
  const options = new Map<string, string>()
  for (let n = input.readCount('the number of options', 4); n > 0; n--) {
    const key = input.readUTF('an option')
    options.set(key, input.readUTF(`the value of ${key}`))
  }
  const serializers = new Map<string, SerializerType>()
  for (let n = input.readCount('the number of serializers', 6); n > 0; n--) {
    const key = input.readUTF('the role of a serializer')
    serializers.set(key, readSerializerEntry(input))
  }
  return { at, name, kind, options, serializers }
}

function serializerOf(raw: RawMeta, role: string): SerializerType {
  const found = raw.serializers.get(role)
  if (found === undefined) throw new FormatError(`offset ${raw.at}: state "${raw.name}" has no ${role}`)
  return found
}
