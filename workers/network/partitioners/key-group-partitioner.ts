/** To the subtask that owns the key group of the record's key. Flink: KeyGroupStreamPartitioner. */
import type { Value } from '../../model/schema.ts'
import { javaHashCode, keyGroup, murmur, subtaskOf } from '../../state/key-groups.ts'
import type { KeySelector } from '../key-selector.ts'
import type { Partitioner } from './partitioner.ts'

export class KeyGroupPartitioner implements Partitioner {
  readonly selector: KeySelector
  private readonly subpartitions: number
  private readonly maxParallelism: number
  /** 0: the hash of a key is the same everywhere. */
  private readonly salt: number

  constructor(selector: KeySelector, subpartitions: number, maxParallelism: number, salt = 0) {
    this.selector = selector
    this.subpartitions = subpartitions
    this.maxParallelism = maxParallelism
    this.salt = salt
  }

  select(value: Value): number {
    return this.selectByKey(this.selector.keyOf(value))
  }

  selectByKey(key: Value): number {
    const { schema } = this.selector
    const group = this.salt === 0 ? keyGroup(key, schema, this.maxParallelism) : murmur(javaHashCode(key, schema) ^ this.salt) % this.maxParallelism
    return subtaskOf(group, this.subpartitions, this.maxParallelism)
  }
}
