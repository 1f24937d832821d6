/** Damages bytes in the ways that files get damaged, and in those that hurt a reader most: counts and lengths that lie. */
import type { Prng } from '../../../workers/base/prng.ts'

const NASTY_INTS: readonly number[] = [0, 1, -1, 0x7fffffff, -0x80000000, 0x7ffffffe, 0x00ffffff, 255, 65536, 1_000_000]

export function mutate(bytes: Uint8Array, prng: Prng): Uint8Array {
  let damaged: Uint8Array = bytes.slice()
  for (let n = prng.int(1, 4); n > 0 && damaged.length > 0; n--) damaged = mutateOnce(damaged, prng)
  return damaged
}

function mutateOnce(bytes: Uint8Array, prng: Prng): Uint8Array {
  const at = prng.int(0, bytes.length - 1)
  switch (prng.int(0, 6)) {
    case 0:
      bytes[at] = (bytes[at] as number) ^ (1 << prng.int(0, 7))
      return bytes
    case 1:
      bytes[at] = prng.int(0, 255)
      return bytes
    case 2:
      return bytes.slice(0, at)
    case 3:
      writeInt(bytes, at, prng.pick(NASTY_INTS))
      return bytes
    case 4: {
      const end = Math.min(bytes.length, at + prng.int(1, 64))
      return join(bytes.subarray(0, at), bytes.subarray(end))
    }
    case 5: {
      const from = prng.int(0, bytes.length - 1)
      return join(bytes.subarray(0, at), bytes.subarray(from, from + prng.int(1, 64)), bytes.subarray(at))
    }
    default:
      // A number that is there already, elsewhere: offsets and counts that look right.
      bytes.copyWithin(at, prng.int(0, bytes.length - 1), Math.min(bytes.length, prng.int(0, bytes.length - 1) + 8))
      return bytes
  }
}

function writeInt(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4 && at + i < bytes.length; i++) bytes[at + i] = (value >>> (24 - 8 * i)) & 0xff
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
