/**
 * MurmurHash3, the 128-bit variant for 64-bit machines, seed 0: what makes an operator id of a uid (formats 17). Called a few times per
 * job, so BigInt's clarity is worth its cost. Counterpart in Flink: StreamGraphHasherV2 through Guava's murmur3_128.
 */
const MASK = (1n << 64n) - 1n
const C1 = 0x87c37b91114253d5n
const C2 = 0x4cf5ad432745937fn

const times = (a: bigint, b: bigint): bigint => (a * b) & MASK
const plus = (a: bigint, b: bigint): bigint => (a + b) & MASK
const rotate = (a: bigint, bits: bigint): bigint => ((a << bits) | (a >> (64n - bits))) & MASK

function finalMix(value: bigint): bigint {
  let k = value
  k = times(k ^ (k >> 33n), 0xff51afd7ed558ccdn)
  k = times(k ^ (k >> 33n), 0xc4ceb9fe1a85ec53n)
  return k ^ (k >> 33n)
}

const mixLow = (k: bigint): bigint => times(rotate(times(k, C1), 31n), C2)
const mixHigh = (k: bigint): bigint => times(rotate(times(k, C2), 33n), C1)

/** Up to eight bytes from `from`, little-endian; bytes beyond `to` count as zero. */
function littleEndian(bytes: Uint8Array, from: number, to: number): bigint {
  let value = 0n
  for (let i = Math.min(from + 8, to) - 1; i >= from; i--) value = (value << 8n) | BigInt(bytes[i] ?? 0)
  return value
}

function littleEndianHex(value: bigint): string {
  let text = ''
  for (let shift = 0n; shift < 64n; shift += 8n) text += ((value >> shift) & 0xffn).toString(16).padStart(2, '0')
  return text
}

/** 32 hexadecimal digits: h1 and h2, each little-endian. */
export function murmur3Hex128(bytes: Uint8Array): string {
  let h1 = 0n
  let h2 = 0n
  const whole = bytes.length - (bytes.length % 16)
  for (let at = 0; at < whole; at += 16) {
    h1 ^= mixLow(littleEndian(bytes, at, whole))
    h1 = plus(times(plus(rotate(h1, 27n), h2), 5n), 0x52dce729n)
    h2 ^= mixHigh(littleEndian(bytes, at + 8, whole))
    h2 = plus(times(plus(rotate(h2, 31n), h1), 5n), 0x38495ab5n)
  }
  const rest = bytes.length - whole
  if (rest > 8) h2 ^= mixHigh(littleEndian(bytes, whole + 8, bytes.length))
  if (rest > 0) h1 ^= mixLow(littleEndian(bytes, whole, bytes.length))
  const length = BigInt(bytes.length)
  h1 ^= length
  h2 ^= length
  h1 = plus(h1, h2)
  h2 = plus(h2, h1)
  h1 = finalMix(h1)
  h2 = finalMix(h2)
  h1 = plus(h1, h2)
  h2 = plus(h2, h1)
  return littleEndianHex(h1) + littleEndianHex(h2)
}
