/** UTF-8 without the platform: pure layers have no TextEncoder. */

/** A lone surrogate becomes U+FFFD, as in TextEncoder. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const first = text.charCodeAt(i)
    let point = first
    if (first >= 0xd800 && first <= 0xdfff) {
      const second = text.charCodeAt(i + 1)
      const isPair = first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff
      point = isPair ? 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00) : 0xfffd
      if (isPair) i++
    }
    if (point < 0x80) bytes[at++] = point
    else if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6)
      bytes[at++] = 0x80 | (point & 0x3f)
    } else if (point < 0x10000) {
      bytes[at++] = 0xe0 | (point >> 12)
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f)
      bytes[at++] = 0x80 | (point & 0x3f)
    } else {
      bytes[at++] = 0xf0 | (point >> 18)
      bytes[at++] = 0x80 | ((point >> 12) & 0x3f)
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f)
      bytes[at++] = 0x80 | (point & 0x3f)
    }
  }
  return bytes.slice(0, at)
}
