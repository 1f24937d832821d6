import { describe, expect, test } from 'vitest'
import type { ValueView } from '../../../workers/model/snapshot-view.ts'
import { readBinaryRow } from '../../../workers/savepoint/types/binary-row.ts'
import { dateText, timestampText } from '../../../workers/savepoint/types/dates.ts'
import { readTypedValue } from '../../../workers/savepoint/types/read-value.ts'
import type { SqlType } from '../../../workers/savepoint/types/sql-type.ts'
import type { TypeInfo } from '../../../workers/savepoint/types/type-info.ts'
import { OpaqueValueError, ValueBudget } from '../../../workers/savepoint/types/value-context.ts'
import { DataInput } from '../../../workers/state/serializers/data-input.ts'
import { INT, list, listOf, LONG, nullableOf, record, rowOf, simpleBase, STRING, text, tupleOf } from './value-types.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'))
function read(type: TypeInfo, hex: string, budget = 10_000): ValueView {
  const input = new DataInput(bytes(hex))
  const value = readTypedValue(input, type, new ValueBudget(budget))
  input.expectEnd('the value')
  return value
}

describe('values by their bytes', () => {
  test.each<[string, TypeInfo, string, ValueView]>([
    ['a negative Byte', simpleBase('Byte'), 'fe', -2],
    ['a Char', simpleBase('Char'), '00e9', 'é'],
    ['a Float', simpleBase('Float'), '3fc00000', 1.5],
    ['a Long beyond 2^53', LONG, '7fffffffffffffff', 9223372036854775807n],
    ['a String that is null', STRING, '00', null],
    ['StringValue: its length is not raised', simpleBase('StringValue'), '03 61 62 63', 'abc'],
    ['BigInteger null, zero, ten', tupleOf(simpleBase('BigInt'), simpleBase('BigInt'), simpleBase('BigInt')), '00000000 00000001 00000003', record('Tuple3', { f0: null, f1: 0n, f2: 10n })],
    ['a negative BigInteger', simpleBase('BigInt'), '00000005 ff', -1n],
    ['a BigDecimal', simpleBase('BigDec'), '00000006 3039 00000003', text('BigDecimal', '12.345')],
    ['a BigDecimal below one', simpleBase('BigDec'), '00000005 fb 00000002', text('BigDecimal', '-0.05')],
    ['a Date', simpleBase('Date'), '0000018f2f4c3c00', text('Date', '2024-04-30 13:57:56.352')],
    ['a Date that is null', simpleBase('Date'), '8000000000000000', null],
    ['an Instant', simpleBase('Instant'), '0000000000000001 00000005', text('Instant', '1970-01-01 00:00:01.000000005')],
    ['a LocalDateTime', simpleBase('LocalDateTime'), '000007e8 02 1d 17 3b 3a 00000000', text('LocalDateTime', '2024-02-29T23:59:58')],
    ['a LocalDate that is null', simpleBase('LocalDate'), '80000000 8000', null],
    ['a list', listOf(INT), '00000002 00000001 00000002', list(1, 2)],
    ['a null with padding', nullableOf(LONG, 8), '01 0000000000000000', null],
    ['a Row with kind and nulls', rowOf(LONG, STRING), '50 0000000000000007'.replace('50', '90'), record('Row -U', { f0: 7, f1: null })],
    ['an SQL string', { kind: 'simple', codec: 'org.apache.flink.table.runtime.typeutils.StringDataSerializer$StringDataSerializerSnapshot' }, '00000004 f09f9880', '😀'],
    ['an SQL decimal', { kind: 'sql', type: { root: 'DECIMAL', precision: 10, scale: 2, children: [] } }, '00000000000004d2', text('DECIMAL(10, 2)', '12.34')],
  ])('%s', (_, type, hex, value) => {
    expect(read(type, hex)).toEqual(value)
  })

  test('a POJO of a registered subclass, of an unknown one, and null', () => {
    const sub: TypeInfo = { kind: 'pojo', className: 'Sub', fields: [{ name: 'x', type: INT }], registered: [], subclasses: [] }
    const pojo: TypeInfo = { kind: 'pojo', className: 'Base', fields: [], registered: [{ className: 'Sub', type: sub }], subclasses: [{ className: 'Sub', type: sub }] }
    expect(read(pojo, '08 00 02 00 00000005')).toEqual(record('Sub', { x: 5 }))
    expect(read(pojo, '04 0003 537562 02 01')).toEqual(record('Sub', { x: null }))
    expect(read(pojo, '01')).toBeNull()
    expect(() => read(pojo, '04 0001 58')).toThrow(OpaqueValueError)
  })

  test('Avro by its schema: union, array, enum, string', () => {
    const schema = JSON.stringify({
      type: 'record', name: 'Order', namespace: 'x',
      fields: [{ name: 'id', type: 'long' }, { name: 'note', type: ['null', 'string'] }, { name: 'tags', type: { type: 'array', items: 'int' } }, { name: 'state', type: { type: 'enum', name: 'State', symbols: ['NEW', 'DONE'] } }],
    })
    const value = read({ kind: 'avro', className: 'x.Order', schema }, '0000000000000007 00000001 00000002 6869 02 00000001 00000002 00 00000001')
    expect(value).toEqual(record('Order', { id: 7, note: 'hi', tags: list(1, 2), state: text('State', 'DONE') }))
  })

  test('an Avro schema that refers to itself without end is refused', () => {
    const schema = JSON.stringify({ type: 'record', name: 'A', fields: [{ name: 'a', type: 'A' }] })
    expect(() => read({ kind: 'avro', className: 'A', schema }, '00')).toThrow(/nested too deeply/)
  })

  test('lists of things without bytes end at the budget', () => {
    expect(() => read(listOf(tupleOf()), '7fffffff', 1000)).toThrow(/more values than are decoded at once/)
  })
})

