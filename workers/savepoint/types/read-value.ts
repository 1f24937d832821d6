/**
 * Decodes values of any type that a snapshot describes (formats of Flink's TypeSerializers: docs/FORMATS.md, "Values"). Throws
 * `OpaqueValueError` for a type that only its class's own code can read, `FormatError` for damaged bytes, and when the budget is used up.
 */
import type { ValueView } from '../../model/snapshot-view.ts'
import type { DataInput } from '../../state/serializers/data-input.ts'
import { readAvro } from './avro.ts'
import { readBinaryArray, readBinaryMap, readBinaryRow } from './binary-row.ts'
import { decimalText, twosComplement } from './numbers.ts'
import { SIMPLE_CODECS } from './simple-codecs.ts'
import { timestampText } from './dates.ts'
import { describeSqlType } from './sql-type.ts'
import type { SqlType } from './sql-type.ts'
import type { PojoType, RecordType, TypeInfo } from './type-info.ts'
import { OpaqueValueError, opaqueView, takeBytes } from './value-context.ts'
import type { ValueBudget } from './value-context.ts'

const POJO_NULL = 1
const POJO_PLAIN = 2
const POJO_SUBCLASS = 4
const POJO_TAGGED = 8
const ROW_KIND_BITS = 2
const ROW_KINDS = ['+I', '-U', '+U', '-D'] as const
const LONG_SIGN = 1n << 63n

type Of<K extends TypeInfo['kind']> = Extract<TypeInfo, { kind: K }>

export function readTypedValue(input: DataInput, type: TypeInfo, budget: ValueBudget): ValueView {
  budget.spend(1)
  switch (type.kind) {
    case 'simple': {
      const codec = SIMPLE_CODECS.get(type.codec)
      if (codec === undefined) throw new OpaqueValueError(type.codec)
      return codec.read(input, budget)
    }
    case 'opaque':
      throw new OpaqueValueError(type.className)
    case 'list':
      return { kind: 'list', items: readMany(input, budget, 'the length of a list', () => readTypedValue(input, type.element, budget)) }
    case 'set':
      return { kind: 'list', items: readMany(input, budget, 'the size of a set', () => (input.readBoolean('whether an element is null') ? null : readTypedValue(input, type.element, budget))) }
    case 'array':
      return { kind: 'list', items: readMany(input, budget, 'the length of an array', () => (input.readBoolean('whether an element is there') ? readTypedValue(input, type.element, budget) : null)) }
    case 'map':
      return { kind: 'map', entries: readMany(input, budget, 'the size of a map', () => readMapEntry(input, type, budget)) }
    case 'linked-list':
      return readLinkedList(input, type, budget)
    case 'record':
      return readRecord(input, type, budget)
    case 'row':
      return readRow(input, type, budget)
    case 'pojo':
      return readPojo(input, type, budget)
    case 'nullable':
      return readNullable(input, type, budget)
    case 'optional':
      return input.readBoolean('whether a value is there') ? readTypedValue(input, type.element, budget) : null
    case 'either':
      return readEither(input, type, budget)
    case 'ttl':
      return fields('TTL', [['lastAccess', input.readAnyLong('the last access')], ['value', readTypedValue(input, type.value, budget)]])
    case 'timer':
      return readTimer(input, type, budget)
    case 'enum': {
      const ordinal = input.readInt('the index of a constant')
      return { kind: 'text', type: type.className, text: type.constants[ordinal] ?? `constant ${ordinal}` }
    }
    case 'avro':
      return readAvro(input, type.schema, budget)
    case 'row-data':
      return readBinaryRow(takeBytes(input, input.readInt('the size of a row'), 'a row'), type.fields, [], budget)
    case 'sql':
      return readSql(input, type.type, budget)
    case 'stream-element':
      return readStreamElement(input, type.value, budget)
    case 'transactions':
      return readTransactions(input, type, budget)
    case 'nfa-state':
      return fields('NFAState', [['partialMatches', readComputations(input, type, budget)], ['completedMatches', readComputations(input, type, budget)]])
  }
}

const fields = (type: string, entries: readonly (readonly [string, ValueView])[]): ValueView => ({ kind: 'record', type, fields: entries.map(([name, value]) => ({ name, value })) })

/** Elements may have no bytes at all (a tuple of nothing): the budget bounds what a count may mean. */
function readMany<T>(input: DataInput, budget: ValueBudget, what: string, read: () => T): T[] {
  const at = input.position
  const count = input.readInt(what)
  if (count < 0) throw input.errorAt(at, what, `found ${count}`)
  const items: T[] = []
  for (let i = 0; i < count; i++) {
    budget.spend(1)
    items.push(read())
  }
  return items
}

