/** Long texts of ASCII alone, by the platform's encoder (state/serializers/put.ts has what it is for). */
const encoder = new TextEncoder()

/** UTF-8 of ASCII is one byte each, and of nothing else: as many bytes as characters say that all of them were. */
export function putAscii(text: string, target: Uint8Array): boolean {
  const { read, written } = encoder.encodeInto(text, target)
  return read === text.length && written === text.length
}
