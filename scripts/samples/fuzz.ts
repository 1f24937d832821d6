/** Opens a snapshot with damaged bytes. */
import { Prng } from '../../workers/base/prng.ts'
import { damageInline, mutate } from '../../tests/property/savepoint/mutate.ts'
import { openDamaged, type DamageOutcome } from '../../tests/property/savepoint/open-damaged.ts'
import { readMetadataFile, readSlice, type SnapshotDirectory } from './open-directory.ts'

/**
 * A third of the runs damages `_metadata` itself, a third the state that stands inside of it, a third what is read beside it (where there is such).
 */
export function fuzzSnapshot(directory: SnapshotDirectory, seed: number): DamageOutcome {
  const prng = new Prng(seed)
  const whole = readMetadataFile(directory)
  const target = prng.pick(directory.sizes.size > 1 ? (['metadata', 'inline', 'files'] as const) : (['metadata', 'inline'] as const))
  const metadata = target === 'metadata' ? mutate(whole, prng) : target === 'inline' ? damageInline(whole, prng) : whole
  return openDamaged(metadata, directory.sizes, (slice) => {
    const bytes = readSlice(directory, slice)
    return target === 'files' && prng.chance(0.3) ? mutate(bytes, prng) : bytes
  })
}
