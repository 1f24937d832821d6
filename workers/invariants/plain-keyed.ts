/** Keyed operators of the catalogue in the plain model. */
import type { Scalar, Value } from '../model/schema.ts'
import { aggregateLayout } from '../model/catalogue/aggregate-layout.ts'
import type { AggregateSpec } from '../model/catalogue/operator-type.ts'
import { fieldOf, keyOf, type Bag, type Certainty, type KeyedInput, type PlainState } from './plain-values.ts'

type Params = Readonly<Record<string, unknown>>
type Keep = (state: PlainState) => void

/** The rows of each key, by the key's JSON, in order of arrival here. */
function grouped(input: KeyedInput): Map<string, { key: Value; rows: Value[] }> {
  const groups = new Map<string, { key: Value; rows: Value[] }>()
  for (const row of input.bag.rows) {
    const key = keyOf(row, input)
    const text = JSON.stringify(key)
    const group = groups.get(text)
    if (group === undefined) groups.set(text, { key, rows: [row] })
    else group.rows.push(row)
  }
  return groups
}

const asList = (key: Value): readonly Scalar[] => (Array.isArray(key) ? (key as readonly Scalar[]) : [key as Scalar])

/** Running figures of one field of one key. */
interface Running {
  count: number
  sum: number
  min: number
  max: number
}

/**
 * The state of a key does not depend on the order (integers only); the updates that leave on the way do, unless all records of the key
 * carry the same figures.
 */
export function evaluateAggregate(input: KeyedInput, params: Params, keep: Keep): Bag {
  const specs = params['aggregates'] as readonly AggregateSpec[]
  const layout = aggregateLayout(input.schema, specs)
  const names = [...new Set(specs.flatMap((spec) => (spec.field === undefined ? [] : [spec.field])))]
  const entries = new Map<string, string>()
  const rows: Value[] = []
  let alike = true
  for (const [text, group] of grouped(input)) {
    const running = new Map<string, Running>(['', ...names].map((name) => [name, { count: 0, sum: 0, min: Infinity, max: -Infinity }]))
    for (const row of group.rows) {
      for (const [name, figures] of running) add(figures, name === '' ? 0 : Number(fieldOf(row, input.schema, name)))
      rows.push([...asList(group.key), ...specs.map((spec) => figure(spec.fn, running.get(spec.field ?? '')))])
    }
    if ([...running.values()].some((figures) => figures.min !== figures.max)) alike = false
    const slots = layout.slots.map((slot) => figure(slot.fn, running.get(input.schema.fields[slot.field]?.name ?? '')))
    entries.set(text, JSON.stringify(slots.length === 1 ? slots[0] : slots))
  }
  if (input.bag.certainty === 'exact') keep({ entries, exact: true })
  return { rows, certainty: output(input, alike) }
}

function add(figures: Running, value: number): void {
  figures.count++
  figures.sum += value
  figures.min = Math.min(figures.min, value)
  figures.max = Math.max(figures.max, value)
}

function figure(fn: AggregateSpec['fn'], figures: Running | undefined): number {
  const { count, sum, min, max } = figures ?? { count: 0, sum: 0, min: 0, max: 0 }
  return { count, sum, min, max, mean: sum / count }[fn]
}

const output = (input: KeyedInput, orderFree: boolean): Certainty => (input.bag.certainty === 'exact' ? (orderFree ? 'exact' : 'counted') : 'open')

export function evaluateCount(input: KeyedInput, params: Params, keep: Keep): Bag {
  const every = Number(params['emitEvery'] ?? 1)
  const entries = new Map<string, string>()
  const rows: Value[] = []
  for (const [text, group] of grouped(input)) {
    for (let count = every; count <= group.rows.length; count += every) rows.push([...asList(group.key), count])
    entries.set(text, JSON.stringify(group.rows.length))
  }
  if (input.bag.certainty === 'exact') keep({ entries, exact: true })
  return { rows, certainty: output(input, true) }
}

/** Which record of input 2 was the latest depends on the order, unless all of a key are alike; so does who found a match. */
export function evaluateLatestJoin(left: KeyedInput, right: KeyedInput, params: Params, keep: Keep): Bag {
  const latest = new Map<string, string>()
  let alike = true
  for (const [text, group] of grouped(right)) {
    const texts = group.rows.map((row) => JSON.stringify(row))
    if (texts.some((row) => row !== texts[0])) alike = false
    latest.set(text, texts[0] as string)
  }
  if (right.bag.certainty === 'exact') keep({ entries: latest, exact: alike })
  const added = right.schema.fields.filter((field) => !right.key.includes(field.name))
  const rows = left.bag.rows.map((row) => [...asList(row), ...added.map((field) => (field.type === 'String' ? '' : field.type === 'Boolean' ? false : 0))])
  const everyRowLeaves = params['unmatched'] === 'defaults' && left.bag.certainty !== 'open'
  return { rows, certainty: everyRowLeaves ? 'counted' : 'open' }
}

