import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadDataSet } from '../../../workers/hosts/node/load-data-set.ts'
import { compareFlights, flightsAnswer, type AirportDelay } from '../../../workers/invariants/flights-answer.ts'
import type { Value } from '../../../workers/model/schema.ts'

interface Flight {
  readonly delay: number
  readonly origin: string
}
const FILE = new URL('../../../node_modules/vega-datasets/data/flights-20k.json', import.meta.url)
const raw = JSON.parse(readFileSync(FILE, 'utf8')) as Flight[]

/** Computed a second time, from the package's own file and in another way. */
function answerFromRaw(flights: readonly Flight[]): Record<string, AirportDelay> {
  const origins = new Set(flights.map((flight) => flight.origin))
  const delaysOf = (origin: string) => flights.filter((flight) => flight.origin === origin).map((flight) => flight.delay)
  const answerOf = (delays: number[]): AirportDelay => ({
    flights: delays.length,
    totalDelay: delays.reduce((a, b) => a + b, 0),
    largestDelay: delays.sort((a, b) => a - b).at(-1) as number,
  })
  return Object.fromEntries([...origins].map((origin) => [origin, answerOf(delaysOf(origin))]))
}

describe('the known answer of the flights job', () => {
  it('is that of the whole file at the end of all partitions', async () => {
    const { rows } = await loadDataSet('flights-20k')
    const answer = flightsAnswer(rows, [10_000, 10_000])
    expect(answer.size).toBe(220)
    expect(Object.fromEntries(answer)).toEqual(answerFromRaw(raw))
  })

  it.each([[[0, 0]], [[1, 0]], [[5000, 4321]], [[3, 2, 10]], [[20_000]]])('is that of the prefix for offsets %j', async (offsets) => {
    const { rows } = await loadDataSet('flights-20k')
    const n = offsets.length
    const prefix = offsets.flatMap((offset, p) => raw.filter((_, i) => i % n === p).slice(0, offset))
    expect(Object.fromEntries(flightsAnswer(rows, offsets))).toEqual(answerFromRaw(prefix))
  })
})

describe('holding a checkpoint against the answer', () => {
  const row = (origin: string, delay: number): Value => ['2001/01/01 00:00', delay, 100, origin, 'LAS']
  const expected = flightsAnswer([row('ABC', 5), row('XYZ', -3), row('ABC', -1)], [3])
  const right = [{ key: 'ABC', value: [2, 4, 5] }, { key: 'XYZ', value: [1, -3, -3] }]

  it('is exact when every airport is', () => {
    expect(compareFlights(right, expected)).toEqual({ airports: 2, exact: 2, differences: [] })
  })

  it.each([
    ['a flight counted twice', [right[0], { key: 'XYZ', value: [2, -6, -3] }], 'XYZ'],
    ['a wrong total', [right[0], { key: 'XYZ', value: [1, -4, -3] }], 'XYZ'],
    ['a wrong maximum', [{ key: 'ABC', value: [2, 4, 0] }, right[1]], 'ABC'],
    ['a missing airport', [right[0]], 'XYZ'],
    ['an airport in two subtasks', [...right, right[1]], 'XYZ'],
    ['a value that is too short', [right[0], { key: 'XYZ', value: [1, -3] }], 'XYZ'],
  ])('names %s', (_, entries, origin) => {
    const result = compareFlights(entries as typeof right, expected)
    expect(result).toMatchObject({ airports: 2, exact: 1 })
    expect(result.differences.map((difference) => difference.origin)).toEqual([origin])
  })

  it('names an airport that should not be there, with what was found', () => {
    expect(compareFlights([...right, { key: 'NEW', value: [1, 2, 2] }], expected)).toEqual({
      airports: 3,
      exact: 2,
      differences: [{ origin: 'NEW', expected: null, found: { flights: 1, totalDelay: 2, largestDelay: 2 } }],
    })
  })
})
