/**
 * Draws keys as a function of seed and position alone, so that a replay draws the same ones. Zipf-like: key k has weight 1 / (k + 1)^skew. Uses
 * an alias table (two reads for each draw, whatever the number of keys).
 */
const TWO_POW_32 = 4294967296
const TWO_POW_MINUS_32 = 1 / TWO_POW_32

export class KeySampler {
  private readonly keys: number
  private readonly seed: number
  /** By column, side by side: below this number the column's own key, else that other key, its alias. */
  private readonly table: Int32Array
  private readonly uniform: boolean

  constructor(keys: number, skew: number, seed: number) {
    this.keys = keys
    this.seed = seed | 0
    this.uniform = skew === 0
    this.table = new Int32Array(this.uniform ? 0 : 2 * keys)
    if (!this.uniform) this.build(skew)
  }

  /** A number from 0 to keys − 1. */
  keyAt(position: number): number {
    const draw = this.bits(position, 0) * this.keys
    // A product with a power of two is exact, and cheaper than the division.
    const column = (draw * TWO_POW_MINUS_32) >>> 0
    if (this.uniform) return column
    const rest = draw | 0
    const threshold = this.table[2 * column] as number
    const alias = this.table[2 * column + 1] as number
    // Which of the two it is cannot be foreseen, so a branch would be slow: the borrow of an unsigned subtraction is the answer.
    const isBelow = ((~rest & threshold) | (~(rest ^ threshold) & (rest - threshold))) >> 31
    return alias ^ ((alias ^ column) & isBelow)
  }

  /** Another draw of the same position, for a value beside the key: 32 bits. */
  bits(position: number, salt: number): number {
    const high = position < TWO_POW_32 ? 0 : Math.floor(position / TWO_POW_32)
    let h = (position ^ Math.imul(high, 0x9e3779b1) ^ this.seed) + Math.imul(salt, 0x632be5ab)
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) ^ this.seed
    h = Math.imul(h ^ (h >>> 16), 0x27d4eb2f)
    return (h ^ (h >>> 15)) >>> 0
  }

  /** Vose's construction of the alias table. */
  private build(skew: number): void {
    const weights = Float64Array.from({ length: this.keys }, (_, k) => (k + 1) ** -skew)
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const share = weights.map((weight) => (weight * this.keys) / total)
    const small: number[] = []
    const large: number[] = []
    share.forEach((value, k) => (value < 1 ? small : large).push(k))
    while (small.length > 0 && large.length > 0) {
      const less = small.pop() as number
      const more = large.pop() as number
      this.put(less, Math.ceil((share[less] as number) * TWO_POW_32), more)
      share[more] = (share[more] as number) + (share[less] as number) - 1
      ;((share[more] as number) < 1 ? small : large).push(more)
    }
    for (const k of [...small, ...large]) this.put(k, TWO_POW_32, k)
  }

  /** A whole draw lies below the threshold or not, so it may be rounded up; 2^32, which every draw lies below, goes for its own alias instead. */
  private put(column: number, threshold: number, alias: number): void {
    const isAlways = threshold >= TWO_POW_32
    this.table[2 * column] = isAlways ? 0 : threshold
    this.table[2 * column + 1] = isAlways ? column : alias
  }
}

const CONSONANTS = 'bdfghjklmnprstvz'
const VOWELS = 'aeiou'

/** Word number `index`: at least two syllables, different for each number. */
export function wordOf(index: number): string {
  const syllables = CONSONANTS.length * VOWELS.length
  let word = ''
  for (let rest = index, i = 0; i < 2 || rest > 0; i++, rest = Math.floor(rest / syllables)) {
    const syllable = rest % syllables
    word += CONSONANTS.charAt(Math.floor(syllable / VOWELS.length)) + VOWELS.charAt(syllable % VOWELS.length)
  }
  return word
}
