import { describe, expect, it } from 'vitest'
import { SNAPSHOT_KINDS, straight, thereAndBack } from './rescale-runs.ts'

const expected = straight()
const UP_TO = 8
const pairs = Array.from({ length: UP_TO * UP_TO }, (_, i) => [1 + Math.floor(i / UP_TO), 1 + (i % UP_TO)] as const)

/** Every pair with one kind of snapshot, and in all every kind about as often: 192 runs would be more of the same. */
describe('rescaling p → q → p keeps state and output', () => {
  it.each(pairs)('%i → %i → back', (p, q) => {
    const kind = SNAPSHOT_KINDS[(p + 2 * q) % SNAPSHOT_KINDS.length] ?? 'CANONICAL'
    const { inFlight, ...found } = thereAndBack(p, q, kind)
    expect(found).toEqual(expected)
    if (kind === 'unaligned checkpoint') expect(inFlight).toBeGreaterThan(0)
  })
})
