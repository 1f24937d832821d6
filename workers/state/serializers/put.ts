/**
 * Flink's encodings of single values, written straight into bytes that have room for them: each function returns the offset behind what it
 * wrote. Room is not checked, since a write beyond the end of a typed array is lost without a word; whoever calls has seen to it.
 */
import { UnsafeLongError } from './unsafe-long.ts'

const TWO_POW_32 = 4294967296
const LONG_MIN = -(2n ** 63n)
const LONG_MAX = 2n ** 63n - 1n
/** Most that the length before a String takes, and most that one of its UTF-16 code units does. */
export const STRING_LENGTH_BYTES_MAX = 5
export const STRING_UNIT_BYTES_MAX = 3
/** A shorter text is written faster than a call to the platform takes. */
const PLATFORM_FROM_LENGTH = 96

/** Writes the text into bytes of its length if it is ASCII alone, one byte each; else returns false, and what it has written means nothing. */
export type PutAscii = (text: string, target: Uint8Array) => boolean

/** The platform's way, where the host has brought one: ten times as fast for long texts, and the same bytes. */
let putAscii: PutAscii | null = null

/** Called once by a host, before any machine runs. */
export function bringPutAscii(way: PutAscii): void {
  putAscii = way
}

const scratch = new DataView(new ArrayBuffer(8))

export function putShort(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value >> 8
  bytes[at + 1] = value
  return at + 2
}

/** A signed 32-bit integer; anything else is a bug or a mistake of a function, and never wraps silently. */
export function putInt(bytes: Uint8Array, at: number, value: number): number {
  if ((value | 0) !== value) throw new RangeError(`${value} is not an Int (a whole number of 32 bits)`)
  return putWord(bytes, at, value)
}

/** A safe integer as a number, any other Long as a bigint. Throws `UnsafeLongError` for a number that is not exact. */
export function putLong(bytes: Uint8Array, at: number, value: number | bigint): number {
  if (typeof value === 'bigint') return putBigLong(bytes, at, value)
  if ((value | 0) === value) return putWord(bytes, putWord(bytes, at, value >> 31), value)
  if (!Number.isSafeInteger(value)) throw new UnsafeLongError(String(value))
  return putWord(bytes, putWord(bytes, at, Math.floor(value / TWO_POW_32)), value | 0)
}

/** NaN in the one form that Java writes. */
export function putDouble(bytes: Uint8Array, at: number, value: number): number {
  if (value !== value) return putWord(bytes, putWord(bytes, at, 0x7ff80000), 0)
  scratch.setFloat64(0, value)
  return putWord(bytes, putWord(bytes, at, scratch.getInt32(0)), scratch.getInt32(4))
}

export function putBoolean(bytes: Uint8Array, at: number, value: boolean): number {
  bytes[at] = value ? 1 : 0
  return at + 1
}

/** Flink's StringValue: length + 1, then each UTF-16 code unit, all as integers of 7 bits a byte, low bits first. */
export function putString(bytes: Uint8Array, start: number, text: string): number {
  const length = text.length
  let at = putVarint(bytes, start, length + 1)
  if (length >= PLATFORM_FROM_LENGTH && putAscii?.(text, bytes.subarray(at, at + length)) === true) return at + length
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i)
    if (c < 0x80) bytes[at++] = c
    else at = putVarint(bytes, at, c)
  }
  return at
}

function putVarint(bytes: Uint8Array, offset: number, value: number): number {
  let at = offset
  let rest = value
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[at++] = rest
  return at
}

function putWord(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value >> 24
  bytes[at + 1] = value >> 16
  bytes[at + 2] = value >> 8
  bytes[at + 3] = value
  return at + 4
}

function putBigLong(bytes: Uint8Array, at: number, value: bigint): number {
  if (value < LONG_MIN || value > LONG_MAX) throw new RangeError(`${value} is not a Long (64 bits)`)
  scratch.setBigInt64(0, value)
  return putWord(bytes, putWord(bytes, at, scratch.getInt32(0)), scratch.getInt32(4))
}
