/** CRC-32 as zip files have it (reflected polynomial 0xedb88320). */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let c = byte
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
  return c >>> 0
})

/** Goes on from the checksum of the bytes before; 0 at the beginning. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let c = ~before
  for (let i = 0; i < bytes.length; i++) c = (TABLE[(c ^ (bytes[i] as number)) & 0xff] as number) ^ (c >>> 8)
  return ~c >>> 0
}
