/** The partitioner of an output edge. */
import type { PartitionDescription } from '../../model/deployment.ts'
import { unreachable } from '../../base/assert.ts'
import { KeySelector } from '../key-selector.ts'
import { BroadcastPartitioner } from './broadcast-partitioner.ts'
import { ForwardPartitioner } from './forward-partitioner.ts'
import { KeyGroupPartitioner } from './key-group-partitioner.ts'
import type { Partitioner } from './partitioner.ts'
import { RoundRobinPartitioner } from './round-robin-partitioner.ts'

export function createPartitioner(description: PartitionDescription, subtask: number): Partitioner {
  const subpartitions = description.subpartitions.length
  switch (description.ship) {
    case 'forward':
      return new ForwardPartitioner()
    case 'rebalance':
      return new RoundRobinPartitioner(subpartitions, subtask)
    case 'rescale':
      return new RoundRobinPartitioner(subpartitions, 0)
    case 'broadcast':
      return new BroadcastPartitioner()
    case 'hash':
      return new KeyGroupPartitioner(new KeySelector(description.schema, description.by), subpartitions, description.maxParallelism, description.hashSalt)
    default:
      return unreachable(description.ship)
  }
}
