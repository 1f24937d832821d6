/** Opens a snapshot with damaged bytes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Prng } from '../../workers/base/prng.ts'
import { mutate } from '../../tests/property/savepoint/mutate.ts'
import { openDamaged, type DamageOutcome } from '../../tests/property/savepoint/open-damaged.ts'
import { readSlice, type SnapshotDirectory } from './open-directory.ts'

/** `_metadata` is damaged in one half of the runs, what is read beside it in the other. */
export function fuzzSnapshot(directory: SnapshotDirectory, seed: number): DamageOutcome {
  const prng = new Prng(seed)
  const whole = new Uint8Array(readFileSync(join(directory.path, '_metadata')))
  const hitsFiles = directory.sizes.size > 1 && prng.chance(0.5)
  const metadata = hitsFiles ? whole : mutate(whole, prng)
  return openDamaged(metadata, directory.sizes, (slice) => {
    const bytes = readSlice(directory, slice)
    return hitsFiles && prng.chance(0.3) ? mutate(bytes, prng) : bytes
  })
}
