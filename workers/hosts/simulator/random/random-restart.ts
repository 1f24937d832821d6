/** How a job of a random run goes on from its savepoint: at the parallelism it had or another, whoever owns the savepoint then. */
import type { Prng } from '../../../base/prng.ts'
import type { JobDocument } from '../../../model/job-document.ts'
import { CLAIM_MODES } from '../../../model/restore.ts'
import type { NextJob } from '../simulator.ts'

export function randomRestart(random: Prng, document: JobDocument, path: string): NextJob {
  const restore = { path, allowNonRestoredState: random.chance(0.3), claimMode: random.pick(CLAIM_MODES) }
  return { document: random.chance(0.6) ? rescaled(random, document) : document, restore }
}

/** Operators of equal parallelism keep it equal, since what is forwarded must be; the slots that there are suffice. */
function rescaled(random: Prng, document: JobDocument): JobDocument {
  const all = document.operators.map(({ parallelism = 1 }) => parallelism)
  const next = new Map<number, number>()
  for (const parallelism of all) {
    if (next.has(parallelism)) continue
    const limits = document.operators.flatMap((operator) => ((operator.parallelism ?? 1) === parallelism && operator.maxParallelism !== undefined ? [operator.maxParallelism] : []))
    next.set(parallelism, random.int(1, Math.min(Math.max(...all), ...limits)))
  }
  return { ...document, operators: document.operators.map((operator) => ({ ...operator, parallelism: next.get(operator.parallelism ?? 1) ?? 1 })) }
}
