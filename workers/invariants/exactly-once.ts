/**
 * Exactly once: keyed state and output equal the plain computation over the same source prefix. For the end of a run (state and sinks), and for
 * a checkpoint (state alone). Says in one line what differs.
 */
import type { JobDocument, OperatorDocument } from '../model/job-document.ts'
import type { JobGraph, OperatorDescription } from '../model/job-graph.ts'
import type { SinkView, TopicContent } from '../model/outside.ts'
import type { Value } from '../model/schema.ts'
import { evaluate, type PlainResult, type RowsInFlight } from './plain-model.ts'
import { fieldOf, type Bag } from './plain-values.ts'

/** By source uid: the next offset of each partition; `all`: the source has finished. A prefix of a generator is not compared. */
export type SourceOffsets = ReadonlyMap<string, ReadonlyMap<number, number> | 'all'>

export interface StraightJob {
  readonly document: JobDocument
  readonly graph: JobGraph
  readonly topics: readonly TopicContent[]
  /** All records of a bounded generator; null: it is not bounded. Without it generators are not compared. */
  readonly generate?: (operator: OperatorDocument) => readonly Value[] | null
}

export const describedOperators = (graph: JobGraph): ReadonlyMap<string, OperatorDescription> =>
  new Map(graph.vertices.flatMap((vertex) => vertex.chain.map((operator) => [operator.uid, operator] as const)))

/** The plain computation of what the sources have read up to these offsets, without the effect of what is still in flight. */
export function straightResult(job: StraightJob, offsets: SourceOffsets, inFlight?: RowsInFlight): PlainResult {
  const read = (operator: OperatorDocument): Bag => {
    const own = offsets.get(operator.uid)
    if (operator.type === 'generator') {
      const rows = own === 'all' ? (job.generate?.(operator) ?? null) : null
      return { rows: rows ?? [], certainty: rows === null ? 'open' : 'exact' }
    }
    const topic = job.topics.find((candidate) => candidate.name === operator.params?.['topic'])
    const rows = (topic?.partitions ?? []).flatMap((all, partition) => (own === 'all' ? all : all.slice(0, own?.get(partition) ?? 0)))
    return { rows, certainty: 'exact' }
  }
  return evaluate(job.document, describedOperators(job.graph), read, inFlight)
}

/** Null, or the first difference between the keyed state of each operator and the plain computation. Null state (its tasks have finished): not compared. */
export function stateDifference(result: PlainResult, keyedState: (uid: string) => ReadonlyMap<string, string> | null): string | null {
  for (const [uid, expected] of result.states) {
    const actual = keyedState(uid)
    if (actual === null) continue
    for (const [key, value] of expected.entries) {
      const found = actual.get(key)
      if (found === undefined) return `${uid}: key ${key} is missing, it should be ${value}`
      if (expected.exact && found !== value) return `${uid}: key ${key} is ${found}, it should be ${value}`
    }
    for (const key of actual.keys()) if (!expected.entries.has(key)) return `${uid}: key ${key} should not be there`
  }
  return null
}

/** Null, or the first difference between what outside readers see and the plain computation. */
export function sinkDifference(job: StraightJob, result: PlainResult, view: (uid: string) => SinkView): string | null {
  const descriptions = describedOperators(job.graph)
  for (const operator of job.document.operators) {
    const bag = result.bags.get(operator.uid)
    const description = descriptions.get(operator.uid)
    if (bag === undefined || description === undefined || bag.certainty === 'open') continue
    const difference = differenceOf(operator, description, bag, view(operator.uid))
    if (difference !== null) return `${operator.uid}: ${difference}`
  }
  return null
}

function differenceOf(operator: OperatorDocument, description: OperatorDescription, bag: Bag, view: SinkView): string | null {
  switch (operator.type) {
    case 'two-phase-commit':
      if (view.committedTotal !== bag.rows.length) return `${view.committedTotal} rows are committed, it should be ${bag.rows.length}`
      return bag.certainty === 'exact' ? bagDifference(counts(bag.rows), counts(view.committed), true) : null
    case 'print':
      if (view.committedTotal < bag.rows.length) return `${view.committedTotal} rows were written, it should be ${bag.rows.length} or more`
      return bag.certainty === 'exact' ? bagDifference(counts(bag.rows), counts(view.committed), false) : null
    case 'upsert': {
      const schema = description.inputs[0]
      if (schema === undefined) return null
      const keys = (rows: readonly Value[]): ReadonlyMap<string, number> =>
        new Map(rows.map((row) => [JSON.stringify(fieldOf(row, schema, String(operator.params?.['by']))), 1]))
      return bagDifference(keys(bag.rows), keys(view.committed), true)
    }
    default:
      return null
  }
}

function counts(rows: readonly Value[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const row of rows) {
    const text = JSON.stringify(row)
    found.set(text, (found.get(text) ?? 0) + 1)
  }
  return found
}

/** `exact`: neither lost nor doubled; else only not lost. */
function bagDifference(expected: ReadonlyMap<string, number>, actual: ReadonlyMap<string, number>, exact: boolean): string | null {
  for (const [row, count] of expected) {
    const found = actual.get(row) ?? 0
    if (found < count) return `row ${row} is there ${found} times, it should be ${count}`
    if (exact && found > count) return `row ${row} is there ${found} times, it should be ${count}`
  }
  if (!exact) return null
  for (const row of actual.keys()) if (!expected.has(row)) return `row ${row} should not be there`
  return null
}
