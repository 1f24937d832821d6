/**
 * The known right answer of the flights job: from the rows of the file alone, for any prefix of offsets. Nothing of the engine is used
 * here, so that the page and the tests can hold what a checkpoint contains against it.
 */
import type { Value } from '../model/schema.ts'

export interface AirportDelay {
  readonly flights: number
  readonly totalDelay: number
  readonly largestDelay: number
}

/** Positions in a row of the data set flights-20k: date, delay, distance, origin, destination. */
const DELAY = 1
const ORIGIN = 3

/**
 * Per origin, in order of first departure. `rows` in the order of the file, row `i` being at offset `floor(i / n)` of partition `i % n`;
 * `offsets[p]`: how many rows of partition `p` count.
 */
export function flightsAnswer(rows: readonly Value[], offsets: readonly number[]): Map<string, AirportDelay> {
  const answer = new Map<string, AirportDelay>()
  rows.forEach((row, i) => {
    const partition = i % offsets.length
    if (Math.floor(i / offsets.length) >= (offsets[partition] ?? 0)) return
    const [origin, delay] = [(row as readonly Value[])[ORIGIN] as string, (row as readonly Value[])[DELAY] as number]
    const before = answer.get(origin)
    answer.set(origin, {
      flights: (before?.flights ?? 0) + 1,
      totalDelay: (before?.totalDelay ?? 0) + delay,
      largestDelay: Math.max(before?.largestDelay ?? -Infinity, delay),
    })
  })
  return answer
}

export interface FlightsComparison {
  /** Airports in the answer or in the entries. */
  readonly airports: number
  readonly exact: number
  /** By airport name; null: not there. */
  readonly differences: readonly { readonly origin: string; readonly expected: AirportDelay | null; readonly found: AirportDelay | null }[]
}

/** Holds the keyed state of a checkpoint (key: origin; value: flights, total delay, largest delay) against the answer. */
export function compareFlights(
  entries: Iterable<{ readonly key: Value; readonly value: Value }>,
  expected: ReadonlyMap<string, AirportDelay>,
): FlightsComparison {
  const found = new Map<string, AirportDelay>()
  const twice = new Set<string>()
  for (const { key, value } of entries) {
    const origin = String(key)
    const [flights, totalDelay, largestDelay] = value as readonly number[]
    if (found.has(origin)) twice.add(origin)
    found.set(origin, { flights: flights ?? NaN, totalDelay: totalDelay ?? NaN, largestDelay: largestDelay ?? NaN })
  }
  const origins = [...new Set([...expected.keys(), ...found.keys()])].sort()
  const differences = origins
    .map((origin) => ({ origin, expected: expected.get(origin) ?? null, found: found.get(origin) ?? null }))
    .filter((pair) => twice.has(pair.origin) || !sameDelay(pair.expected, pair.found))
  return { airports: origins.length, exact: origins.length - differences.length, differences }
}

const sameDelay = (a: AirportDelay | null, b: AirportDelay | null): boolean =>
  a !== null && b !== null && a.flights === b.flights && a.totalDelay === b.totalDelay && a.largestDelay === b.largestDelay
