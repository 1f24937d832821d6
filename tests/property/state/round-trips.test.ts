import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FieldType, Scalar, Schema, Value } from '../../../workers/model/schema.ts'
import { DataInput } from '../../../workers/state/serializers/data-input.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { encodedValueLength, fixedLength, encodedStringLength } from '../../../workers/state/serializers/encoded-length.ts'
import { FormatError } from '../../../workers/state/serializers/format-error.ts'
import { UnsafeLongError } from '../../../workers/state/serializers/unsafe-long.ts'
import { ValueEncoder } from '../../../workers/state/serializers/value-encoder.ts'
import { readValue, writeValue } from '../../../workers/state/serializers/value-serializer.ts'

const scalarOf: Record<FieldType, fc.Arbitrary<Scalar>> = {
  String: fc.string({ unit: fc.oneof(fc.constantFrom('a', '\u0000', 'ß', '✓', '😀', '\ud800'), fc.string({ minLength: 1, maxLength: 1 })) }),
  Int: fc.integer(),
  Long: fc.maxSafeInteger(),
  Double: fc.double().map((n) => (Object.is(n, -0) ? 0 : n)),
  Boolean: fc.boolean(),
}

const typed: fc.Arbitrary<{ schema: Schema; value: Value }> = fc
  .tuple(fc.constantFrom('bare' as const, 'tuple' as const, 'row' as const), fc.array(fc.constantFrom<FieldType>('String', 'Int', 'Long', 'Double', 'Boolean'), { minLength: 1, maxLength: 12 }))
  .chain(([kind, types]) => {
    const fields = (kind === 'bare' ? types.slice(0, 1) : types).map((type, i) => ({ name: `f${i}`, type }))
    const values = fc.tuple(...fields.map(({ type }) => scalarOf[type]))
    return values.map((all) => ({ schema: { kind, fields }, value: kind === 'bare' ? (all[0] as Scalar) : (all as Scalar[]) }))
  })

test('a value that was written is read back, and took as many bytes as its length says', () => {
  fc.assert(
    fc.property(typed, ({ schema, value }) => {
      const out = new DataOutput(1)
      writeValue(out, schema, value)
      const bytes = out.toBytes()
      const input = new DataInput(bytes)
      expect(readValue(input, schema)).toEqual(value)
      expect(input.remaining).toBe(0)
      expect(encodedValueLength(schema, value)).toBe(bytes.length)
      const scalars = (typeof value === 'object' ? value : [value]) as readonly Scalar[]
      const strings = scalars.filter((_, i) => schema.fields[i]!.type === 'String') as string[]
      expect(fixedLength(schema) + strings.reduce((sum, text) => sum + encodedStringLength(text), 0)).toBe(bytes.length)
    }),
    { numRuns: 500 },
  )
})

test('the encoder of a schema writes the same bytes as the general writer, as many as it said, and nothing beyond', () => {
  fc.assert(
    fc.property(typed, ({ schema, value }) => {
      const out = new DataOutput(1)
      writeValue(out, schema, value)
      const encoder = new ValueEncoder(schema)
      const length = encoder.length(value)
      const bytes = new Uint8Array(length + 4).fill(0xaa)
      expect(encoder.put(bytes, 2, value)).toBe(2 + length)
      expect([...bytes]).toEqual([0xaa, 0xaa, ...out.toBytes(), 0xaa, 0xaa])
      expect(encoder.isFixed).toBe(schema.fields.every(({ type }) => type !== 'String'))
    }),
    { numRuns: 500 },
  )
})

test('names survive modified UTF-8', () => {
  fc.assert(
    fc.property(scalarOf.String, (text) => {
      const out = new DataOutput()
      out.writeUTF(text as string)
      expect(new DataInput(out.toBytes()).readUTF()).toBe(text)
    }),
  )
})

test('any bytes are read as a value or refused with a format error, never anything else', () => {
  fc.assert(
    fc.property(typed, fc.uint8Array({ maxLength: 60 }), ({ schema }, bytes) => {
      try {
        readValue(new DataInput(bytes), schema)
      } catch (error) {
        expect(error instanceof FormatError || error instanceof UnsafeLongError).toBe(true)
      }
    }),
    { numRuns: 1000 },
  )
})
