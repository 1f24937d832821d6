/**
 * Which key group a key belongs to, and which subtask owns it. Flink: KeyGroupRangeAssignment, MathUtils. Keys are String, Int, Long,
 * Boolean, and tuples of them (DESIGN 8, 18); nothing else has a hash that a file could be shared by.
 * `keyGroup` runs once per record of a keyed exchange: integer arithmetic only, no allocation.
 */
import type { FieldType, Scalar, Schema, Value } from '../model/schema.ts'
import type { KeyGroupRange } from '../model/state-handles.ts'

export const MAX_PARALLELISM_UPPER_BOUND = 32768
export const DEFAULT_MAX_PARALLELISM_LOWER_BOUND = 128

/** Key group of a key, in [0, maxParallelism). */
export function keyGroup(key: Value, schema: Schema, maxParallelism: number): number {
  return murmur(javaHashCode(key, schema)) % maxParallelism
}

/** Java's `hashCode` of a key, a signed 32-bit integer: of the bare value, or of Flink's tuple of the fields. */
export function javaHashCode(key: Value, schema: Schema): number {
  const fields = schema.fields
  if (schema.kind === 'bare') return scalarHash(key as Scalar, (fields[0] as { type: FieldType }).type)
  const values = key as readonly Scalar[]
  let h = 0
  for (let i = 0; i < fields.length; i++) {
    h = (Math.imul(h, 31) + scalarHash(values[i] as Scalar, (fields[i] as { type: FieldType }).type)) | 0
  }
  return h
}

function scalarHash(value: Scalar, type: FieldType): number {
  switch (type) {
    case 'String':
      return stringHash(value as string)
    case 'Int':
      return (value as number) | 0
    case 'Long':
      return longHash(value as number)
    case 'Boolean':
      return value ? 1231 : 1237
    case 'Double':
      throw new RangeError('a Double cannot be a key: keys are String, Int, Long, Boolean and tuples of them')
  }
}

/** Java's `String.hashCode`: over UTF-16 code units. */
export function stringHash(text: string): number {
  let h = 0
  for (let i = 0; i < text.length; i++) h = (Math.imul(h, 31) + text.charCodeAt(i)) | 0
  return h
}

/** Java's `Long.hashCode` of a safe integer: low half XOR high half of the two's complement. */
function longHash(value: number): number {
  const low = value | 0
  return low === value ? low ^ (low >> 31) : low ^ Math.floor(value / 4294967296)
}

/** Murmur3 of one four-byte block, made non-negative as Flink does it. */
export function murmur(hash: number): number {
  let h = Math.imul(hash, 0xcc9e2d51)
  h = (h << 15) | (h >>> 17)
  h = Math.imul(h, 0x1b873593)
  h = (h << 13) | (h >>> 19)
  h = (Math.imul(h, 5) + 0xe6546b64) | 0
  h ^= 4
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  h ^= h >>> 16
  if (h >= 0) return h
  return h === -2147483648 ? 0 : -h
}

/** The subtask that owns a key group. */
export const subtaskOf = (group: number, parallelism: number, maxParallelism: number): number =>
  Math.floor((group * parallelism) / maxParallelism)

/** The contiguous key groups of one subtask, both ends inclusive. Empty (end < start) never occurs while parallelism ≤ maxParallelism. */
export function keyGroupRange(subtask: number, parallelism: number, maxParallelism: number): KeyGroupRange {
  const start = Math.ceil((subtask * maxParallelism) / parallelism)
  const end = Math.floor(((subtask + 1) * maxParallelism - 1) / parallelism)
  return { start, end }
}

/** Flink's default: the power of two at or above 1.5 × parallelism, between 128 and 32768. */
export function defaultMaxParallelism(parallelism: number): number {
  const wanted = parallelism + Math.floor(parallelism / 2)
  let power = DEFAULT_MAX_PARALLELISM_LOWER_BOUND
  while (power < wanted && power < MAX_PARALLELISM_UPPER_BOUND) power *= 2
  return power
}
