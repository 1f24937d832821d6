/**
 * Names of things in a job, for views and sentences: a vertex, a subtask, the two ends of a channel. Reads a compiled job graph.
 */
import type { ChannelId, VertexId } from '../model/ids.ts'
import type { JobEdge, JobGraph, JobVertex } from '../model/job-graph.ts'

export interface SubtaskRef {
  readonly vertex: VertexId
  readonly subtask: number
}

export interface ChannelEnds {
  readonly channel: ChannelId
  readonly edge: JobEdge
  readonly from: SubtaskRef
  readonly to: SubtaskRef
}

export const findVertex = (graph: JobGraph, vertex: VertexId): JobVertex | undefined => graph.vertices.find((candidate) => candidate.id === vertex)

/** "Delay per airport 0": the word on the drawing, in the inspector and in the narration. */
export function subtaskName(graph: JobGraph | null, vertex: VertexId, subtask: number): string {
  const found = graph === null ? undefined : findVertex(graph, vertex)
  return `${found?.name ?? vertex.slice(0, 8)} ${subtask}`
}

const CHANNEL = /^(\d+):(\d+)>(\d+)$/

/** Null where the id does not belong to this graph. */
export function channelEnds(graph: JobGraph | null, channel: ChannelId): ChannelEnds | null {
  const match = CHANNEL.exec(channel)
  if (match === null || graph === null) return null
  const edge = graph.edges[Number(match[1])]
  if (edge === undefined) return null
  return {
    channel,
    edge,
    from: { vertex: edge.from, subtask: Number(match[2]) },
    to: { vertex: edge.to, subtask: Number(match[3]) },
  }
}

/** "the channel from Flights 1". */
export function senderName(graph: JobGraph | null, channel: ChannelId): string {
  const ends = channelEnds(graph, channel)
  return ends === null ? channel : subtaskName(graph, ends.from.vertex, ends.from.subtask)
}

export function receiverName(graph: JobGraph | null, channel: ChannelId): string {
  const ends = channelEnds(graph, channel)
  return ends === null ? channel : subtaskName(graph, ends.to.vertex, ends.to.subtask)
}

/** Every subtask, vertex by vertex in topological order: the row order of all tables. */
export function allSubtasks(graph: JobGraph): SubtaskRef[] {
  return graph.vertices.flatMap((vertex) => Array.from({ length: vertex.parallelism }, (_, subtask) => ({ vertex: vertex.id, subtask })))
}
