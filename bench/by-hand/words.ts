/** The input of the word count: 10,000 seeded words, drawn with Zipf-like frequencies (exponent 1). */
import { Prng } from '../../workers/base/prng.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export function vocabulary(size: number, seed = 7): string[] {
  const random = new Prng(seed)
  const words = new Set<string>()
  while (words.size < size) {
    let word = ''
    for (let length = random.int(3, 10); length > 0; length--) word += LETTERS.charAt(random.int(0, 25))
    words.add(word)
  }
  return [...words]
}

/** `count` words by inverse transform over the cumulative Zipf distribution. */
export function zipfWords(count: number, words: readonly string[], seed = 42): string[] {
  const cumulative = new Float64Array(words.length)
  let total = 0
  for (let i = 0; i < words.length; i++) {
    total += 1 / (i + 1)
    cumulative[i] = total
  }
  const random = new Prng(seed)
  const drawn = new Array<string>(count)
  for (let i = 0; i < count; i++) {
    const target = random.double() * total
    let low = 0
    let high = words.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((cumulative[middle] as number) < target) low = middle + 1
      else high = middle
    }
    drawn[i] = words[low] as string
  }
  return drawn
}

/** FNV-1a, the cheapest hash a hand-written pipeline would use. */
export function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return (h ^ (h >>> 15)) >>> 0
}
