/** Which subtasks an edge joins. Flink: EdgeManagerBuildUtil: pointwise or all-to-all. */
import type { JobEdge } from '../model/job-graph.ts'

export const isPointwise = (edge: JobEdge): boolean => edge.ship === 'forward' || edge.ship === 'rescale'

/** Receiving subtasks of one sending subtask, ascending. */
export function receiversOf(edge: JobEdge, sender: number, senders: number, receivers: number): readonly number[] {
  if (!isPointwise(edge)) return range(0, receivers)
  if (senders >= receivers) {
    for (let receiver = 0; receiver < receivers; receiver++) {
      if (sender < Math.floor(((receiver + 1) * senders) / receivers)) return [receiver]
    }
  }
  return range(Math.floor((sender * receivers + senders - 1) / senders), Math.floor(((sender + 1) * receivers + senders - 1) / senders))
}

/** Sending subtasks of one receiving subtask, ascending. */
export function sendersOf(edge: JobEdge, receiver: number, senders: number, receivers: number): readonly number[] {
  return range(0, senders).filter((sender) => receiversOf(edge, sender, senders, receivers).includes(receiver))
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)
