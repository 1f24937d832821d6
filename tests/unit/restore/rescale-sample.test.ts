import { describe, expect, it } from 'vitest'
import { straight, thereAndBack } from '../../simulation/restore/rescale-runs.ts'

/** All pairs: tests/simulation/restore/rescale.test.ts. */
describe('rescaling p → q → p keeps state and output (sampled)', () => {
  it.each([[1, 3, 'CANONICAL'], [4, 2, 'NATIVE'], [3, 5, 'unaligned checkpoint']] as const)('%i → %i → back, %s', (p, q, kind) => {
    const { state, committed, violation } = thereAndBack(p, q, kind)
    expect({ state, committed, violation }).toEqual(straight())
  })
})
