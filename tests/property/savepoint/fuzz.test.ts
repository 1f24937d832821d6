/**
 * Damaged snapshots, made from files of our own writers: a reason or a partial view comes of each, never another error, a hang, or more values
 * and slices than the budget allows. `npm run test:samples -- DIR --fuzz N` does the same with other files.
 */
import { expect, test } from 'vitest'
import { Prng } from '../../../workers/base/prng.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { writeSavepoint } from '../../../workers/savepoint/savepoint-writer.ts'
import { FormatError } from '../../../workers/state/serializers/format-error.ts'
import { everyHandle } from '../../unit/savepoint/every-handle.ts'
import { foreignSnapshot, sizesOf } from '../../unit/savepoint/foreign-snapshot.ts'
import { damageInline, mutate } from './mutate.ts'
import { openDamaged } from './open-damaged.ts'
import type { DamageOutcome } from './open-damaged.ts'

const ROUNDS = 600
/** Far above what an undamaged one comes to (some 300), far below what a damaged count could ask for. */
const VALUES_MAX = 2_100_000

function fuzz(seed: number, open: (prng: Prng) => DamageOutcome): Map<DamageOutcome['kind'], number> {
  const outcomes = new Map<DamageOutcome['kind'], number>()
  for (let round = 0; round < ROUNDS; round++) {
    const outcome = open(new Prng(seed + round))
    if (outcome.kind === 'crashed') throw new Error(`seed ${seed + round}: ${outcome.message}`)
    expect(outcome.values).toBeLessThan(VALUES_MAX)
    outcomes.set(outcome.kind, (outcomes.get(outcome.kind) ?? 0) + 1)
  }
  return outcomes
}

const snapshot = foreignSnapshot()
const sizes = sizesOf(snapshot)
const read = ({ name, offset, length }: { readonly name: string; readonly offset: number; readonly length: number }): Uint8Array | null =>
  snapshot.files.get(name)?.subarray(offset, offset + length) ?? null

test('undamaged, it opens whole', () => {
  expect(openDamaged(snapshot.metadata, sizes, read).kind).toBe('whole')
})

test('_metadata damaged: only where its beginning is it refused, else what can be read is shown with the reason', () => {
  const outcomes = fuzz(1, (prng) => openDamaged(mutate(snapshot.metadata, prng), sizes, read))
  expect(outcomes.get('refused')).toBeGreaterThan(0)
  expect(outcomes.get('partial')).toBeGreaterThan(ROUNDS / 10)
})

test('state inside of _metadata damaged', () => {
  const outcomes = fuzz(10_000, (prng) => openDamaged(damageInline(snapshot.metadata, prng), sizes, read))
  expect(outcomes.get('refused')).toBeUndefined()
  expect(outcomes.get('partial')).toBeGreaterThan(ROUNDS / 10)
})

test('files beside _metadata damaged: it opens all the same', () => {
  const outcomes = fuzz(20_000, (prng) =>
    openDamaged(snapshot.metadata, sizes, (slice) => {
      const bytes = read(slice)
      return bytes !== null && prng.chance(0.3) ? mutate(bytes, prng) : bytes
    }),
  )
  expect(outcomes.get('refused')).toBeUndefined()
  expect(outcomes.get('partial')).toBeGreaterThan(ROUNDS / 10)
})

test('every kind of handle damaged, in every version', () => {
  for (const version of [2, 3, 4, 5, 6, 7]) {
    const whole = writeSavepoint(everyHandle(version))
    for (let round = 0; round < 500; round++) {
      const damaged = mutate(whole, new Prng(version * 1000 + round))
      try {
        readSavepoint(damaged)
      } catch (error) {
        if (!(error instanceof FormatError)) throw new Error(`version ${version}, round ${round}: ${String((error as Error).stack)}`, { cause: error })
      }
    }
  }
})

test('random bytes behind the magic number are refused', () => {
  for (let seed = 0; seed < 500; seed++) {
    const prng = new Prng(seed)
    const bytes = Uint8Array.from({ length: prng.int(0, 400) }, () => prng.int(0, 255))
    bytes.set([0x49, 0x60, 0x67, 0x2d, 0, 0, 0, prng.int(2, 7)].slice(0, bytes.length))
    expect(openDamaged(bytes, new Map(), () => null).kind).toBe('refused')
  }
})
