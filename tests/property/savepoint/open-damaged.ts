/** What becomes of a damaged snapshot: a reason, or a view of what could be read. Anything else is a crash. */
import { openSnapshot } from '../../../workers/savepoint/open-snapshot.ts'
import type { OpenLimits } from '../../../workers/savepoint/open-snapshot.ts'
import { runPlan } from '../../../workers/savepoint/read-plan.ts'
import type { ReadSlice } from '../../../workers/savepoint/read-plan.ts'
import { FormatError } from '../../../workers/state/serializers/format-error.ts'

export interface DamageOutcome {
  readonly kind: 'refused' | 'partial' | 'whole' | 'crashed'
  readonly message: string
  /** Values and slices that it came to: bounded, whatever the bytes said. */
  readonly values: number
}

const LIMITS: OpenLimits = { sample: 50, bytes: 64 * 1024 * 1024, values: 2_000_000 }

export function openDamaged(metadata: Uint8Array, sizes: ReadonlyMap<string, number>, read: ReadSlice): DamageOutcome {
  let slices = 0
  try {
    const { view } = runPlan(openSnapshot(metadata, sizes, LIMITS), (slice) => {
      slices++
      return read(slice)
    })
    const entries = view.operators.reduce((sum, operator) => sum + operator.states.reduce((all, state) => all + state.entries, 0), 0)
    return { kind: view.problems.length > 0 ? 'partial' : 'whole', message: view.problems[0]?.message ?? '', values: entries + slices }
  } catch (error) {
    if (error instanceof FormatError) return { kind: 'refused', message: error.message, values: slices }
    return { kind: 'crashed', message: String((error as Error).stack), values: slices }
  }
}
