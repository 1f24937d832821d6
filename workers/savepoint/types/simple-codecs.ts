/**
 * Types whose serializer snapshot is nothing but a class name: their encodings and declared lengths. Flink: the subclasses of
 * SimpleTypeSerializerSnapshot. A declared length of −1 means that it varies.
 */
import type { ValueView } from '../../model/snapshot-view.ts'
import type { DataInput } from '../../state/serializers/data-input.ts'
import { civilText, timeText, timestampText } from './dates.ts'
import { readJavaStream } from './java-object-reader.ts'
import { readBigDecimal, readBigInteger } from './numbers.ts'
import { decodeUtf8 } from './utf8-text.ts'
import { bytesView, opaqueView, takeBytes } from './value-context.ts'
import type { ValueBudget } from './value-context.ts'

export interface SimpleCodec {
  /** Java's name of the type. */
  readonly name: string
  readonly length: number
  readonly read: (input: DataInput, budget: ValueBudget) => ValueView
}

type Read = SimpleCodec['read']
const codec = (name: string, length: number, read: Read): SimpleCodec => ({ name, length, read })
const text = (type: string, value: string): ValueView => ({ kind: 'text', type, text: value })
const signed = (byte: number): number => (byte << 24) >> 24
const LONG_MIN = -(2n ** 63n)
const BYTE_MIN = -128
const INT_MIN = -2147483648

const readBoolean: Read = (input) => input.readBoolean('a Boolean')
const readByte: Read = (input) => signed(input.readByte('a Byte'))
const readShort: Read = (input) => input.readShort('a Short')
const readInt: Read = (input) => input.readInt('an Int')
const readLong: Read = (input) => input.readAnyLong('a Long')
const readFloat: Read = (input) => input.readFloat('a Float')
const readDouble: Read = (input) => input.readDouble('a Double')
const readChar: Read = (input) => String.fromCharCode(input.readShort('a Char') & 0xffff)

const readString: Read = (input, budget) => {
  const value = input.readNullableString('a String')
  budget.spend(value === null ? 0 : value.length >> 3)
  return value
}

/** As String, but the length is not raised by one. */
const readStringValue: Read = (input, budget) => {
  const value = input.readCharacters(input.readVarint('the length of a StringValue'), 'a StringValue')
  budget.spend(value.length >> 3)
  return value
}

const arrayOf = (element: Read, minimum: number): Read => (input, budget) => {
  const count = input.readCount('the length of an array', minimum)
  budget.spend(count)
  return { kind: 'list', items: Array.from({ length: count }, () => element(input, budget)) }
}

const readBytes: Read = (input, budget) => {
  const bytes = takeBytes(input, input.readCount('the length of a byte[]'), 'a byte[]')
  budget.spend(bytes.length >> 6)
  return bytesView(bytes)
}

const readTimestamp = (type: string): Read => (input) => {
  const millis = input.readAnyLong(`a ${type}`)
  return millis === LONG_MIN ? null : text(type, timestampText(millis))
}

const readSqlTimestamp: Read = (input) => {
  const millis = input.readAnyLong('a Timestamp')
  const nanos = input.readInt('the nanoseconds of a Timestamp')
  // The milliseconds are in both parts.
  return millis === LONG_MIN ? null : text('Timestamp', timestampText(millis, ((nanos % 1_000_000) + 1_000_000) % 1_000_000))
}

const readInstant: Read = (input) => {
  const seconds = input.readAnyLong('an Instant')
  const nanos = input.readInt('the nanoseconds of an Instant')
  if (seconds === LONG_MIN) return null
  if (typeof seconds === 'bigint' || !Number.isSafeInteger(seconds * 1000)) return text('Instant', `${seconds} s, ${nanos} ns`)
  return text('Instant', timestampText(seconds * 1000 + Math.floor(nanos / 1_000_000), nanos % 1_000_000))
}

function readLocalDate(input: DataInput): string | null {
  const year = input.readInt('a year')
  const month = input.readByte('a month')
  const day = input.readByte('a day')
  return year === INT_MIN ? null : civilText(year, month, day)
}

function readLocalTime(input: DataInput): string | null {
  const hour = signed(input.readByte('an hour'))
  const minute = input.readByte('a minute')
  const second = input.readByte('a second')
  const nanos = input.readInt('nanoseconds')
  return hour === BYTE_MIN ? null : timeText(hour, minute, second, nanos)
}

const textOrNull = (type: string, value: string | null): ValueView => (value === null ? null : text(type, value))

const readLocalDateTime: Read = (input) => {
  const date = readLocalDate(input)
  const time = readLocalTime(input)
  return textOrNull('LocalDateTime', date === null || time === null ? null : `${date}T${time}`)
}

const readWindow: Read = (input) => ({
  kind: 'record',
  type: 'TimeWindow',
  fields: [{ name: 'start', value: input.readAnyLong('the start of a window') }, { name: 'end', value: input.readAnyLong('the end of a window') }],
})

const readConstant = (name: string): Read => (input) => {
  input.readByte(`a ${name}`)
  return text(name, name)
}

const readEvent: Read = (input) => ({
  kind: 'record',
  type: 'EventId',
  fields: [{ name: 'id', value: input.readInt('the id of an event') }, { name: 'timestamp', value: input.readAnyLong('the timestamp of an event') }],
})

const readDewey: Read = (input, budget) => {
  const count = input.readCount('the length of a version', 4)
  budget.spend(count)
  return text('DeweyNumber', Array.from({ length: count }, () => input.readInt('a part of a version')).join('.'))
}

