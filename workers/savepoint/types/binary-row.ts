/**
 * Values of Flink SQL in their binary form. Flink: BinaryRowData, BinaryArrayData, BinaryMapData, BinarySegmentUtils.
 *
 *   row    null bits (8 header bits: the row kind; then one per field; rounded up to 8 bytes, low bit first) | 8 bytes per field | variable part
 *   array  i4 count | null bits, in units of 4 bytes | elements, 1 to 8 bytes each | variable part
 *   map    i4 length of the key array | key array | value array
 *
 * All little-endian. In a field: strings of up to 7 bytes themselves (top byte 0x80 + length); else offset (high half) and length (low half).
 * Offsets are from the start of the row or array they stand in, and are checked against its end.
 */
import type { ValueView } from '../../model/snapshot-view.ts'
import { DataInput } from '../../state/serializers/data-input.ts'
import { FormatError } from '../../state/serializers/format-error.ts'
import { dateText, timeOfDayText, timestampText } from './dates.ts'
import { decimalText, twosComplement } from './numbers.ts'
import type { SqlType } from './sql-type.ts'
import { describeSqlType } from './sql-type.ts'
import { decodeUtf8 } from './utf8-text.ts'
import { bytesView, opaqueView } from './value-context.ts'
import type { ValueBudget } from './value-context.ts'

const HEADER_BITS = 8
const FIELD_LENGTH = 8
const ROW_KINDS = ['+I', '-U', '+U', '-D'] as const
const DEPTH_MAX = 24
const COMPACT_DECIMAL_MAX = 18
const COMPACT_TIMESTAMP_MAX = 3

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const text = (type: string, value: string): ValueView => ({ kind: 'text', type, text: value })

/** A row of the given field types. The kind of row is shown where it is no insert. */
export function readBinaryRow(bytes: Uint8Array, types: readonly (SqlType & { readonly name?: string })[], names: readonly string[], budget: ValueBudget, depth = 0): ValueView {
  const nullBytes = Math.floor((types.length + HEADER_BITS + 63) / 64) * 8
  check(bytes, 0, nullBytes + types.length * FIELD_LENGTH, 'a binary row')
  budget.spend(types.length + 1)
  const kind = ROW_KINDS[bytes[0] ?? 0] ?? '?'
  const fields = types.map((type, i) => {
    const bit = i + HEADER_BITS
    const value = isSet(bytes, 0, bit) ? null : readField(bytes, nullBytes + i * FIELD_LENGTH, type, budget, depth + 1)
    return { name: names[i] ?? `f${i}`, value }
  })
  return { kind: 'record', type: kind === '+I' ? 'ROW' : `ROW ${kind}`, fields }
}

export function readBinaryArray(bytes: Uint8Array, element: SqlType, budget: ValueBudget, depth = 0): ValueView {
  return { kind: 'list', items: arrayItems(bytes, element, budget, depth) }
}

export function readBinaryMap(bytes: Uint8Array, key: SqlType, value: SqlType, budget: ValueBudget, depth = 0): ValueView {
  check(bytes, 0, 4, 'a binary map')
  const keyLength = view(bytes).getInt32(0, true)
  check(bytes, 4, keyLength, 'the keys of a binary map')
  const keys = arrayItems(bytes.subarray(4, 4 + keyLength), key, budget, depth)
  const values = arrayItems(bytes.subarray(4 + keyLength), value, budget, depth)
  if (keys.length !== values.length) throw new FormatError(`a binary map of ${keys.length} keys and ${values.length} values`)
  return { kind: 'map', entries: keys.map((one, i) => [one, values[i] ?? null] as const) }
}

function arrayItems(bytes: Uint8Array, element: SqlType, budget: ValueBudget, depth: number): ValueView[] {
  check(bytes, 0, 4, 'a binary array')
  const count = view(bytes).getInt32(0, true)
  const header = 4 + Math.floor((count + 31) / 32) * 4
  const length = elementLength(element)
  check(bytes, 0, count < 0 ? -1 : header + count * length, 'a binary array')
  budget.spend(count + 1)
  return Array.from({ length: count }, (_, i) => (isSet(bytes, 4, i) ? null : readField(bytes, header + i * length, element, budget, depth + 1)))
}

/** Elements of an array take only as many bytes as they need. */
function elementLength(type: SqlType): number {
  switch (type.root) {
    case 'BOOLEAN':
    case 'TINYINT':
      return 1
    case 'SMALLINT':
      return 2
    case 'INTEGER':
    case 'FLOAT':
    case 'DATE':
    case 'TIME_WITHOUT_TIME_ZONE':
    case 'INTERVAL_YEAR_MONTH':
      return 4
    case 'DISTINCT_TYPE':
      return elementLength(type.children[0]?.type ?? { root: '', precision: 0, scale: 0, children: [] })
    default:
      return 8
  }
}

