/** Which subpartition a record goes to. Flink: ChannelSelector, StreamPartitioner. */
import type { Value } from '../../model/schema.ts'

export interface Partitioner {
  /** A subpartition index, or `ALL`. */
  select(value: Value): number
}

/** Every subpartition gets the record. */
export const ALL = -1
