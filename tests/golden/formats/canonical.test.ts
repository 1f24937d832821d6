/** The canonical layout, byte for byte. A file with these very bytes was restored by Flink's own classes (2.1). */
import { expect, test } from 'vitest'
import { compositeKey } from '../../../workers/savepoint/files/canonical-writer.ts'
import { canonicalExample, KEY_GROUP } from '../../unit/savepoint/canonical-example.ts'
import { encode, STRING } from '../../unit/savepoint/value-types.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const plain = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase()

const BLOCK = `
00 00
00 00 00 08  A3 06 68 65 6C 6C 6F 00
00 00 00 08  00 00 00 00 00 00 00 05
00 01
00 00 00 08  A3 06 68 65 6C 6C 6F 00
00 00 00 0D  09 65 31 2D 68 65 6C 6C 6F 2C 03 65 32
00 02
00 00 00 0A  23 06 68 65 6C 6C 6F 00 02 78
00 00 00 09  00 00 00 00 00 00 00 00 01
00 00 00 0A  23 06 68 65 6C 6C 6F 00 02 79
00 00 00 09  00 FF FF FF FF FF FF FF FF
00 00 00 0C  A3 06 68 65 6C 6C 6F 00 04 6E 75 6C
00 00 00 01  01
00 03
00 00 00 10  A3 80 00 00 00 00 00 03 ED 06 68 65 6C 6C 6F 00
00 00 00 00
FF FF`

test('a key group with value, list, map and timer', () => {
  const { bytes, offsets, headerLength } = canonicalExample()
  expect(hex(bytes.subarray(headerLength))).toBe(plain(BLOCK))
  expect(offsets[KEY_GROUP]).toBe(headerLength)
  expect(offsets.filter((offset) => offset !== 0)).toHaveLength(1)
})

test('key and namespace of variable length are followed by their lengths', () => {
  const key = compositeKey(encode(STRING, 'hello'), encode(STRING, 'ns-hello'), true, null)
  expect(hex(key)).toBe(plain('06 68 65 6C 6C 6F | 06 | 09 6E 73 2D 68 65 6C 6C 6F | 09'.replaceAll('|', '')))
})

test('a length of more than 255 takes two bytes, low byte first', () => {
  const key = compositeKey(new Uint8Array(300), new Uint8Array(0), true, null)
  expect(hex(key.subarray(300))).toBe('2c0100')
})