function readMapEntry(input: DataInput, type: Of<'map'>, budget: ValueBudget): readonly [ValueView, ValueView] {
  const key = readTypedValue(input, type.key, budget)
  return [key, input.readBoolean('whether a value is null') ? null : readTypedValue(input, type.value, budget)]
}

function readLinkedList(input: DataInput, type: Of<'linked-list'>, budget: ValueBudget): ValueView {
  const count = type.hasNullMask ? input.readCount('the length of a list', 0) : input.readInt('the length of a list')
  if (count < 0 || Math.ceil(count / 8) > (type.hasNullMask ? input.remaining : Infinity)) throw input.errorAt(input.position - 4, 'the length of a list', `found ${count}`)
  const mask = type.hasNullMask ? takeBytes(input, Math.ceil(count / 8), 'the nulls of a list') : new Uint8Array(0)
  const items: ValueView[] = []
  for (let i = 0; i < count; i++) {
    budget.spend(1)
    items.push(isSet(mask, i) ? null : readTypedValue(input, type.element, budget))
  }
  return { kind: 'list', items }
}

/** High bit first. */
const isSet = (mask: Uint8Array, bit: number): boolean => (((mask[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1

const readRecord = (input: DataInput, type: RecordType, budget: ValueBudget): ValueView => fields(type.name, type.fields.map((field) => [field.name, readTypedValue(input, field.type, budget)] as const))

function readRow(input: DataInput, type: Of<'row'>, budget: ValueBudget): ValueView {
  const first = type.hasRowKind ? ROW_KIND_BITS : 0
  const mask = takeBytes(input, Math.ceil((type.fields.length + first) / 8), 'the mask of a Row')
  const kind = type.hasRowKind ? (isSet(mask, 0) ? 1 : 0) + (isSet(mask, 1) ? 2 : 0) : 0
  const values = type.fields.map((field, i) => [`f${i}`, isSet(mask, i + first) ? null : readTypedValue(input, field, budget)] as const)
  return fields(kind === 0 ? 'Row' : `Row ${ROW_KINDS[kind] ?? ''}`, values)
}

function readPojo(input: DataInput, type: PojoType, budget: ValueBudget): ValueView {
  const at = input.position
  const flags = input.readByte('the flags of a POJO')
  if ((flags & POJO_NULL) !== 0) return null
  if ((flags & POJO_SUBCLASS) !== 0) return readSubclass(input, input.readUTF('a subclass'), type, budget)
  if ((flags & POJO_TAGGED) !== 0) {
    const found = type.registered[input.readByte('the tag of a subclass')]
    if (found === undefined) throw input.errorAt(at, `the tag of one of ${type.registered.length} registered subclasses`, 'found another')
    return readTypedValue(input, found.type, budget)
  }
  if ((flags & POJO_PLAIN) === 0) throw input.errorAt(at, 'the flags of a POJO', `found ${flags}`)
  const values = type.fields.map((field) => [field.name, input.readBoolean('whether a field is null') ? null : readTypedValue(input, field.type, budget)] as const)
  return fields(type.className, values)
}

function readSubclass(input: DataInput, className: string, type: PojoType, budget: ValueBudget): ValueView {
  const found = type.subclasses.find((one) => one.className === className)
  if (found === undefined) throw new OpaqueValueError(className)
  return readTypedValue(input, found.type, budget)
}

function readNullable(input: DataInput, type: Of<'nullable'>, budget: ValueBudget): ValueView {
  if (!input.readBoolean('whether a value is null')) return readTypedValue(input, type.element, budget)
  takeBytes(input, type.padding, 'the padding of a null')
  return null
}

function readEither(input: DataInput, type: Of<'either'>, budget: ValueBudget): ValueView {
  const at = input.position
  const tag = input.readByte(`which side of ${type.name}`)
  const side = type.cases[type.tags.indexOf(tag)]
  if (side === undefined) throw input.errorAt(at, `a side of ${type.name}`, `found ${tag}`)
  return fields(type.name, [[side.name, readTypedValue(input, side.type, budget)]])
}

/** The timestamp's sign is flipped, so that the order of bytes is that of time. */
function readTimer(input: DataInput, type: Of<'timer'>, budget: ValueBudget): ValueView {
  const raw = BigInt.asIntN(64, BigInt(input.readAnyLong('the timestamp of a timer')) ^ LONG_SIGN)
  const timestamp = Number.isSafeInteger(Number(raw)) ? Number(raw) : raw
  const key = readTypedValue(input, type.key, budget)
  return fields('Timer', [['timestamp', timestamp], ['key', key], ['namespace', readTypedValue(input, type.namespace, budget)]])
}

function readSql(input: DataInput, type: SqlType, budget: ValueBudget): ValueView {
  const child = (index: number): SqlType => type.children[index]?.type ?? { root: 'an unknown type', precision: 0, scale: 0, children: [] }
  const part = (): Uint8Array => takeBytes(input, input.readInt(`the size of a ${type.root}`), `a ${type.root}`)
  switch (type.root) {
    case 'DECIMAL': {
      const at = input.position
      const unscaled = type.precision <= 18 ? BigInt(input.readAnyLong('a DECIMAL')) : twosComplement(part(), input, at)
      return { kind: 'text', type: describeSqlType(type), text: decimalText(unscaled, type.scale) }
    }
    case 'TIMESTAMP_WITHOUT_TIME_ZONE': {
      const millis = input.readAnyLong('a TIMESTAMP')
      return { kind: 'text', type: describeSqlType(type), text: timestampText(millis, type.precision <= 3 ? 0 : input.readInt('nanoseconds')) }
    }
    case 'ARRAY':
      return readBinaryArray(part(), child(0), budget)
    case 'MAP':
      return readBinaryMap(part(), child(0), child(1), budget)
    default:
      return opaqueView(describeSqlType(type), part())
  }
}

function readStreamElement(input: DataInput, value: TypeInfo, budget: ValueBudget): ValueView {
  const at = input.position
  const tag = input.readByte('the tag of a stream element')
  switch (tag) {
    case 0:
      return fields('StreamRecord', [['timestamp', input.readAnyLong('a timestamp')], ['value', readTypedValue(input, value, budget)]])
    case 1:
      return fields('StreamRecord', [['value', readTypedValue(input, value, budget)]])
    case 2:
      return fields('Watermark', [['timestamp', input.readAnyLong('a timestamp')]])
    case 3: {
      const time = input.readAnyLong('a time')
      takeBytes(input, 16, 'an operator id')
      return fields('LatencyMarker', [['time', time], ['subtask', input.readInt('a subtask')]])
    }
    case 4:
      return fields('WatermarkStatus', [['status', input.readInt('a status')]])
    case 5:
      return fields('RecordAttributes', [['backlog', input.readBoolean('whether there is a backlog')]])
    case 6:
      return fields('InternalWatermark', [['subpartition', input.readInt('a subpartition')], ['timestamp', input.readAnyLong('a timestamp')]])
    default:
      throw input.errorAt(at, 'the tag of a stream element (0–6)', `found ${tag}`)
  }
}

/** Flink: TwoPhaseCommitSinkFunction.StateSerializer. */
function readTransactions(input: DataInput, type: Of<'transactions'>, budget: ValueBudget): ValueView {
  const holder = (): ValueView => {
    const handle = readTypedValue(input, type.transaction, budget)
    return fields('Transaction', [['handle', handle], ['started', input.readAnyLong('the start of a transaction')]])
  }
  const pending = !type.mayBeNull || input.readBoolean('whether there is a pending transaction') ? holder() : null
  const pendingCommit = readMany(input, budget, 'the number of transactions', holder)
  const context = input.readBoolean('whether there is a context') ? readTypedValue(input, type.context, budget) : null
  return fields('Transactions', [['pending', pending], ['pendingCommit', { kind: 'list', items: pendingCommit }], ['context', context]])
}

/** Flink: NFAStateSerializer. */
function readComputations(input: DataInput, type: Of<'nfa-state'>, budget: ValueBudget): ValueView {
  const items = readMany(input, budget, 'the number of matches', () => {
    const name = input.readNullableString('the name of a state')
    const node = readTypedValue(input, type.node, budget)
    const version = readTypedValue(input, type.version, budget)
    const start = input.readAnyLong('the time of the first event')
    const previous = type.hasPreviousTimestamp ? input.readAnyLong('the time of the previous event') : null
    const event = input.readBoolean('whether there is a first event') ? readTypedValue(input, type.event, budget) : null
    return fields('Match', [['state', name], ['node', node], ['version', version], ['start', start], ['previous', previous], ['event', event]])
  })
  return { kind: 'list', items }
}
