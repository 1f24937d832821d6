/**
 * What a job comes to, computed straight: a few loops over plain rows, no streams, no channels, no time. It knows the meaning of the operators
 * from the catalogue and shares no code with the engine's operators, so that the two can be held against each other: for the whole input, and
 * for the prefix that a checkpoint's offsets name.
 *
 * The engine may bring the records of different channels in any order. What does not depend on that order is `exact`; where only the number of
 * rows does not, it is `counted`; else `open`, and nothing is compared.
 */
import type { JobDocument, OperatorDocument } from '../model/job-document.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import type { Value } from '../model/schema.ts'
import { evaluateAggregate, evaluateCount, evaluateLatestJoin } from './plain-keyed.ts'
import { evaluateFilter, evaluateFlatMap, evaluateMap } from './plain-stateless.ts'
import { weaker, type Bag, type Certainty, type KeyedInput, type PlainState } from './plain-values.ts'

export interface PlainResult {
  /** What each operator emitted, by uid; at a sink, what it was given. */
  readonly bags: ReadonlyMap<string, Bag>
  readonly states: ReadonlyMap<string, PlainState>
}

/** The rows that a source has read so far. */
export type SourceRows = (operator: OperatorDocument) => Bag

/** The rows that an edge holds: its receiver has not seen them. By the uids of both ends and the receiver's input, from 0. */
export type RowsInFlight = (from: string, to: string, input: number) => readonly Value[]

const NOTHING_IN_FLIGHT: RowsInFlight = () => []

/** `descriptions` gives schemas and key fields, by uid, as the compiler found them. */
export function evaluate(document: JobDocument, descriptions: ReadonlyMap<string, OperatorDescription>, read: SourceRows, inFlight = NOTHING_IN_FLIGHT): PlainResult {
  const bags = new Map<string, Bag>()
  const states = new Map<string, PlainState>()
  for (const operator of inTopologicalOrder(document)) {
    const description = descriptions.get(operator.uid)
    if (description === undefined) continue
    const inputs = description.inputs.map((schema, index) => ({
      bag: together(document.edges.filter((edge) => edge.to === operator.uid && (edge.input ?? 1) - 1 === index).map((edge) => without(bags.get(edge.from), inFlight(edge.from, edge.to, index)))),
      schema,
      key: description.keyFields[index] ?? [],
    }))
    bags.set(operator.uid, evaluateOperator(operator, inputs, read, (state) => states.set(operator.uid, state)))
  }
  return { bags, states }
}

function evaluateOperator(operator: OperatorDocument, inputs: readonly KeyedInput[], read: SourceRows, keep: (state: PlainState) => void): Bag {
  const first = inputs[0]
  if (first === undefined) return read(operator)
  const params = operator.params ?? {}
  switch (operator.type) {
    case 'map':
      return evaluateMap(first, params)
    case 'filter':
      return evaluateFilter(first, params)
    case 'flat-map':
      return evaluateFlatMap(first, params)
    case 'aggregate':
      return evaluateAggregate(first, params, keep)
    case 'process-count':
      return evaluateCount(first, params, keep)
    case 'connect':
      return evaluateLatestJoin(first, inputs[1] as KeyedInput, params, keep)
    case 'broadcast-join':
      // What had come on the other input decides about each record.
      return { rows: [], certainty: 'open' }
    default:
      return first.bag
  }
}

/** What of the bag has been seen. A row in flight that the bag does not have makes everything after it wrong, and it should. */
function without(bag: Bag | undefined, inFlight: readonly Value[]): Bag | undefined {
  if (bag === undefined || inFlight.length === 0) return bag
  // Which of the rows those are is not known.
  if (bag.certainty !== 'exact') return { rows: bag.rows, certainty: 'open' }
  const held = new Map<string, number>()
  for (const row of inFlight) held.set(JSON.stringify(row), (held.get(JSON.stringify(row)) ?? 0) + 1)
  const rows = bag.rows.filter((row) => {
    const text = JSON.stringify(row)
    const count = held.get(text) ?? 0
    if (count > 0) held.set(text, count - 1)
    return count === 0
  })
  const strays = inFlight.filter((row) => (held.get(JSON.stringify(row)) ?? 0) > 0)
  return { rows: [...rows, ...strays], certainty: bag.certainty }
}

function together(bags: readonly (Bag | undefined)[]): Bag {
  let rows: readonly Value[] = []
  let certainty: Certainty = 'exact'
  for (const bag of bags) {
    if (bag === undefined) continue
    rows = rows.length === 0 ? bag.rows : [...rows, ...bag.rows]
    certainty = weaker(certainty, bag.certainty)
  }
  return { rows, certainty }
}

function inTopologicalOrder(document: JobDocument): readonly OperatorDocument[] {
  const done = new Set<string>()
  const order: OperatorDocument[] = []
  for (let round = 0; round <= document.operators.length; round++) {
    for (const operator of document.operators) {
      if (done.has(operator.uid)) continue
      if (document.edges.every((edge) => edge.to !== operator.uid || done.has(edge.from))) {
        done.add(operator.uid)
        order.push(operator)
      }
    }
  }
  return order
}
