import { describe, expect, it } from 'vitest'
import { putAscii } from '../../../workers/hosts/browser/put-ascii.ts'
import { bringPutAscii, putString } from '../../../workers/state/serializers/put.ts'
import { encodedStringLength } from '../../../workers/state/serializers/encoded-length.ts'

const TEXTS = [
  'x'.repeat(95),
  'x'.repeat(96),
  '\u0000'.repeat(200),
  `${'x'.repeat(300)}ß`,
  `ß${'x'.repeat(300)}`,
  `${'x'.repeat(150)}\u007f${'y'.repeat(150)}`,
  `${'x'.repeat(150)}\u0080${'y'.repeat(150)}`,
  '😀'.repeat(60),
  '\ud800'.repeat(120),
  '✓'.repeat(40_000),
]

const written = (text: string): number[] => {
  const length = encodedStringLength(text)
  const bytes = new Uint8Array(length + 4).fill(0xaa)
  expect(putString(bytes, 2, text)).toBe(2 + length)
  return [...bytes]
}

describe('long texts', () => {
  it('have the same bytes by the platform’s way as without it, in as many bytes as was said', () => {
    const without = TEXTS.map(written)
    bringPutAscii(putAscii)
    expect(TEXTS.map(written)).toEqual(without)
  })

  it('of ASCII alone are all that the platform’s way takes', () => {
    const takes = (text: string): boolean => putAscii(text, new Uint8Array(text.length))
    expect(TEXTS.filter(takes)).toEqual(TEXTS.filter((text) => text.split('').every((c) => c <= '\u007f')))
  })
})
