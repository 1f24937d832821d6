/** The current key of a backend, in the forms that its tables need. Flink: InternalKeyContext. */
import { AssertionError } from '../../base/assert.ts'
import type { Scalar, Schema, Value } from '../../model/schema.ts'
import { keyGroup } from '../key-groups.ts'
import type { MapKey } from './state-entries.ts'

const NOT_COMPUTED = -1
export const NO_NUMBER = -1

export class KeyContext {
  readonly schema: Schema
  readonly maxParallelism: number
  key: Value | null = null
  mapKey: MapKey = ''
  /** Of the key, if whoever sets it numbers keys; else `NO_NUMBER`. */
  number = NO_NUMBER
  /** Another one for every key that is set. */
  stamp = 0
  private group = NOT_COMPUTED

  constructor(schema: Schema, maxParallelism: number) {
    this.schema = schema
    this.maxParallelism = maxParallelism
  }

  setKey(key: Value, number: number): void {
    this.key = key
    this.mapKey = typeof key === 'object' ? mapKeyOf(key) : key
    this.number = number
    this.stamp++
    this.group = NOT_COMPUTED
  }

  requireKey(): Value {
    if (this.key === null) throw new AssertionError('keyed state was used without a current key')
    return this.key
  }

  /** Computed when first asked for: a state that is only updated needs it once in its life. */
  keyGroup(): number {
    if (this.group === NOT_COMPUTED) this.group = keyGroup(this.requireKey(), this.schema, this.maxParallelism)
    return this.group
  }
}

/** A tuple as one text that no other tuple of the same types has: every String is preceded by its length. */
export function mapKeyOf(key: Value): MapKey {
  if (typeof key !== 'object') return key
  let text = ''
  for (const field of key as readonly Scalar[]) text += typeof field === 'string' ? `${field.length}:${field}` : `${field};`
  return text
}
