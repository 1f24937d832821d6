/** To the subtask that owns the key group of the record's key. Flink: KeyGroupStreamPartitioner. */
import type { Value } from '../../model/schema.ts'
import { keyGroup, subtaskOf } from '../../state/key-groups.ts'
import type { KeySelector } from '../key-selector.ts'
import type { Partitioner } from './partitioner.ts'

export class KeyGroupPartitioner implements Partitioner {
  readonly selector: KeySelector
  private readonly subpartitions: number
  private readonly maxParallelism: number

  constructor(selector: KeySelector, subpartitions: number, maxParallelism: number) {
    this.selector = selector
    this.subpartitions = subpartitions
    this.maxParallelism = maxParallelism
  }

  select(value: Value): number {
    return this.selectByKey(this.selector.keyOf(value))
  }

  selectByKey(key: Value): number {
    return subtaskOf(keyGroup(key, this.selector.schema, this.maxParallelism), this.subpartitions, this.maxParallelism)
  }
}
