/** Whatever goes into a channel's buffers comes out: any schema, any values, across buffers and dictionary epochs. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldType, Scalar, Schema, Value } from '../../../workers/model/schema.ts'
import type { DataBuffer } from '../../../workers/model/wire.ts'
import { BatchBuilder } from '../../../workers/network/batch-builder.ts'
import { BatchReader } from '../../../workers/network/batch-reader.ts'
import { batchLayout } from '../../../workers/network/record-batch.ts'
import { recordLength, WATERMARK_LENGTH } from '../../../workers/state/serializers/encoded-length.ts'
import { UNKNOWN_LINEAGE } from '../../../workers/network/transport-effects.ts'

const FIELD_TYPES: readonly FieldType[] = ['String', 'Int', 'Long', 'Double', 'Boolean']

const scalar = (type: FieldType): fc.Arbitrary<Scalar> => {
  switch (type) {
    case 'String':
      return fc.string({ unit: 'binary', maxLength: 12 })
    case 'Int':
      return fc.integer()
    case 'Long':
      return fc.maxSafeInteger()
    case 'Double':
      return fc.double()
    case 'Boolean':
      return fc.boolean()
  }
}

const schemas: fc.Arbitrary<Schema> = fc
  .record({ kind: fc.constantFrom('bare', 'tuple', 'row'), types: fc.array(fc.constantFrom(...FIELD_TYPES), { minLength: 1, maxLength: 6 }) })
  .map(({ kind, types }) => ({
    kind: kind as Schema['kind'],
    fields: (kind === 'bare' ? types.slice(0, 1) : types).map((type, i) => ({ name: `f${i}`, type })),
  }))

type Element = { readonly watermark: number } | { readonly value: Value; readonly timestamp: number }

const elements = (schema: Schema): fc.Arbitrary<Element[]> => {
  const fields = fc.tuple(...schema.fields.map((field) => scalar(field.type)))
  const value: fc.Arbitrary<Value> = schema.kind === 'bare' ? fields.map(([only]) => only as Scalar) : fields
  const timestamp = fc.oneof(fc.constant(NaN), fc.integer())
  return fc.array(
    fc.oneof({ weight: 9, arbitrary: fc.record({ value, timestamp }) }, { weight: 1, arbitrary: fc.record({ watermark: fc.integer() }) }),
    { maxLength: 60 },
  )
}

const streams = schemas.chain((schema) => fc.record({ schema: fc.constant(schema), stream: elements(schema), segmentBytes: fc.integer({ min: 16, max: 400 }) }))

describe('record batches', () => {
  it('gives back every record and watermark in order', () => {
    fc.assert(
      fc.property(streams, ({ schema, stream, segmentBytes }) => {
        expect(readAll(schema, segmentBytes, writeAll(schema, segmentBytes, stream))).toEqual(stream)
      }),
    )
  })

  it('counts the bytes of Flink’s encoding, and closes a buffer at the segment size', () => {
    fc.assert(
      fc.property(streams, ({ schema, stream, segmentBytes }) => {
        const buffers = writeAll(schema, segmentBytes, stream)
        const expected = stream.reduce(
          (sum, element) => sum + ('watermark' in element ? WATERMARK_LENGTH : recordLength(schema, element.value, !Number.isNaN(element.timestamp))),
          0,
        )
        expect(buffers.reduce((sum, buffer) => sum + buffer.bytes, 0)).toBe(expected)
        const layout = batchLayout(schema, segmentBytes)
        for (const buffer of buffers.slice(0, -1)) expect(buffer.bytes >= segmentBytes || buffer.count === layout.capacity).toBe(true)
      }),
    )
  })
})

function writeAll(schema: Schema, segmentBytes: number, stream: readonly Element[]): DataBuffer[] {
  const builder = new BatchBuilder(batchLayout(schema, segmentBytes), 4)
  const buffers: DataBuffer[] = []
  const seal = (): number => buffers.push(builder.seal(buffers.length + 1, 0, UNKNOWN_LINEAGE))
  for (const element of stream) {
    builder.open()
    if ('watermark' in element) builder.appendWatermark(element.watermark)
    else if (builder.append(element.value, element.timestamp, -1, -1)) seal()
  }
  if (!builder.isEmpty) seal()
  return buffers
}

function readAll(schema: Schema, segmentBytes: number, buffers: readonly DataBuffer[]): Element[] {
  const reader = new BatchReader(batchLayout(schema, segmentBytes))
  const stream: Element[] = []
  const takeWatermarks = (): void => {
    for (let watermark = reader.takeWatermark(); !Number.isNaN(watermark); watermark = reader.takeWatermark()) stream.push({ watermark })
  }
  for (const buffer of buffers) {
    reader.open(buffer)
    for (; reader.index < buffer.count; reader.index++) {
      takeWatermarks()
      stream.push({ value: reader.value(reader.index), timestamp: reader.timestamp(reader.index) })
    }
    takeWatermarks()
    reader.close()
  }
  return stream
}
