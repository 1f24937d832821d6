import { describe, expect, test } from 'vitest'
import { readKeyedHeader, readOperatorHeader } from '../../../workers/savepoint/files/state-headers.ts'
import { writeStatesKeyedHeader, writeStatesOperatorHeader } from '../../../workers/savepoint/files/state-header-writer.ts'
import { declaredLength, describeType } from '../../../workers/savepoint/types/describe-type.ts'
import { itemsOf, readJavaStream } from '../../../workers/savepoint/types/java-object-reader.ts'
import { readType } from '../../../workers/savepoint/types/read-type.ts'
import { isSnapshotKnown } from '../../../workers/savepoint/types/type-info.ts'
import type { TypeInfo } from '../../../workers/savepoint/types/type-info.ts'
import { writeType } from '../../../workers/savepoint/types/write-type.ts'
import { DataInput } from '../../../workers/state/serializers/data-input.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { arrayListOf, logicalType } from './java-bytes.ts'
import { arrayOf, eitherOf, enumOf, INT, listOf, LONG, mapOf, nullableOf, pojoOf, rowOf, setOf, STRING, timerOf, ttlOf, tupleOf, VOID, WINDOW } from './value-types.ts'

const written = (type: TypeInfo): DataInput => {
  const out = new DataOutput()
  writeType(out, type)
  return new DataInput(out.toBytes())
}

describe('serializer snapshots', () => {
  test.each<[string, TypeInfo, number]>([
    ['Long', LONG, 8],
    ['VoidNamespace', VOID, 0],
    ['TimeWindow', WINDOW, 16],
    ['List<String>', listOf(STRING), -1],
    ['Set<Long>', setOf(LONG), -1],
    ['Map<String, List<Long>>', mapOf(STRING, listOf(LONG)), -1],
    ['String[]', arrayOf(STRING), -1],
    ['Tuple2<Int, Long>', tupleOf(INT, LONG), 12],
    ['Tuple2<Int, String>', tupleOf(INT, STRING), -1],
    ['Row<Int, String>', rowOf(INT, STRING), -1],
    ['Nullable<Long>', nullableOf(LONG, 8), 9],
    ['Either<String, Long>', eitherOf(STRING, LONG), -1],
    ['TTL<Long>', ttlOf(LONG), 16],
    ['Timer<Long, TimeWindow>', timerOf(LONG, WINDOW), 32],
    ['Colour', enumOf('org.example.Colour', 'RED', 'BLUE'), 4],
    ['Order', pojoOf('org.example.Order', { amount: LONG, inner: pojoOf('org.example.Inner', { x: STRING }) }), -1],
  ])('%s is read as written, to its end', (words, type, length) => {
    const input = written(type)
    expect(readType(input)).toEqual(type)
    expect(input.remaining).toBe(0)
    expect(describeType(type)).toBe(words)
    expect(declaredLength(type)).toBe(length)
  })

  test('a simple one of Flink 1.7 names its serializer', () => {
    const out = new DataOutput()
    out.writeUTF((LONG as Extract<TypeInfo, { kind: 'simple' }>).codec)
    out.writeInt(2)
    out.writeUTF('org.apache.flink.api.common.typeutils.base.LongSerializer')
    const input = new DataInput(out.toBytes())
    expect(readType(input)).toEqual(LONG)
    expect(input.remaining).toBe(0)
  })

  test('Kryo is passed over by its frames, so that what follows can be read', () => {
    const out = new DataOutput()
    out.writeUTF('org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializerSnapshot')
    out.writeInt(2)
    out.writeUTF('org.example.Thing')
    for (let n = 0; n < 3; n++) {
      out.writeLong(0x4f2c69a3d70)
      out.writeInt(1)
      out.writeUTF('a')
      out.writeBoolean(true)
      out.writeBlob(Uint8Array.of(1, 2, 3))
      out.writeBoolean(false)
    }
    const input = new DataInput(out.toBytes())
    const type = readType(input)
    expect([describeType(type), isSnapshotKnown(type), input.remaining]).toEqual(['org.example.Thing (Kryo)', true, 0])
  })

  test('an unknown field of a POJO harms no other field', () => {
    const bytes = written(pojoOf('org.example.Order', { a: LONG, b: STRING })).bytes
    const name = 'LongSerializer$LongSerializerSnapshot'
    const at = Buffer.from(bytes).indexOf(name)
    bytes[at] = 'X'.charCodeAt(0)
    const input = new DataInput(bytes)
    const type = readType(input) as Extract<TypeInfo, { kind: 'pojo' }>
    expect(input.remaining).toBe(0)
    expect(type.fields.map((field) => field.type.kind)).toEqual(['opaque', 'simple'])
  })

  test('an unknown class makes an opaque type of that name, in whatever it is nested', () => {
    const bytes = written(listOf(STRING)).bytes
    bytes[Buffer.from(bytes).indexOf('StringSerializer$')] = 'X'.charCodeAt(0)
    const type = readType(new DataInput(bytes))
    expect(isSnapshotKnown(type)).toBe(false)
    expect(describeType(type)).toContain('XtringSerializer$StringSerializerSnapshot')
  })

  test('nested without end is refused', () => {
    let type = LONG
    for (let n = 0; n < 40; n++) type = listOf(type)
    expect(() => readType(written(type))).toThrow(/nested too deeply/)
  })

  test('RowData holds its types as Java objects', () => {
    const out = new DataOutput()
    out.writeUTF('org.apache.flink.table.runtime.typeutils.RowDataSerializer$RowDataSerializerSnapshot')
    out.writeInt(3)
    out.writeInt(3)
    out.writeBytes(logicalType('BigIntType', 'BIGINT'))
    out.writeBytes(logicalType('VarCharType', 'VARCHAR', { length: 2147483647 }))
    out.writeBytes(logicalType('DecimalType', 'DECIMAL', { precision: 10, scale: 2 }))
    out.writeInt(1333245)
    out.writeInt(1)
    out.writeInt(1)
    writeType(out, LONG)
    const input = new DataInput(out.toBytes())
    expect(describeType(readType(input))).toBe('ROW<BIGINT, STRING, DECIMAL(10, 2)>')
    expect(input.remaining).toBe(0)
  })

  test('a Java list gives its items', () => {
    expect(itemsOf(readJavaStream(new DataInput(arrayListOf(['a', 'b']))))).toEqual(['a', 'b'])
  })
})

