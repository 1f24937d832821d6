/** What a row of measurements says: median, and an interval that needs no assumption about how they are distributed. */

export interface Summary {
  readonly median: number
  /** About 90 % of such intervals hold the true median; the whole range with fewer than five values. */
  readonly low: number
  readonly high: number
  readonly count: number
}

const CONFIDENCE = 0.9

export function summary(values: readonly number[]): Summary {
  if (values.length === 0) throw new RangeError('nothing was measured')
  const sorted = values.toSorted((a, b) => a - b)
  const cut = cutOff(sorted.length)
  return { median: medianOf(sorted), low: sorted[cut] as number, high: sorted[sorted.length - 1 - cut] as number, count: sorted.length }
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** How many values may be cut off at each end: order statistics of the median, by the binomial distribution with 1/2. */
function cutOff(count: number): number {
  let below = 0.5 ** count
  let term = below
  let cut = 0
  while (below <= (1 - CONFIDENCE) / 2 && cut < (count - 1) >> 1) {
    term *= (count - cut) / (cut + 1)
    below += term
    if (below > (1 - CONFIDENCE) / 2) break
    cut++
  }
  return cut
}