describe('binary rows of SQL', () => {
  const sql = (root: string, precision = 0, scale = 0, children: SqlType['children'] = []): SqlType => ({ root, precision, scale, children })
  const row = (hex: string, ...types: SqlType[]): ValueView => readBinaryRow(bytes(hex), types, [], new ValueBudget(1000))

  test('numbers and a null; the kind of row', () => {
    const value = row('03 02 000000000000'.replace('03 02', '0302') + '2a00000000000000' + '0000000000000000', sql('BIGINT'), sql('BIGINT'))
    expect(value).toEqual({ kind: 'record', type: 'ROW -D', fields: [{ name: 'f0', value: 42 }, { name: 'f1', value: null }] })
  })

  test('a short string stands in its field, a long one behind', () => {
    const short = '6869000000000082'
    const long = '09000000' + '18000000'
    const value = row('0000000000000000' + short + long + Buffer.from('123456789').toString('hex'), sql('VARCHAR'), sql('VARCHAR'))
    expect(value).toEqual(record('ROW', { f0: 'hi', f1: '123456789' }))
  })

  test('an array with a null, of four bytes each', () => {
    const array = '02000000' + '02000000' + '07000000' + '00000000'
    const value = row('0000000000000000' + '10000000' + '10000000' + array, sql('ARRAY', 0, 0, [{ name: 'element', type: sql('INTEGER') }]))
    expect(value).toEqual(record('ROW', { f0: list(7, null) }))
  })

  test('a timestamp of nanoseconds: offset and nanoseconds in the field, milliseconds behind', () => {
    const value = row('0000000000000000' + '05000000' + '10000000' + 'e803000000000000', sql('TIMESTAMP_WITHOUT_TIME_ZONE', 9))
    expect(value).toEqual(record('ROW', { f0: text('TIMESTAMP(9)', '1970-01-01 00:00:01.000000005') }))
  })

  test('an offset outside of the row is refused', () => {
    expect(() => row('0000000000000000' + '09000000' + 'ffffff00', sql('VARCHAR'))).toThrow(/does not fit/)
  })
})

test.each([[0, '1970-01-01'], [-1, '1969-12-31'], [19782, '2024-02-29'], [-719528, '0000-01-01'], [2932896, '9999-12-31']])('day %d is %s', (days, expected) => {
  expect(dateText(days)).toBe(expected)
})

test('a time before 1970 counts from its own midnight', () => {
  expect(timestampText(-1)).toBe('1969-12-31 23:59:59.999')
})
