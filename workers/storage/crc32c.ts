/** CRC-32C (Castagnoli, reflected polynomial 0x82f63b78): the checksum kept beside each file and verified when it is read. */

const TABLE = makeTable()

function makeTable(): Uint32Array {
  const table = new Uint32Array(256)
  for (let i = 0; i < 256; i++) {
    let c = i
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1
    table[i] = c >>> 0
  }
  return table
}

/** An unsigned 32-bit integer. */
export function crc32c(bytes: Uint8Array): number {
  let c = 0xffffffff
  for (let i = 0; i < bytes.length; i++) c = (TABLE[(c ^ (bytes[i] as number)) & 0xff] as number) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}
