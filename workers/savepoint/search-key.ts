/**
 * Everything that a snapshot holds for one key, in all operators: keyed state, timers, and elements of operator state whose map key it is. Where
 * the key's type lets its key group be computed (String, Int, Long, Boolean) only that group is read of each file.
 */
import type { EntryView, StateView, ValueView } from '../model/snapshot-view.ts'
import { keyGroup, subtaskOf } from '../state/key-groups.ts'
import { fieldsOf, keyOf } from './key-of-text.ts'
import type { SearchedKey } from './key-of-text.ts'
import type { OperatorRecord, Savepoint } from './model.ts'
import { DEFAULT_LIMITS, Reading, readSubtask } from './open-snapshot.ts'
import type { OpenLimits } from './open-snapshot.ts'
import type { Plan } from './read-plan.ts'
import { SnapshotFiles } from './read-plan.ts'
import type { EntryCollector } from './state-collector.ts'
import type { TypeInfo } from './types/type-info.ts'
import { ValueBudget } from './types/value-context.ts'
import { searchTexts, valueText } from './value-text.ts'

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
  /** Where such a key lies, also where it was not found: of operators whose keys are of a type with a known hash. */
  readonly places: readonly KeyPlace[]
}

export interface KeyPlace {
  readonly operatorId: string
  readonly keyGroup: number
  readonly subtask: number
}

const FOUND_MAX = 1000

/** `query` is compared with the text of a key, and of each field of a tuple, row or POJO; a JSON list with the fields of one. */
export function* searchKey(savepoint: Savepoint, sizes: ReadonlyMap<string, number>, query: string, limits: OpenLimits = DEFAULT_LIMITS): Plan<SearchResult> {
  const reading = new Reading(new SnapshotFiles(sizes, limits.bytes), new ValueBudget(limits.values))
  const found: FoundEntry[] = []
  const places: KeyPlace[] = []
  for (const operator of savepoint.operators) {
    const place = yield* searchOperator(operator, query, reading, found)
    if (place !== null) places.push(place)
  }
  return { found: found.slice(0, FOUND_MAX), isPartial: found.length > FOUND_MAX || reading.problems.length > 0, places }
}

function* searchOperator(operator: OperatorRecord, query: string, reading: Reading, found: FoundEntry[]): Plan<KeyPlace | null> {
  const { operatorId, parallelism, maxParallelism } = operator
  let place: KeyPlace | null = null
  const wanted = (type: TypeInfo | null): number | null => {
    const key: SearchedKey | null = type === null ? null : keyOf(query, type)
    if (key === null) return null
    const group = keyGroup(key.value, key.schema, maxParallelism)
    place = { operatorId, keyGroup: group, subtask: subtaskOf(group, parallelism, maxParallelism) }
    return group
  }
  const filter = new KeyFilter(operatorId, query, found)
  for (const subtask of operator.subtasks) yield* readSubtask(operator, subtask, reading, filter, () => undefined, wanted)
  return place
}

/** Keeps the entries of one key. */
class KeyFilter implements EntryCollector {
  private readonly operatorId: string
  private readonly query: string
  /** The query as fields, if it is a list. */
  private readonly fields: readonly string[] | null
  private readonly found: FoundEntry[]

  constructor(operatorId: string, query: string, found: FoundEntry[]) {
    this.operatorId = operatorId
    this.query = query
    this.fields = fieldsOf(query)
    this.found = found
  }

  declare(): void {
    // Types do not matter here.
  }

  entry(name: string, kind: StateView['kind'], entry: EntryView): void {
    if (this.found.length > FOUND_MAX) return
    const key = entry.keyGroup === null ? (entry.mapKey ?? null) : entry.key
    if (key === null || !(searchTexts(key).includes(this.query) || this.hasFields(key))) return
    this.found.push({ operatorId: this.operatorId, state: name, kind, entry })
  }

  private hasFields(key: ValueView): boolean {
    if (this.fields === null || key === null || typeof key !== 'object' || key.kind !== 'record' || key.fields.length !== this.fields.length) return false
    return key.fields.every(({ value }, i) => valueText(value) === this.fields?.[i])
  }

  incomplete(): void {
    // What could not be read is a problem of the reading.
  }

  unread(): void {
    // As above.
  }
}
