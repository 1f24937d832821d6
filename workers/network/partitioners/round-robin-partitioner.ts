/**
 * Each connected subtask in turn. Flink: RebalancePartitioner (all subtasks of the receiver; starts at a random one, ours at the sender's
 * own index, so that runs repeat) and RescalePartitioner (the few that the wiring connects; starts at the first).
 */
import type { Partitioner } from './partitioner.ts'

export class RoundRobinPartitioner implements Partitioner {
  private readonly subpartitions: number
  private next: number

  constructor(subpartitions: number, first: number) {
    this.subpartitions = subpartitions
    this.next = first % subpartitions
  }

  select(): number {
    const selected = this.next
    this.next = selected + 1 === this.subpartitions ? 0 : selected + 1
    return selected
  }
}
