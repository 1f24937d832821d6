import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import { Prng } from '../../../workers/base/prng.ts'
import { compileOrThrow } from '../../../workers/hosts/simulator/engine-parts.ts'
import { restoreVerdict } from '../../../workers/jobmaster/restore-verdict.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import type { Savepoint } from '../../../workers/savepoint/model.ts'
import { runPlan } from '../../../workers/savepoint/read-plan.ts'
import { FormatError } from '../../../workers/state/serializers/format-error.ts'
import { savepoint, SECOND, start, untilRunning, wordJob } from '../../simulation/restore/restore-runs.ts'

const RUNS = 600

/** Null: `_metadata` itself cannot be read, which is said before a verdict is asked for. */
function tryRead(bytes: Uint8Array): Savepoint | null {
  try {
    return readSavepoint(bytes)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

describe('the verdict on a damaged snapshot', () => {
  it.each([['inline', '20 kb'], ['in files', '0 b']])('state %s: it is told, nothing is thrown', (_, threshold) => {
    const simulator = start(wordJob({ config: { 'execution.checkpointing.data-inline-threshold': threshold } }))
    untilRunning(simulator)
    simulator.runTo(simulator.now + SECOND)
    const path = savepoint(simulator)
    const metadata = `${path}/_metadata`
    const files = new Map(
      simulator.files(`${path}/`).map((file) => {
        const read = simulator.cluster.storage.files.execute({ type: 'read', path: file.path }, null)
        return [file.path, must(read.ok ? read.bytes : undefined, file.path)]
      }),
    )
    const graph = compileOrThrow(wordJob({ parallelism: 3 }))
    const random = new Prng(7)
    const outcomes = { accepted: 0, refused: 0 }
    for (let run = 0; run < RUNS; run++) {
      const copy = new Map([...files].map(([name, bytes]) => [name, bytes.slice()]))
      const target = random.chance(0.5) ? metadata : random.pick([...files.keys()])
      const bytes = must(copy.get(target), target)
      for (let i = random.int(1, 3); i > 0; i--) bytes[random.int(0, bytes.length - 1)] = random.int(0, 255)
      if (random.chance(0.1)) copy.set(target, bytes.slice(0, random.int(0, bytes.length)))
      const opened = tryRead(must(copy.get(metadata), metadata))
      if (opened === null) continue
      const input = { savepoint: opened, location: path, graph, settings: { allowNonRestoredState: true, claimMode: 'NO_CLAIM' as const } }
      const verdict = runPlan(restoreVerdict(input), ({ name, offset, length }) => copy.get(name)?.subarray(offset, offset + length) ?? null)
      expect(verdict.accepted).toBe(verdict.refusal === null)
      outcomes[verdict.accepted ? 'accepted' : 'refused']++
    }
    expect(outcomes.accepted).toBeGreaterThan(20)
    expect(outcomes.refused).toBeGreaterThan(20)
  })
})