const readJavaObject: Read = (input) => {
  const start = input.position
  const node = readJavaStream(input)
  const name = node !== null && typeof node === 'object' && 'className' in node ? node.className : typeof node
  return opaqueView(`${name} (Java serialization)`, input.bytes.subarray(start, input.position))
}

const readSqlString: Read = (input, budget) => {
  const bytes = takeBytes(input, input.readCount('the length of a STRING'), 'a STRING')
  budget.spend(bytes.length >> 3)
  return decodeUtf8(bytes)
}

const BASE = 'org.apache.flink.api.common.typeutils.base'
const base = (name: string, one: SimpleCodec): [string, SimpleCodec] => [`${BASE}.${name}Serializer$${name}SerializerSnapshot`, one]
const primitiveArray = (name: string, java: string, read: Read): [string, SimpleCodec] => [
  `${BASE}.array.${name}Serializer$${name}SerializerSnapshot`,
  codec(`${java}[]`, -1, read),
]
const both = (name: string, java: string, length: number, read: Read): [string, SimpleCodec][] => [base(name, codec(java, length, read)), base(`${name}Value`, codec(`${name}Value`, length, read))]

/** By the class name of the snapshot. */
export const SIMPLE_CODECS: ReadonlyMap<string, SimpleCodec> = new Map<string, SimpleCodec>([
  ...both('Boolean', 'Boolean', 1, readBoolean),
  ...both('Byte', 'Byte', 1, readByte),
  ...both('Short', 'Short', 2, readShort),
  ...both('Int', 'Int', 4, readInt),
  ...both('Long', 'Long', 8, readLong),
  ...both('Float', 'Float', 4, readFloat),
  ...both('Double', 'Double', 8, readDouble),
  ...both('Char', 'Char', 2, readChar),
  base('String', codec('String', -1, readString)),
  base('StringValue', codec('StringValue', -1, readStringValue)),
  base('NullValue', codec('NullValue', 0, () => null)),
  base('Void', codec('Void', 1, (input) => (input.readByte('a Void'), null))),
  base('BigInt', codec('BigInteger', -1, readBigInteger)),
  base('BigDec', codec('BigDecimal', -1, readBigDecimal)),
  base('Date', codec('Date', 8, readTimestamp('Date'))),
  base('SqlDate', codec('sql.Date', 8, readTimestamp('sql.Date'))),
  base('SqlTime', codec('sql.Time', 8, readTimestamp('sql.Time'))),
  base('SqlTimestamp', codec('sql.Timestamp', 12, readSqlTimestamp)),
  base('Instant', codec('Instant', 12, readInstant)),
  base('LocalDate', codec('LocalDate', 6, (input) => textOrNull('LocalDate', readLocalDate(input)))),
  base('LocalTime', codec('LocalTime', 7, (input) => textOrNull('LocalTime', readLocalTime(input)))),
  base('LocalDateTime', codec('LocalDateTime', 13, readLocalDateTime)),
  primitiveArray('BytePrimitiveArray', 'byte', readBytes),
  primitiveArray('BooleanPrimitiveArray', 'boolean', arrayOf(readBoolean, 1)),
  primitiveArray('CharPrimitiveArray', 'char', arrayOf(readChar, 2)),
  primitiveArray('ShortPrimitiveArray', 'short', arrayOf(readShort, 2)),
  primitiveArray('IntPrimitiveArray', 'int', arrayOf(readInt, 4)),
  primitiveArray('LongPrimitiveArray', 'long', arrayOf(readLong, 8)),
  primitiveArray('FloatPrimitiveArray', 'float', arrayOf(readFloat, 4)),
  primitiveArray('DoublePrimitiveArray', 'double', arrayOf(readDouble, 8)),
  primitiveArray('StringArray', 'String', arrayOf(readString, 1)),
  ['org.apache.flink.runtime.state.VoidNamespaceSerializer$VoidNamespaceSerializerSnapshot', codec('VoidNamespace', 0, readConstant('VoidNamespace'))],
  ['org.apache.flink.runtime.state.JavaSerializer$JavaSerializerSnapshot', codec('Java object', -1, readJavaObject)],
  ['org.apache.flink.streaming.api.windowing.windows.TimeWindow$Serializer$TimeWindowSerializerSnapshot', codec('TimeWindow', 16, readWindow)],
  ['org.apache.flink.streaming.api.windowing.windows.GlobalWindow$Serializer$GlobalWindowSerializerSnapshot', codec('GlobalWindow', 1, readConstant('GlobalWindow'))],
  ['org.apache.flink.table.runtime.operators.window.TimeWindow$Serializer$TimeWindowSerializerSnapshot', codec('TimeWindow', 16, readWindow)],
  ['org.apache.flink.table.runtime.operators.window.CountWindow$Serializer$CountWindowSerializerSnapshot', codec('CountWindow', 8, readLong)],
  ['org.apache.flink.table.runtime.typeutils.StringDataSerializer$StringDataSerializerSnapshot', codec('STRING', -1, readSqlString)],
  ['org.apache.flink.table.dataview.NullSerializer$NullSerializerSnapshot', codec('Null', 1, (input) => (input.readByte('a null'), null))],
  ['org.apache.flink.cep.nfa.sharedbuffer.EventId$EventIdSerializer$EventIdSerializerSnapshot', codec('EventId', 12, readEvent)],
  ['org.apache.flink.cep.nfa.DeweyNumber$DeweyNumberSerializer$DeweyNumberSerializerSnapshot', codec('DeweyNumber', -1, readDewey)],
])
