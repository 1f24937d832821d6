/**
 * All records of a bounded generator source. The drawing of keys is the generator's own (it is the data, as a file is); the rest is plain. Where
 * its skew was changed while it ran, later changes win over earlier ones at the same positions.
 */
import type { EventOf } from '../../model/events.ts'
import type { Value } from '../../model/schema.ts'
import { KeySampler, wordOf } from '../../operators/sources/key-sampler.ts'

const VALUES = 100

/** Null: it is not bounded. */
export function generatedRows(params: Readonly<Record<string, unknown>>, changes: readonly EventOf<'KeySkewChanged'>[] = []): readonly Value[] | null {
  const count = params['count']
  if (typeof count !== 'number') return null
  const samplerOf = (skew: number): KeySampler => new KeySampler(Number(params['keys'] ?? 100), skew, Number(params['seed'] ?? 1))
  const skews = new Float64Array(count).fill(Number(params['skew'] ?? 0))
  for (const { from, to, skew } of changes) skews.fill(skew, from, to + 1)
  const samplers = new Map<number, KeySampler>()
  const pairs = (params['rows'] ?? 'pair') === 'pair'
  const rows: Value[] = []
  for (let position = 0; position < count; position++) {
    const skew = skews[position] as number
    const sampler = samplers.get(skew) ?? samplerOf(skew)
    samplers.set(skew, sampler)
    const key = sampler.keyAt(position)
    rows.push(pairs ? [`key-${key}`, 1 + (sampler.bits(position, 1) % VALUES)] : wordOf(key))
  }
  return rows
}