function readField(bytes: Uint8Array, at: number, type: SqlType, budget: ValueBudget, depth: number): ValueView {
  if (depth > DEPTH_MAX) throw new FormatError('a binary row nested too deeply')
  const data = view(bytes)
  switch (type.root) {
    case 'BOOLEAN':
      return data.getInt8(at) !== 0
    case 'TINYINT':
      return data.getInt8(at)
    case 'SMALLINT':
      return data.getInt16(at, true)
    case 'INTEGER':
    case 'INTERVAL_YEAR_MONTH':
      return data.getInt32(at, true)
    case 'FLOAT':
      return data.getFloat32(at, true)
    case 'DATE':
      return text('DATE', dateText(data.getInt32(at, true)))
    case 'TIME_WITHOUT_TIME_ZONE':
      return text('TIME', timeOfDayText(data.getInt32(at, true)))
    case 'BIGINT':
    case 'INTERVAL_DAY_TIME':
      return longOf(data, at)
    case 'DOUBLE':
      return data.getFloat64(at, true)
    case 'DECIMAL':
      return text('DECIMAL', decimalText(type.precision <= COMPACT_DECIMAL_MAX ? data.getBigInt64(at, true) : unscaled(bytes, at, data), type.scale))
    case 'TIMESTAMP_WITHOUT_TIME_ZONE':
    case 'TIMESTAMP_WITH_LOCAL_TIME_ZONE':
      return text(describeSqlType(type), timestampOf(bytes, at, type.precision, data))
    case 'NULL':
      return null
    default:
      return readVariable(bytes, at, type, budget, depth)
  }
}

/** What lies in the variable part, or is short enough to stand in the field itself. */
function readVariable(bytes: Uint8Array, at: number, type: SqlType, budget: ValueBudget, depth: number): ValueView {
  const part = variablePart(bytes, at, type)
  budget.spend(1 + (part.length >> 3))
  const types = type.children.map((child) => child.type)
  switch (type.root) {
    case 'CHAR':
    case 'VARCHAR':
      return decodeUtf8(part)
    case 'BINARY':
    case 'VARBINARY':
      return bytesView(part)
    case 'ARRAY':
      return readBinaryArray(part, childOf(type, 0), budget, depth)
    case 'MAP':
    case 'MULTISET':
      return readBinaryMap(part, childOf(type, 0), childOf(type, 1), budget, depth)
    case 'ROW':
    case 'STRUCTURED_TYPE':
      return readBinaryRow(part, types, type.children.map((child) => child.name), budget, depth)
    case 'DISTINCT_TYPE':
      return readField(bytes, at, childOf(type, 0), budget, depth + 1)
    default:
      return opaqueView(describeSqlType(type), part)
  }
}

function variablePart(bytes: Uint8Array, at: number, type: SqlType): Uint8Array {
  const data = view(bytes)
  const mark = bytes[at + 7] as number
  const mayStandInField = ['CHAR', 'VARCHAR', 'BINARY', 'VARBINARY'].includes(type.root)
  if (mayStandInField && (mark & 0x80) !== 0) return bytes.subarray(at, at + Math.min(mark & 0x7f, 7))
  const length = data.getInt32(at, true)
  const offset = data.getInt32(at + 4, true)
  check(bytes, offset, length, `a ${describeSqlType(type)}`)
  return bytes.subarray(offset, offset + length)
}

function unscaled(bytes: Uint8Array, at: number, data: DataView): bigint {
  const length = data.getInt32(at, true)
  const offset = data.getInt32(at + 4, true)
  check(bytes, offset, length, 'a DECIMAL')
  return twosComplement(bytes.subarray(offset, offset + length), new DataInput(bytes), at)
}

function timestampOf(bytes: Uint8Array, at: number, precision: number, data: DataView): string {
  if (precision <= COMPACT_TIMESTAMP_MAX) return timestampText(longOf(data, at))
  const offset = data.getInt32(at + 4, true)
  check(bytes, offset, 8, 'a TIMESTAMP')
  return timestampText(longOf(data, offset), data.getInt32(at, true))
}

function longOf(data: DataView, at: number): number | bigint {
  const value = data.getBigInt64(at, true)
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

const childOf = (type: SqlType, index: number): SqlType => type.children[index]?.type ?? { root: 'an unknown type', precision: 0, scale: 0, children: [] }

const isSet = (bytes: Uint8Array, from: number, bit: number): boolean => (((bytes[from + (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1

function check(bytes: Uint8Array, offset: number, length: number, what: string): void {
  if (offset < 0 || length < 0 || offset + length > bytes.length) throw new FormatError(`${what} at ${offset}, ${length} bytes long, does not fit into ${bytes.length} bytes`)
}