describe('an unknown serializer in a header', () => {
  const unknown = (bytes: Uint8Array, which: string): Uint8Array => {
    bytes[Buffer.from(bytes).indexOf(which)] = 'X'.charCodeAt(0)
    return bytes
  }

  test('the states behind it are found', () => {
    const out = new DataOutput()
    const state = (name: string, value: TypeInfo) => ({ name, kind: 'keyed' as const, type: 'VALUE', key: null, namespace: VOID, value })
    writeStatesKeyedHeader(out, STRING, [state('first', LONG), state('second', INT), state('third', listOf(LONG))])
    const header = readKeyedHeader(new DataInput(unknown(out.toBytes(), 'IntSerializer$')))
    expect(header.states.map(({ name, value, namespace }) => [name, describeType(value!).slice(-40), describeType(namespace!)])).toEqual([
      ['first', 'Long', 'VoidNamespace'],
      ['second', 'utils.base.XntSerializer$IntSerializerSnapshot'.slice(-40), 'VoidNamespace'],
      ['third', 'List<Long>', 'VoidNamespace'],
    ])
    expect(header.problems).toHaveLength(1)
  })

  test('an unknown key hides no state', () => {
    const out = new DataOutput()
    writeStatesKeyedHeader(out, STRING, [{ name: 'count', kind: 'keyed', type: 'VALUE', key: null, namespace: VOID, value: LONG }])
    const header = readKeyedHeader(new DataInput(unknown(out.toBytes(), 'StringSerializer$')))
    expect(header.states.map((state) => state.name)).toEqual(['count'])
  })

  test('broadcast states behind unknown list states are found', () => {
    const out = new DataOutput()
    writeStatesOperatorHeader(out, [
      { name: 'list', kind: 'list', type: 'UNION', key: null, namespace: null, value: INT },
      { name: 'rules', kind: 'broadcast', type: 'BROADCAST', key: STRING, namespace: null, value: LONG },
    ], 6)
    const header = readOperatorHeader(new DataInput(unknown(out.toBytes(), 'IntSerializer$')))
    expect(header.states.map((state) => [state.name, state.kind])).toEqual([['list', 'list'], ['rules', 'broadcast']])
  })

  test('the last state of all: where the header ends is not known, and that is said', () => {
    const out = new DataOutput()
    writeStatesKeyedHeader(out, STRING, [{ name: 'count', kind: 'keyed', type: 'VALUE', key: null, namespace: null, value: INT }])
    expect(readKeyedHeader(new DataInput(unknown(out.toBytes(), 'IntSerializer$'))).end).toBeNull()
  })

  test.each([1, 5, 7])('a keyed file of version %d is refused by its number', (version) => {
    const out = new DataOutput()
    out.writeInt(version)
    expect(() => readKeyedHeader(new DataInput(out.toBytes()))).toThrow(`a keyed file of version ${version}`)
  })
})
