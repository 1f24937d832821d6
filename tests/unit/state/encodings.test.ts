import { describe, expect, test } from 'vitest'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import { DataInput } from '../../../workers/state/serializers/data-input.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { encodedStringLength, recordLength, WATERMARK_LENGTH } from '../../../workers/state/serializers/encoded-length.ts'
import { FormatError } from '../../../workers/state/serializers/format-error.ts'
import { readSerializerEntry, schemaSerializer, writeSerializerEntry } from '../../../workers/state/serializers/serializer-snapshot.ts'
import { readStreamElement, writeRecord, writeWatermark } from '../../../workers/state/serializers/stream-element-serializer.ts'
import { UnsafeLongError } from '../../../workers/state/serializers/unsafe-long.ts'
import { utf8Encode } from '../../../workers/state/serializers/utf8.ts'
import { readInspected, readValue, writeValue } from '../../../workers/state/serializers/value-serializer.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').replace(/(..)(?=.)/g, '$1 ')
const unhex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const written = (write: (out: DataOutput) => void): string => {
  const out = new DataOutput()
  write(out)
  return hex(out.toBytes())
}
const encoded = (schema: Schema, value: Value): string => written((out) => writeValue(out, schema, value))

const row: Schema = { kind: 'row', fields: [{ name: 'a', type: 'String' }, { name: 'b', type: 'Long' }] }
const tuple: Schema = { kind: 'tuple', fields: [{ name: 'f0', type: 'String' }, { name: 'f1', type: 'Int' }] }

describe('values are encoded as Flink encodes them', () => {
  test.each<[string, Schema, Value, string]>([
    ['String: length + 1, then code units', bare('String'), 'hello', '06 68 65 6c 6c 6f'],
    ['String: empty', bare('String'), '', '01'],
    ['String: a code unit above 127 takes two bytes, low bits first', bare('String'), 'ü', '02 fc 01'],
    ['String: a surrogate takes three bytes', bare('String'), '😀', '03 bd b0 03 80 bc 03'],
    ['Int', bare('Int'), -2, 'ff ff ff fe'],
    ['Long', bare('Long'), 5, '00 00 00 00 00 00 00 05'],
    ['Long: negative', bare('Long'), -1, 'ff ff ff ff ff ff ff ff'],
    ['Long: the largest exact one', bare('Long'), Number.MAX_SAFE_INTEGER, '00 1f ff ff ff ff ff ff'],
    ['Long: the smallest exact one', bare('Long'), Number.MIN_SAFE_INTEGER, 'ff e0 00 00 00 00 00 01'],
    ['Double', bare('Double'), 1.5, '3f f8 00 00 00 00 00 00'],
    ['Double: NaN in Java’s form', bare('Double'), Number.NaN, '7f f8 00 00 00 00 00 00'],
    ['Boolean', bare('Boolean'), true, '01'],
    ['Tuple: fields one after the other', tuple, ['a', 7], '02 61 00 00 00 07'],
    ['Row: a byte for kind and nulls, then the fields', row, ['a', 7], '00 02 61 00 00 00 00 00 00 00 07'],
  ])('%s', (_, schema, value, bytes) => {
    expect(encoded(schema, value)).toBe(bytes)
    const input = new DataInput(unhex(bytes))
    expect(readValue(input, schema)).toEqual(value)
    expect(input.remaining).toBe(0)
  })

  test('a row of seven fields has a mask of two bytes', () => {
    const seven: Schema = { kind: 'row', fields: Array.from({ length: 7 }, (_, i) => ({ name: `f${i}`, type: 'Boolean' as const })) }
    expect(encoded(seven, Array<boolean>(7).fill(false))).toBe('00 00 00 00 00 00 00 00 00')
  })

  test('a string of more characters than a call has arguments survives', () => {
    const text = 'aé😀'.repeat(5000)
    const out = new DataOutput()
    out.writeString(text)
    expect(new DataInput(out.toBytes()).readString()).toBe(text)
  })

  test('names are modified UTF-8: zero is two bytes, an emoji its two surrogates', () => {
    expect(written((out) => out.writeUTF('\u0000a😀'))).toBe('00 09 c0 80 61 ed a0 bd ed b8 80')
    expect(new DataInput(unhex('00 09 c0 80 61 ed a0 bd ed b8 80')).readUTF()).toBe('\u0000a😀')
  })

  test('standard UTF-8 agrees with the platform', () => {
    for (const text of ['', 'abc', 'grüße-✓-😀', '\ud800x', '\u0000']) expect(utf8Encode(text)).toEqual(new TextEncoder().encode(text))
  })
})

describe('a Long beyond 2^53 is refused, never rounded', () => {
  test('when it is written', () => {
    expect(() => encoded(bare('Long'), 2 ** 53)).toThrow(UnsafeLongError)
    expect(() => encoded(bare('Long'), 1.5)).toThrow(UnsafeLongError)
  })

  test('when an operator reads it; the error names the exact value', () => {
    const bytes = unhex('00 20 00 00 00 00 00 01')
    expect(() => readValue(new DataInput(bytes), bare('Long'))).toThrow(/9007199254740993/)
  })

  test('inspection reads it as bigint', () => {
    expect(readInspected(new DataInput(unhex('00 20 00 00 00 00 00 01')), bare('Long'))).toBe(9007199254740993n)
    expect(readInspected(new DataInput(unhex('80 00 00 00 00 00 00 00')), bare('Long'))).toBe(-(2n ** 63n))
    expect(readInspected(new DataInput(unhex('00 00 00 00 00 00 00 05')), bare('Long'))).toBe(5)
  })

  test('an Int does not wrap', () => expect(() => encoded(bare('Int'), 2 ** 31)).toThrow(/not an Int/))
})

