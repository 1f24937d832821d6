/** Standard UTF-8 of any bytes, as TextDecoder reads it: what is malformed becomes U+FFFD. Pure layers have no TextDecoder. */
const REPLACEMENT = '\ufffd'
const UNITS_PER_CALL = 4096

export function decodeUtf8(bytes: Uint8Array): string {
  let text = ''
  let points: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] as number
    const length = first < 0x80 ? 1 : (first & 0xe0) === 0xc0 ? 2 : (first & 0xf0) === 0xe0 ? 3 : (first & 0xf8) === 0xf0 ? 4 : 0
    const point = length === 0 || at + length > bytes.length ? -1 : codePoint(bytes, at, length, first)
    points.push(point < 0 ? REPLACEMENT.charCodeAt(0) : point)
    at += point < 0 ? 1 : length
    if (points.length >= UNITS_PER_CALL) {
      text += String.fromCodePoint(...points)
      points = []
    }
  }
  return text + String.fromCodePoint(...points)
}

function codePoint(bytes: Uint8Array, at: number, length: number, first: number): number {
  let point = length === 1 ? first : first & (0xff >> (length + 1))
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i] as number
    if ((next & 0xc0) !== 0x80) return -1
    point = (point << 6) | (next & 63)
  }
  return point > 0x10ffff ? -1 : point
}
