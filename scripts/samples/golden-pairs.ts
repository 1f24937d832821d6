/** Flink's own golden files of serializers: a folder with a `serializer-snapshot` and a value in `test-data`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTypeEntry } from '../../workers/savepoint/types/read-type.ts'
import { readTypedValue } from '../../workers/savepoint/types/read-value.ts'
import { isSnapshotKnown } from '../../workers/savepoint/types/type-info.ts'
import { OpaqueValueError, ValueBudget } from '../../workers/savepoint/types/value-context.ts'
import { DataInput } from '../../workers/state/serializers/data-input.ts'
import { FormatError } from '../../workers/state/serializers/format-error.ts'

type Outcome = 'value decoded' | 'snapshot read, value opaque' | 'snapshot of an unknown class' | 'failed'

export interface GoldenPairs {
  readonly outcomes: ReadonlyMap<Outcome, number>
  readonly failures: readonly string[]
}

/** Snapshot and value must both be read to their last byte. */
export function readGoldenPairs(root: string): GoldenPairs {
  const outcomes = new Map<Outcome, number>()
  const failures: string[] = []
  const visit = (path: string): void => {
    const entries = readdirSync(path, { withFileTypes: true })
    if (entries.some((entry) => entry.name === 'serializer-snapshot') && entries.some((entry) => entry.name === 'test-data')) {
      const outcome = readPair(path, failures)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    for (const entry of entries) if (entry.isDirectory()) visit(join(path, entry.name))
  }
  visit(root)
  return { outcomes, failures }
}

function readPair(path: string, failures: string[]): Outcome {
  const open = (name: string): DataInput => new DataInput(new Uint8Array(readFileSync(join(path, name))))
  try {
    const snapshot = open('serializer-snapshot')
    const type = readTypeEntry(snapshot)
    if (!isSnapshotKnown(type)) return 'snapshot of an unknown class'
    snapshot.expectEnd('the snapshot')
    const value = open('test-data')
    readTypedValue(value, type, new ValueBudget(1_000_000))
    value.expectEnd('the value')
    return 'value decoded'
  } catch (error) {
    if (error instanceof OpaqueValueError) return 'snapshot read, value opaque'
    if (!(error instanceof FormatError)) throw error
    failures.push(`${path}: ${error.message}`)
    return 'failed'
  }
}
