/** To every subtask. Flink: BroadcastPartitioner. */
import { ALL } from './partitioner.ts'
import type { Partitioner } from './partitioner.ts'

export class BroadcastPartitioner implements Partitioner {
  select(): number {
    return ALL
  }
}
