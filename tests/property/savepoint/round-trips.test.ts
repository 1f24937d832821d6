/** Random types, and random values of them: what is written by one side is read by the other. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ValueView } from '../../../workers/model/snapshot-view.ts'
import { canonicalFromHeap } from '../../../workers/savepoint/canonical-from-heap.ts'
import { readCanonicalGroup } from '../../../workers/savepoint/files/canonical-reader.ts'
import { writeStatesKeyedHeader } from '../../../workers/savepoint/files/state-header-writer.ts'
import { readKeyedHeader } from '../../../workers/savepoint/files/state-headers.ts'
import type { StateInfo } from '../../../workers/savepoint/files/state-headers.ts'
import { uncompressBlock } from '../../../workers/savepoint/files/snappy.ts'
import { dateText } from '../../../workers/savepoint/types/dates.ts'
import { declaredLength } from '../../../workers/savepoint/types/describe-type.ts'
import { readType } from '../../../workers/savepoint/types/read-type.ts'
import { readTypedValue } from '../../../workers/savepoint/types/read-value.ts'
import type { TypeInfo } from '../../../workers/savepoint/types/type-info.ts'
import { ValueBudget } from '../../../workers/savepoint/types/value-context.ts'
import { writeType } from '../../../workers/savepoint/types/write-type.ts'
import { DataInput } from '../../../workers/state/serializers/data-input.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { literalBlock } from '../../unit/savepoint/snappy-frames.ts'
import * as types from '../../unit/savepoint/value-types.ts'

const { BOOLEAN, DOUBLE, INT, LONG, STRING, WINDOW } = types

interface Typed {
  readonly type: TypeInfo
  readonly value: fc.Arbitrary<ValueView>
}

const longs = fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }))
const simples: readonly Typed[] = [
  { type: LONG, value: longs },
  { type: INT, value: fc.integer() },
  { type: STRING, value: fc.string({ unit: 'binary' }) },
  { type: BOOLEAN, value: fc.boolean() },
  { type: DOUBLE, value: fc.double() },
  { type: WINDOW, value: fc.tuple(fc.nat(), fc.nat()).map(([start, end]) => types.window(start, end)) },
]
const orNull = (value: fc.Arbitrary<ValueView>): fc.Arbitrary<ValueView> => fc.option(value, { nil: null })
const listFrom = (value: fc.Arbitrary<ValueView>): fc.Arbitrary<ValueView> => fc.array(value, { maxLength: 4 }).map((items) => types.list(...items))

/** A type up to three levels deep, with an arbitrary of its values. */
const typed: fc.Arbitrary<Typed> = fc.letrec<{ any: Typed }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...simples),
    tie('any').map(({ type, value }): Typed => ({ type: types.listOf(type), value: listFrom(value) })),
    tie('any').map(({ type, value }): Typed => ({ type: types.setOf(type), value: listFrom(orNull(value)) })),
    tie('any').map(({ type, value }): Typed => ({ type: types.arrayOf(type), value: listFrom(orNull(value)) })),
    tie('any').map(({ type, value }): Typed => ({ type: types.nullableOf(type, Math.max(0, declaredLength(type))), value: orNull(value) })),
    tie('any').map(({ type, value }): Typed => ({ type: types.ttlOf(type), value: value.map((one) => types.record('TTL', { lastAccess: 5, value: one })) })),
    fc.tuple(tie('any'), tie('any')).map(([a, b]): Typed => ({ type: types.mapOf(a.type, b.type), value: fc.array(fc.tuple(a.value, orNull(b.value)), { maxLength: 3 }).map((entries) => types.map(...entries)) })),
    fc.tuple(tie('any'), tie('any')).map(([a, b]): Typed => ({ type: types.tupleOf(a.type, b.type), value: fc.tuple(a.value, b.value).map(([f0, f1]) => types.record('Tuple2', { f0, f1 })) })),
    fc.tuple(tie('any'), tie('any')).map(([a, b]): Typed => ({ type: types.rowOf(a.type, b.type), value: fc.tuple(orNull(a.value), orNull(b.value)).map(([f0, f1]) => types.record('Row', { f0, f1 })) })),
    fc.tuple(tie('any'), tie('any')).map(([a, b]): Typed => ({ type: types.pojoOf('x.Pojo', { a: a.type, b: b.type }), value: orNull(fc.tuple(orNull(a.value), orNull(b.value)).map(([one, two]) => types.record('x.Pojo', { a: one, b: two }))) })),
    fc.tuple(tie('any'), tie('any')).map(([a, b]): Typed => ({
      type: types.eitherOf(a.type, b.type),
      value: fc.oneof(a.value.map((left) => types.record('Either', { left })), b.value.map((right) => types.record('Either', { right }))),
    })),
  ),
})).any

