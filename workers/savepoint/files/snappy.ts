/**
 * Reads Snappy as Flink writes it: the framing format (one stream for each key group, state or file of operator state), and raw blocks inside.
 * Flink: SnappyStreamCompressionDecorator. Checksums are not checked: Flink's own reader turns damage into a wrong value, here it becomes
 * one that does not decode.
 *
 *   stream  FF 06 00 00 "sNaPpY" | chunks
 *   chunk   u1 type (0 snappy, 1 plain, 80–FD padding and the like) | 3 bytes length, low first | 4 bytes checksum | data
 */
import { FormatError } from '../../state/serializers/format-error.ts'

const STREAM_IDENTIFIER = 0xff
const COMPRESSED = 0
const PLAIN = 1
const SKIPPABLE_FROM = 0x80
const CHECKSUM_LENGTH = 4
/** Of one chunk, by the definition of the format. */
const CHUNK_MAX = 65536

export interface Uncompressed {
  readonly bytes: Uint8Array
  /** Where the next stream begins, or the end. */
  readonly end: number
  /** The data ended in the middle of a chunk, or `max` bytes were made. */
  readonly isCut: boolean
}

/**
 * Uncompresses from `start` to the next stream identifier behind it, or to the end. A stream may begin without one: an offset inside of
 * operator state is that of a chunk. At most `max` bytes are made.
 */
export function uncompressStream(source: Uint8Array, start: number, max: number): Uncompressed {
  const chunks: Uint8Array[] = []
  let total = 0
  let at = start
  const done = (isCut: boolean): Uncompressed => ({ bytes: join(chunks, total), end: at, isCut })
  while (at < source.length) {
    if (at + 4 > source.length) return done(true)
    const type = source[at] as number
    const length = (source[at + 1] as number) | ((source[at + 2] as number) << 8) | ((source[at + 3] as number) << 16)
    if (type === STREAM_IDENTIFIER && at > start) return done(false)
    if (at + 4 + length > source.length || total > max) return done(true)
    const data = source.subarray(at + 4, at + 4 + length)
    if (type === COMPRESSED || type === PLAIN) {
      if (length < CHECKSUM_LENGTH) throw new FormatError(`offset ${at}: a Snappy chunk of ${length} bytes`)
      const body = data.subarray(CHECKSUM_LENGTH)
      const chunk = type === PLAIN ? body : uncompressBlock(body, CHUNK_MAX)
      chunks.push(chunk)
      total += chunk.length
    } else if (type < SKIPPABLE_FROM) {
      throw new FormatError(`offset ${at}: expected a Snappy chunk, found type ${type}`)
    }
    at += 4 + length
  }
  return done(false)
}

/** One raw block. Refuses to make more than `max` bytes. */
export function uncompressBlock(source: Uint8Array, max: number): Uint8Array {
  const header = readLength(source)
  if (header.value > max) throw new FormatError(`a Snappy block of ${header.value} bytes, more than ${max}`)
  const out = new Uint8Array(header.value)
  let at = header.end
  let made = 0
  while (at < source.length) {
    const tag = source[at++] as number
    const element = (tag & 3) === 0 ? literal(source, at, tag) : copy(source, at, tag)
    at = element.next
    if (made + element.length > out.length) throw new FormatError('a Snappy block that is longer than it says')
    if (element.offset === 0) {
      if (at + element.length > source.length) throw new FormatError('a Snappy block that ends in a literal')
      out.set(source.subarray(at, at + element.length), made)
      at += element.length
    } else {
      if (element.offset > made) throw new FormatError('a Snappy block that copies from before its start')
      for (let i = 0; i < element.length; i++) out[made + i] = out[made + i - element.offset] as number
    }
    made += element.length
  }
  if (made !== out.length) throw new FormatError(`a Snappy block of ${made} bytes that says ${out.length}`)
  return out
}

/** `offset` 0: a literal. */
interface Element {
  readonly length: number
  readonly offset: number
  readonly next: number
}

function literal(source: Uint8Array, at: number, tag: number): Element {
  const code = tag >> 2
  if (code < 60) return { length: code + 1, offset: 0, next: at }
  return { length: littleEndian(source, at, code - 59) + 1, offset: 0, next: at + code - 59 }
}

function copy(source: Uint8Array, at: number, tag: number): Element {
  const kind = tag & 3
  const offset = kind === 1 ? ((tag >> 5) << 8) | littleEndian(source, at, 1) : littleEndian(source, at, kind === 2 ? 2 : 4)
  if (offset === 0) throw new FormatError('a Snappy block that copies from nowhere')
  return { length: kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1, offset, next: at + (kind === 1 ? 1 : kind === 2 ? 2 : 4) }
}

function littleEndian(source: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > source.length) throw new FormatError('a Snappy block that ends too early')
  let value = 0
  for (let i = bytes - 1; i >= 0; i--) value = value * 256 + (source[at + i] as number)
  return value
}

function readLength(source: Uint8Array): { readonly value: number; readonly end: number } {
  let value = 0
  for (let i = 0; i < 5; i++) {
    const byte = source[i]
    if (byte === undefined) break
    value += (byte & 0x7f) * 2 ** (7 * i)
    if (byte < 0x80) return { value, end: i + 1 }
  }
  throw new FormatError('a Snappy block without a length')
}

function join(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