describe('malformed input names offset and expectation', () => {
  test.each<[string, Schema, RegExp]>([
    ['00 00 00', bare('Int'), /offset 0: expected an Int \(4 bytes\), the data ends after 3 bytes/],
    ['00', bare('String'), /offset 0: expected a String, found null/],
    ['ff ff ff ff 0f', bare('String'), /offset 0: expected a String, found one of \d+ characters, with 0 bytes left/],
    ['ff ff ff ff ff ff', bare('String'), /an integer of more than five bytes/],
    ['02', bare('Boolean'), /offset 0: expected a Boolean \(0 or 1\), found 2/],
    ['20 02 61', row, /offset 0: expected a Row without nulls, field 0 is null/],
  ])('%s', (bytes, schema, message) => {
    expect(() => readValue(new DataInput(unhex(bytes)), schema)).toThrow(FormatError)
    expect(() => readValue(new DataInput(unhex(bytes)), schema)).toThrow(message)
  })

  test('a count that cannot be there is refused before anything is allocated', () => {
    expect(() => new DataInput(unhex('7f ff ff ff 00')).readBlob()).toThrow(/found 2147483647, with 1 bytes left/)
  })
})

describe('lengths are those of the encoding', () => {
  const samples: [Schema, Value][] = [
    [bare('String'), ''],
    [bare('String'), 'ü'.repeat(127) + '✓😀'],
    [bare('Long'), 3],
    [tuple, ['x'.repeat(127), 1]],
    [row, ['grüße', -1]],
  ]
  test.each(samples)('%j %j', (schema, value) => {
    for (const timestamp of [null, 17]) {
      const out = new DataOutput()
      writeRecord(out, schema, value, timestamp)
      expect(recordLength(schema, value, timestamp !== null)).toBe(4 + out.position)
    }
  })

  test('a string of 16,383 characters has a length of three bytes', () => expect(encodedStringLength('a'.repeat(16_383))).toBe(16_383 + 3))
})

describe('stream elements', () => {
  test('a record with timestamp, one without, a watermark', () => {
    expect(written((out) => writeRecord(out, bare('Int'), 1, 2))).toBe('00 00 00 00 00 00 00 00 02 00 00 00 01')
    expect(written((out) => writeRecord(out, bare('Int'), 1, null))).toBe('01 00 00 00 01')
    expect(written((out) => writeWatermark(out, 3))).toBe('02 00 00 00 00 00 00 00 03')
  })

  test('±Infinity is Long.MIN_VALUE and Long.MAX_VALUE in bytes', () => {
    expect(written((out) => writeWatermark(out, Infinity))).toBe('02 7f ff ff ff ff ff ff ff')
    expect(written((out) => writeWatermark(out, -Infinity))).toBe('02 80 00 00 00 00 00 00 00')
    expect(readStreamElement(new DataInput(unhex('02 7f ff ff ff ff ff ff ff')), bare('Int'))).toEqual({ kind: 'watermark', timestamp: Infinity })
  })

  test('a watermark has 13 bytes on the wire', () => expect(WATERMARK_LENGTH).toBe(13))

  test('another tag is refused', () => expect(() => readStreamElement(new DataInput(unhex('03')), bare('Int'))).toThrow(/found 3/))
})

describe('serializer snapshots', () => {
  test('a tuple of a Long is what Flink 1.16 wrote', () => {
    const out = new DataOutput()
    writeSerializerEntry(out, schemaSerializer({ kind: 'tuple', fields: [{ name: 'x', type: 'Long' }] }))
    const text = Buffer.from(out.toBytes()).toString('latin1')
    expect(text).toContain('TupleSerializerSnapshot\u0000\u0000\u0000\u0003\u0000\r\u00e7\u0004\u0000\u0000\u0000\u0002\u0000&org.apache.flink.api.java.tuple.Tuple1\u0000\u0014W\u00fd')
    expect(text.endsWith('LongSerializer$LongSerializerSnapshot\u0000\u0000\u0000\u0003')).toBe(true)
  })

  test('what was written is read, with Flink’s names for the fields', () => {
    const out = new DataOutput()
    writeSerializerEntry(out, schemaSerializer(row))
    expect(readSerializerEntry(new DataInput(out.toBytes()))).toEqual(
      schemaSerializer({ kind: 'row', fields: [{ name: 'f0', type: 'String' }, { name: 'f1', type: 'Long' }] }),
    )
  })

  test('an unknown serializer is named', () => {
    const out = new DataOutput()
    out.writeInt(2)
    out.writeUTF('com.example.MySerializerSnapshot')
    out.writeInt(1)
    expect(() => readSerializerEntry(new DataInput(out.toBytes()))).toThrow(/offset 4: the serializer com\.example\.MySerializerSnapshot is not known/)
  })
})
