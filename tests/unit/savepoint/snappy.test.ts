import { describe, expect, test } from 'vitest'
import { uncompressBlock, uncompressStream } from '../../../workers/savepoint/files/snappy.ts'
import { chunk, literalBlock, snappyStream, STREAM_IDENTIFIER } from './snappy-frames.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const ascii = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'latin1'))

describe('raw blocks', () => {
  test.each([
    ['a copy of one byte of offset, overlapping itself', [12, 0x08, 97, 98, 99, 0x15, 3], 'abcabcabcabc'],
    ['a copy of two bytes of offset', [8, 0x0c, 97, 98, 99, 100, 0x0e, 4, 0], 'abcdabcd'],
    ['a copy of four bytes of offset', [8, 0x0c, 97, 98, 99, 100, 0x0f, 4, 0, 0, 0], 'abcdabcd'],
    ['nothing', [0], ''],
  ])('%s', (_, bytes, expected) => {
    expect(text(uncompressBlock(Uint8Array.from(bytes), 100))).toBe(expected)
  })

  test('a literal with two bytes of length', () => {
    const body = new Uint8Array(300).fill(7)
    expect(uncompressBlock(Uint8Array.of(0xac, 0x02, 61 << 2, 0x2b, 0x01, ...body), 1000)).toEqual(body)
  })

  test.each([
    ['copies from before its start', [4, 0x00, 97, 0x01, 9]],
    ['is longer than it says', [2, 0x08, 97, 98, 99]],
    ['is shorter than it says', [5, 0x08, 97, 98, 99]],
    ['ends in a literal', [3, 0x08, 97]],
    ['copies from nowhere', [8, 0x00, 97, 0x01, 0]],
    ['has no length', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ])('a block that %s is refused', (_, bytes) => {
    expect(() => uncompressBlock(Uint8Array.from(bytes), 100)).toThrow(/Snappy block/)
  })

  test('what says it is too large is refused before anything is made', () => {
    expect(() => uncompressBlock(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f), 65536)).toThrow(/more than 65536/)
  })
})

describe('streams', () => {
  test('chunks, plain ones and padding', () => {
    const padding = Uint8Array.of(0xfe, 2, 0, 0, 9, 9)
    const stream = Uint8Array.of(...snappyStream(ascii('hello ')), ...padding, ...chunk(1, ascii('world')))
    expect(uncompressStream(stream, 0, 1000)).toEqual({ bytes: ascii('hello world'), end: stream.length, isCut: false })
  })

  test('ends where the next stream begins', () => {
    const one = snappyStream(ascii('one'))
    const both = Uint8Array.of(...one, ...snappyStream(ascii('two')))
    expect(uncompressStream(both, 0, 1000)).toMatchObject({ bytes: ascii('one'), end: one.length })
    expect(text(uncompressStream(both, one.length, 1000).bytes)).toBe('two')
  })

  test('may begin at a chunk without an identifier', () => {
    expect(text(uncompressStream(chunk(0, ascii('x')), 0, 10).bytes)).toBe('x')
  })

  test('cut in a chunk, it gives what is before', () => {
    const stream = Uint8Array.of(...STREAM_IDENTIFIER, ...chunk(0, ascii('one')), ...chunk(0, ascii('two')))
    expect(uncompressStream(stream.subarray(0, stream.length - 1), 0, 1000)).toMatchObject({ bytes: ascii('one'), isCut: true })
  })

  test('an unknown chunk is refused', () => {
    expect(() => uncompressStream(Uint8Array.of(2, 0, 0, 0), 0, 10)).toThrow(/expected a Snappy chunk/)
  })

  test('a literal block of any length goes around', () => {
    const body = Uint8Array.from({ length: 1000 }, (_, i) => i & 0xff)
    expect(uncompressBlock(literalBlock(body), 1000)).toEqual(body)
  })
})
