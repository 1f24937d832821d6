/**
 * Everything that a snapshot holds for one key, in all operators: keyed state, timers, and elements of operator state whose map key it is. Where
 * the key's type lets its key group be computed (String, Int, Long, Boolean) only that group is read of each file.
 */
import { bare } from '../model/schema.ts'
import type { Value } from '../model/schema.ts'
import type { EntryView, StateView } from '../model/snapshot-view.ts'
import { keyGroup } from '../state/key-groups.ts'
import type { OperatorRecord, Savepoint } from './model.ts'
import { DEFAULT_LIMITS, Reading, readSubtask } from './open-snapshot.ts'
import type { OpenLimits } from './open-snapshot.ts'
import type { Plan } from './read-plan.ts'
import { SnapshotFiles } from './read-plan.ts'
import type { EntryCollector } from './state-collector.ts'
import { describeType } from './types/describe-type.ts'
import type { TypeInfo } from './types/type-info.ts'
import { ValueBudget } from './types/value-context.ts'
import { searchTexts } from './value-text.ts'

export interface FoundEntry {
  readonly operatorId: string
  readonly state: string
  readonly kind: StateView['kind']
  readonly entry: EntryView
}

export interface SearchResult {
  readonly found: readonly FoundEntry[]
  /** There are more, or not everything could be read. */
  readonly isPartial: boolean
}

const FOUND_MAX = 1000

/** `query` is compared with the text of a key, and of each field of a tuple, row or POJO. */
export function* searchKey(savepoint: Savepoint, sizes: ReadonlyMap<string, number>, query: string, limits: OpenLimits = DEFAULT_LIMITS): Plan<SearchResult> {
  const reading = new Reading(new SnapshotFiles(sizes, limits.bytes), new ValueBudget(limits.values))
  const found: FoundEntry[] = []
  for (const operator of savepoint.operators) yield* searchOperator(operator, query, reading, found)
  return { found: found.slice(0, FOUND_MAX), isPartial: found.length > FOUND_MAX || reading.problems.length > 0 }
}

function* searchOperator(operator: OperatorRecord, query: string, reading: Reading, found: FoundEntry[]): Plan<void> {
  const wanted = (key: TypeInfo | null): number | null => (key === null ? null : groupOf(query, describeType(key), operator.maxParallelism))
  const filter = new KeyFilter(operator.operatorId, query, found)
  for (const subtask of operator.subtasks) yield* readSubtask(operator, subtask, reading, filter, () => undefined, wanted)
}

/** Keeps the entries of one key. */
class KeyFilter implements EntryCollector {
  private readonly operatorId: string
  private readonly query: string
  private readonly found: FoundEntry[]

  constructor(operatorId: string, query: string, found: FoundEntry[]) {
    this.operatorId = operatorId
    this.query = query
    this.found = found
  }

  declare(): void {
    // Types do not matter here.
  }

  entry(name: string, kind: StateView['kind'], entry: EntryView): void {
    if (this.found.length > FOUND_MAX) return
    const key = entry.keyGroup === null ? (entry.mapKey ?? null) : entry.key
    if (key === null || !searchTexts(key).includes(this.query)) return
    this.found.push({ operatorId: this.operatorId, state: name, kind, entry })
  }

  incomplete(): void {
    // What could not be read is a problem of the reading.
  }
}

/** Null: the type has no hash that could be computed here. */
function groupOf(query: string, type: string, maxParallelism: number): number | null {
  const value = keyOf(query, type)
  return value === null ? null : keyGroup(value, bare(type as 'String'), maxParallelism)
}

function keyOf(query: string, type: string): Value | null {
  switch (type) {
    case 'String':
      return query
    case 'Boolean':
      return query === 'true' ? true : query === 'false' ? false : null
    case 'Int':
    case 'Long': {
      const number = Number(query)
      return query.trim() !== '' && Number.isSafeInteger(number) ? number : null
    }
    default:
      return null
  }
}
