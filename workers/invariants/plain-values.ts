/** The values that the plain model computes with. */
import { fieldIndex, type Scalar, type Schema, type Value } from '../model/schema.ts'

export type Certainty = 'exact' | 'counted' | 'open'

export interface Bag {
  readonly rows: readonly Value[]
  readonly certainty: Certainty
}

/** Keyed state: JSON of the key → JSON of the value; `exact` false: only the set of keys is certain; null: nothing is. */
export interface PlainState {
  readonly entries: ReadonlyMap<string, string>
  readonly exact: boolean
}

export interface KeyedInput {
  readonly bag: Bag
  readonly schema: Schema
  readonly key: readonly string[]
}

export const weaker = (a: Certainty, b: Certainty): Certainty => {
  const order: readonly Certainty[] = ['exact', 'counted', 'open']
  return order[Math.max(order.indexOf(a), order.indexOf(b))] ?? 'open'
}

export const fieldOf = (value: Value, schema: Schema, name: string): Scalar => {
  if (!Array.isArray(value)) return value as Scalar
  return (value as readonly Scalar[])[fieldIndex(schema, name)] as Scalar
}

/** One key field: the bare value; several: the list of them. */
export const keyOf = (value: Value, input: KeyedInput): Value => {
  const fields = input.key.map((name) => fieldOf(value, input.schema, name))
  return fields.length === 1 ? (fields[0] as Scalar) : fields
}
