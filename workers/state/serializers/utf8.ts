/**
 * UTF-8, and the modified UTF-8 of Java's DataOutput.writeUTF (U+0000 is two bytes, a character outside the BMP is its two surrogates of
 * three bytes each). Own code because the pure layers have no TextEncoder, and because TextDecoder refuses the modified form.
 */
import { FormatError } from './format-error.ts'

/** Bytes of a string in standard UTF-8. A lone surrogate becomes U+FFFD, as TextEncoder does it. */
export function utf8Encode(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    let c = character.codePointAt(0) as number
    if (c >= 0xd800 && c <= 0xdfff) c = 0xfffd
    if (c < 0x80) bytes.push(c)
    else if (c < 0x800) bytes.push(0xc0 | (c >> 6), 0x80 | (c & 63))
    else if (c < 0x10000) bytes.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63))
    else bytes.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63))
  }
  return Uint8Array.from(bytes)
}

/** Length of a string in modified UTF-8. */
export function modifiedUtf8Length(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    length += c !== 0 && c < 0x80 ? 1 : c < 0x800 ? 2 : 3
  }
  return length
}

/** Writes modified UTF-8 at `offset`; the target has room for `modifiedUtf8Length(text)` bytes. Returns the offset behind it. */
export function writeModifiedUtf8(text: string, target: Uint8Array, offset: number): number {
  let at = offset
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c !== 0 && c < 0x80) {
      target[at++] = c
    } else if (c < 0x800) {
      target[at++] = 0xc0 | (c >> 6)
      target[at++] = 0x80 | (c & 63)
    } else {
      target[at++] = 0xe0 | (c >> 12)
      target[at++] = 0x80 | ((c >> 6) & 63)
      target[at++] = 0x80 | (c & 63)
    }
  }
  return at
}

/** Reads modified UTF-8 from `start` up to `end`. */
export function readModifiedUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  let at = start
  while (at < end) {
    const a = bytes[at] as number
    const length = a < 0x80 ? 1 : (a & 0xe0) === 0xc0 ? 2 : (a & 0xf0) === 0xe0 ? 3 : 0
    if (length === 0 || at + length > end) throw new FormatError(`offset ${at}: expected a character in modified UTF-8, found byte ${a}`)
    const b = bytes[at + 1] as number
    const c = bytes[at + 2] as number
    if ((length > 1 && (b & 0xc0) !== 0x80) || (length > 2 && (c & 0xc0) !== 0x80)) {
      throw new FormatError(`offset ${at}: expected a continuation byte in modified UTF-8`)
    }
    const unit = length === 1 ? a : length === 2 ? ((a & 31) << 6) | (b & 63) : ((a & 15) << 12) | ((b & 63) << 6) | (c & 63)
    text += String.fromCharCode(unit)
    at += length
  }
  return text
}
