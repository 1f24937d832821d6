/** All records of a bounded generator source. The drawing of keys is the generator's own (it is the data, as a file is); the rest is plain. */
import type { Value } from '../../model/schema.ts'
import { KeySampler, wordOf } from '../../operators/sources/key-sampler.ts'

const VALUES = 100

/** Null: it is not bounded. */
export function generatedRows(params: Readonly<Record<string, unknown>>): readonly Value[] | null {
  const count = params['count']
  if (typeof count !== 'number') return null
  const sampler = new KeySampler(Number(params['keys'] ?? 100), Number(params['skew'] ?? 0), Number(params['seed'] ?? 1))
  const pairs = (params['rows'] ?? 'pair') === 'pair'
  const rows: Value[] = []
  for (let position = 0; position < count; position++) {
    const key = sampler.keyAt(position)
    rows.push(pairs ? [`key-${key}`, 1 + (sampler.bits(position, 1) % VALUES)] : wordOf(key))
  }
  return rows
}
