/** How the barriers of a random job behave. Drawn apart from the job, so that one seed gives the same job in every mode. */
import type { Prng } from '../../../base/prng.ts'
import type { JobDocument } from '../../../model/job-document.ts'

export type BarrierMode =
  | { readonly kind: 'aligned' | 'unaligned' | 'at-least-once' }
  | { readonly kind: 'timeout'; readonly micros: number }

const C = 'execution.checkpointing.'

export function randomBarrierMode(random: Prng): BarrierMode {
  const kind = random.pick(['aligned', 'aligned', 'unaligned', 'unaligned', 'timeout', 'timeout', 'at-least-once'] as const)
  return kind === 'timeout' ? { kind, micros: random.pick([100, 1000, 5000, 20_000]) } : { kind }
}

/** Unaligned checkpoints go with one checkpoint at a time only (behaviour 2.3). */
export function withBarrierMode(document: JobDocument, mode: BarrierMode): JobDocument {
  switch (mode.kind) {
    case 'aligned':
      return document
    case 'at-least-once':
      return withConfig(document, { [`${C}mode`]: 'AT_LEAST_ONCE' })
    case 'unaligned':
      return withConfig(document, { [`${C}unaligned.enabled`]: true, [`${C}max-concurrent-checkpoints`]: 1 })
    case 'timeout':
      return withConfig(document, {
        [`${C}unaligned.enabled`]: true,
        [`${C}aligned-checkpoint-timeout`]: `${mode.micros} µs`,
        [`${C}max-concurrent-checkpoints`]: 1,
      })
  }
}

/**
 * Sources that read as fast as they may, and one operator that is slow: queues fill, and barriers have something to overtake. A checkpoint may take
 * its time, because an aligned one has to.
 */
export function underPressure(document: JobDocument, random: Prng): JobDocument {
  const slow = random.pick(document.operators.filter((operator) => operator.type !== 'log')).uid
  const operators = document.operators.map((operator) => {
    if (operator.type === 'log') return { ...operator, params: { ...operator.params, rate: null } }
    return operator.uid === slow ? { ...operator, cost: `${random.int(300, 3000)} us` } : operator
  })
  return withConfig({ ...document, operators }, { [`${C}timeout`]: '10 s' })
}

const withConfig = (document: JobDocument, more: Record<string, string | number | boolean>): JobDocument => ({
  ...document,
  config: { ...document.config, ...more },
})
