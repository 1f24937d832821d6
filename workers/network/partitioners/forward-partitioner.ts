/** To the one connected subtask. Flink: ForwardPartitioner. */
import type { Partitioner } from './partitioner.ts'

export class ForwardPartitioner implements Partitioner {
  select(): number {
    return 0
  }
}
