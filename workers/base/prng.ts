/**
 * A seeded generator (mulberry32). All randomness of the engine comes from one of these, so that a run replays from its seed.
 * The whole state is one 32-bit integer, which makes it part of any machine's snapshot.
 */
export class Prng {
  state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** An integer in [0, 2^32). */
  uint32(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }

  /** A double in [0, 1). */
  double(): number {
    return this.uint32() / 4294967296
  }

  /** An integer in [low, high]. */
  int(low: number, high: number): number {
    return low + Math.floor(this.double() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.double() < probability
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)]
    if (item === undefined) throw new RangeError('pick from an empty list')
    return item
  }

  /** `digits` hexadecimal digits. */
  hex(digits: number): string {
    let text = ''
    while (text.length < digits) text += this.uint32().toString(16).padStart(8, '0')
    return text.slice(0, digits)
  }

  /** A random UUID (version 4 layout), the form of the names that Flink gives to state files. */
  uuid(): string {
    const h = this.hex(32)
    const variant = ((Number.parseInt(h.charAt(16), 16) & 3) | 8).toString(16)
    return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20)}`
  }
}

/** A seed derived from a seed and a name (FNV-1a), so that parts of a job get independent streams. */
export function deriveSeed(seed: number, name: string): number {
  let h = (seed ^ 0x811c9dc5) | 0
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193)
  h ^= h >>> 15
  h = Math.imul(h, 0x2c1b3c6d)
  return (h ^ (h >>> 12)) | 0
}
