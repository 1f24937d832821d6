/** Snappy's framing format with blocks of literals: legal, if pointless, and enough to test a reader with. Checksums are zero. */
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'

const LITERAL_MAX = 60

export function literalBlock(bytes: Uint8Array): Uint8Array {
  const out = new DataOutput()
  let rest = bytes.length
  for (; rest >= 0x80; rest >>>= 7) out.writeByte((rest & 0x7f) | 0x80)
  out.writeByte(rest)
  for (let at = 0; at < bytes.length; at += LITERAL_MAX) {
    const part = bytes.subarray(at, at + LITERAL_MAX)
    out.writeByte((part.length - 1) << 2)
    out.writeBytes(part)
  }
  return out.toBytes()
}

export const STREAM_IDENTIFIER = Uint8Array.from(Buffer.from('ff060000734e61507059', 'hex'))

export function chunk(type: 0 | 1, bytes: Uint8Array): Uint8Array {
  const body = type === 0 ? literalBlock(bytes) : bytes
  const length = body.length + 4
  return Uint8Array.of(type, length & 0xff, (length >> 8) & 0xff, length >> 16, 0, 0, 0, 0, ...body)
}

export const snappyStream = (bytes: Uint8Array): Uint8Array => Uint8Array.of(...STREAM_IDENTIFIER, ...chunk(0, bytes))
