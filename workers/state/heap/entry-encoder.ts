/** One entry of a native keyed file: the void namespace, key, value. */
import type { Schema, Value } from '../../model/schema.ts'
import { ValueEncoder } from '../serializers/value-encoder.ts'

const VOID_NAMESPACE = 0
const NAMESPACE_LENGTH = 1

/** Immutable: copies of a machine share it. */
export class EntryEncoder {
  private readonly key: ValueEncoder
  private readonly value: ValueEncoder

  constructor(key: Schema, value: Schema) {
    this.key = new ValueEncoder(key)
    this.value = new ValueEncoder(value)
  }

  /** An entry keeps its length whatever its value is. */
  get hasFixedValue(): boolean {
    return this.value.isFixed
  }

  length(key: Value, value: Value): number {
    return NAMESPACE_LENGTH + this.key.length(key) + this.value.length(value)
  }

  /** How much longer the entry is with the other value. */
  growth(from: Value, to: Value): number {
    return this.value.growth(from, to)
  }

  put(bytes: Uint8Array, at: number, key: Value, value: Value): number {
    bytes[at] = VOID_NAMESPACE
    return this.value.put(bytes, this.key.put(bytes, at + NAMESPACE_LENGTH, key), value)
  }
}
