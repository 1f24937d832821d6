/**
 * How the results of an aggregate are kept and computed: slots of state, shared where two results need the same one (the mean of a field
 * uses its sum and the count). Compiler, engine and page derive it from the parameters alone.
 */
import { fieldIndex, type Field, type FieldType, type Schema } from '../schema.ts'
import type { AggregateSpec } from './operator-type.ts'

export interface AggregateSlot {
  readonly fn: 'count' | 'sum' | 'min' | 'max'
  /** Position of the field in the input; -1 for a count. */
  readonly field: number
  readonly type: FieldType
  readonly name: string
}

export interface AggregateLayout {
  readonly slots: readonly AggregateSlot[]
  /** By result: the slot, and for a mean the slot of the count to divide by. */
  readonly outputs: readonly { readonly slot: number; readonly count: number | null; readonly field: Field }[]
  /** One slot: the bare value. Several: a tuple of them. */
  readonly state: Schema
}

/** A sum of Int is a Long, as a sum of many Ints must be; min and max keep their type; a mean is a Double. */
export function aggregateLayout(input: Schema, specs: readonly AggregateSpec[]): AggregateLayout {
  const slots: AggregateSlot[] = []
  const slot = (fn: AggregateSlot['fn'], field: number, name: string): number => {
    const found = slots.findIndex((candidate) => candidate.fn === fn && candidate.field === field)
    if (found >= 0) return found
    const fieldType = input.fields[field]?.type ?? 'Long'
    const type = fn === 'count' || (fn === 'sum' && fieldType === 'Int') ? 'Long' : fieldType
    return slots.push({ fn, field, type, name }) - 1
  }
  const direct = specs.map((spec) => (spec.fn === 'mean' ? -1 : slot(spec.fn, fieldOf(input, spec), spec.as)))
  const outputs = specs.map((spec, i) => {
    if (spec.fn !== 'mean') {
      const index = direct[i] ?? 0
      return { slot: index, count: null, field: { name: spec.as, type: slots[index]?.type ?? 'Long' } }
    }
    const sum = slot('sum', fieldOf(input, spec), `${spec.as}-sum`)
    return { slot: sum, count: slot('count', -1, `${spec.as}-count`), field: { name: spec.as, type: 'Double' as const } }
  })
  const fields = slots.map(({ name, type }) => ({ name, type }))
  return { slots, outputs, state: { kind: fields.length === 1 ? 'bare' : 'tuple', fields } }
}

const fieldOf = (input: Schema, spec: AggregateSpec): number => (spec.field === undefined ? -1 : fieldIndex(input, spec.field))