const typeAndValue = typed.chain(({ type, value }) => value.map((one) => ({ type, value: one })))
const budget = (): ValueBudget => new ValueBudget(10_000_000)

describe('types and values', () => {
  test('a snapshot is read as written, to its end', () => {
    fc.assert(
      fc.property(typed, ({ type }) => {
        const out = new DataOutput()
        writeType(out, type)
        const input = new DataInput(out.toBytes())
        expect(readType(input)).toEqual(type)
        expect(input.remaining).toBe(0)
      }),
    )
  })

  test('a value is read as written, to its end; a declared length is its length', () => {
    fc.assert(
      fc.property(typeAndValue, ({ type, value }) => {
        const bytes = types.encode(type, value)
        const input = new DataInput(bytes)
        expect(readTypedValue(input, type, budget())).toEqual(value)
        expect(input.remaining).toBe(0)
        const length = declaredLength(type)
        if (length >= 0) expect(bytes.length).toBe(length)
      }),
    )
  })
})

describe('canonical files', () => {
  const keyAndStates = fc.record({ key: typeAndValue, namespace: typeAndValue, value: typeAndValue, list: typed.chain(({ type, value }) => listFrom(value).map((one) => ({ type, value: one }))), map: fc.tuple(typed, typed).chain(([a, b]) => fc.tuple(a.value, orNull(b.value)).map(([mapKey, one]) => ({ key: a.type, value: b.type, mapKey, one }))) })

  test.each([[128, 1], [200, 2]])('a heap file of max parallelism %d becomes a canonical one of the same contents', (maxParallelism) => {
    fc.assert(
      fc.property(keyAndStates, ({ key, namespace, value, list, map }) => {
        const states: StateInfo[] = [
          { name: 'v', kind: 'keyed', type: 'VALUE', key: null, namespace: namespace.type, value: value.type },
          { name: 'l', kind: 'keyed', type: 'LIST', key: null, namespace: namespace.type, value: types.listOf(list.type) },
          { name: 'm', kind: 'keyed', type: 'MAP', key: null, namespace: namespace.type, value: types.mapOf(map.key, map.value) },
        ]
        const values = [value.value, list.value, types.map([map.mapKey, map.one])]
        const out = new DataOutput()
        writeStatesKeyedHeader(out, key.type, states)
        const offset = out.position
        out.writeInt(100)
        states.forEach((state, id) => {
          out.writeShort(id)
          out.writeInt(1)
          for (const [type, one] of [[namespace.type, namespace.value], [key.type, key.value], [state.value!, values[id]!]] as const) out.writeBytes(types.encode(type, one))
        })
        const canonical = canonicalFromHeap(out.toBytes(), { range: { start: 100, end: 100 }, offsets: [offset] }, maxParallelism)
        const header = readKeyedHeader(new DataInput(canonical.bytes))
        const found: unknown[] = []
        readCanonicalGroup(canonical.bytes.subarray(canonical.offsets[0]), header, 100, maxParallelism, budget(), (entry) => found.push(entry))
        const common = { keyGroup: 100, key: key.value, namespace: namespace.value, isOpaque: false }
        expect(found).toEqual([{ ...common, state: 0, value: value.value }, { ...common, state: 1, value: list.value }, { ...common, state: 2, mapKey: map.mapKey, value: map.one }])
      }),
      { numRuns: 60 },
    )
  })
})

test('a Snappy block of literals goes around', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(uncompressBlock(literalBlock(bytes), 1000)).toEqual(bytes)
    }),
  )
})

test('a day is what the platform says', () => {
  fc.assert(
    fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
      expect(dateText(day)).toBe(new Date(day * 86_400_000).toISOString().slice(0, 10))
    }),
  )
})
