/** Types by short names, and their values written by hand: the other side of the reader's tests. */
import type { ValueView } from '../../../workers/model/snapshot-view.ts'
import type { TypeInfo } from '../../../workers/savepoint/types/type-info.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'

const BASE = 'org.apache.flink.api.common.typeutils.base'
const base = (name: string): TypeInfo => ({ kind: 'simple', codec: `${BASE}.${name}Serializer$${name}SerializerSnapshot` })
export const LONG = base('Long')
export const INT = base('Int')
export const STRING = base('String')
export const BOOLEAN = base('Boolean')
export const DOUBLE = base('Double')
export const VOID: TypeInfo = { kind: 'simple', codec: 'org.apache.flink.runtime.state.VoidNamespaceSerializer$VoidNamespaceSerializerSnapshot' }
export const WINDOW: TypeInfo = { kind: 'simple', codec: 'org.apache.flink.streaming.api.windowing.windows.TimeWindow$Serializer$TimeWindowSerializerSnapshot' }
export const BYTES: TypeInfo = { kind: 'simple', codec: `${BASE}.array.BytePrimitiveArraySerializer$BytePrimitiveArraySerializerSnapshot` }
export const simpleBase = base

export const listOf = (element: TypeInfo): TypeInfo => ({ kind: 'list', name: 'List', element })
export const setOf = (element: TypeInfo): TypeInfo => ({ kind: 'set', element })
export const mapOf = (key: TypeInfo, value: TypeInfo): TypeInfo => ({ kind: 'map', key, value })
export const arrayOf = (element: TypeInfo): TypeInfo => ({ kind: 'array', component: 'java.lang.Object', element })
export const tupleOf = (...types: TypeInfo[]): TypeInfo => ({ kind: 'record', name: `Tuple${types.length}`, fields: types.map((type, i) => ({ name: `f${i}`, type })) })
export const rowOf = (...fields: TypeInfo[]): TypeInfo => ({ kind: 'row', hasRowKind: true, fields })
export const timerOf = (key: TypeInfo, namespace: TypeInfo): TypeInfo => ({ kind: 'timer', key, namespace })
export const ttlOf = (value: TypeInfo): TypeInfo => ({ kind: 'ttl', value })
export const nullableOf = (element: TypeInfo, padding: number): TypeInfo => ({ kind: 'nullable', padding, element })
export const eitherOf = (left: TypeInfo, right: TypeInfo): TypeInfo => ({ kind: 'either', name: 'Either', tags: [1, 0], cases: [{ name: 'left', type: left }, { name: 'right', type: right }] })
export const enumOf = (className: string, ...constants: string[]): TypeInfo => ({ kind: 'enum', className, constants })
export const pojoOf = (className: string, fields: Readonly<Record<string, TypeInfo>>): TypeInfo => ({
  kind: 'pojo',
  className,
  fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
  registered: [],
  subclasses: [],
})

export const record = (type: string, fields: Readonly<Record<string, ValueView>>): ValueView => ({ kind: 'record', type, fields: Object.entries(fields).map(([name, value]) => ({ name, value })) })
export const list = (...items: ValueView[]): ValueView => ({ kind: 'list', items })
export const map = (...entries: (readonly [ValueView, ValueView])[]): ValueView => ({ kind: 'map', entries })
export const text = (type: string, value: string): ValueView => ({ kind: 'text', type, text: value })
export const window = (start: number, end: number): ValueView => record('TimeWindow', { start, end })

export function encode(type: TypeInfo, value: ValueView): Uint8Array {
  const out = new DataOutput()
  write(out, type, value)
  return out.toBytes()
}

type Part<K extends string> = Extract<ValueView, { kind: K }>
const items = (value: ValueView): readonly ValueView[] => (value as Part<'list'>).items
const fields = (value: ValueView): readonly ValueView[] => (value as Part<'record'>).fields.map((field) => field.value)

/** The encodings of Flink's serializers, written from their description. */
export function write(out: DataOutput, type: TypeInfo, value: ValueView): void {
  switch (type.kind) {
    case 'simple':
      return writeSimple(out, type, value)
    case 'list':
      return writeAll(out, items(value), (item) => write(out, type.element, item))
    case 'set':
      return writeAll(out, items(value), (item) => writeFlagged(out, type.element, item, true))
    case 'array':
      return writeAll(out, items(value), (item) => writeFlagged(out, type.element, item, false))
    case 'map':
      return writeAll(out, (value as Part<'map'>).entries, ([key, one]) => {
        write(out, type.key, key)
        writeFlagged(out, type.value, one, true)
      })
    case 'record':
      return type.fields.forEach((field, i) => write(out, field.type, fields(value)[i] ?? null))
    case 'row':
      return writeRow(out, type.fields, fields(value))
    case 'nullable':
      out.writeBoolean(value === null)
      return value === null ? out.writeBytes(new Uint8Array(type.padding)) : write(out, type.element, value)
    case 'either': {
      const [side] = (value as Part<'record'>).fields
      const index = type.cases.findIndex((one) => one.name === side!.name)
      out.writeByte(type.tags[index]!)
      return write(out, type.cases[index]!.type, side!.value)
    }
    case 'ttl':
      out.writeLong(fields(value)[0] as number)
      return write(out, type.value, fields(value)[1]!)
    case 'timer':
      out.writeLong(BigInt.asIntN(64, BigInt(fields(value)[0] as number) ^ (1n << 63n)))
      write(out, type.key, fields(value)[1]!)
      return write(out, type.namespace, fields(value)[2]!)
    case 'enum':
      return out.writeInt(type.constants.indexOf((value as Part<'text'>).text))
    case 'pojo':
      out.writeByte(value === null ? 1 : 2)
      if (value !== null) type.fields.forEach((field, i) => writeFlagged(out, field.type, fields(value)[i] ?? null, true))
      return
    default:
      throw new RangeError(`no encoding for ${type.kind}`)
  }
}

function writeSimple(out: DataOutput, type: TypeInfo, value: ValueView): void {
  if (type === LONG) return out.writeLong(value as number | bigint)
  if (type === INT) return out.writeInt(value as number)
  if (type === STRING) return out.writeString(value as string)
  if (type === BOOLEAN) return out.writeBoolean(value as boolean)
  if (type === DOUBLE) return out.writeDouble(value as number)
  if (type === VOID) return out.writeByte(0)
  if (type === BYTES) return out.writeBlob(Uint8Array.from(Buffer.from((value as Part<'bytes'>).hex, 'hex')))
  if (type === WINDOW) return fields(value).forEach((edge) => out.writeLong(edge as number))
  throw new RangeError('no encoding for this simple type')
}

function writeAll<T>(out: DataOutput, all: readonly T[], each: (item: T) => void): void {
  out.writeInt(all.length)
  all.forEach(each)
}

function writeFlagged(out: DataOutput, type: TypeInfo, value: ValueView, isNullFlag: boolean): void {
  out.writeBoolean((value === null) === isNullFlag)
  if (value !== null) write(out, type, value)
}

function writeRow(out: DataOutput, types: readonly TypeInfo[], values: readonly ValueView[]): void {
  const bits = ['0', '0', ...values.map((value) => (value === null ? '1' : '0'))].join('')
  for (let at = 0; at < bits.length; at += 8) out.writeByte(Number.parseInt(bits.slice(at, at + 8).padEnd(8, '0'), 2))
  types.forEach((type, i) => values[i] !== null && write(out, type, values[i] as ValueView))
}
