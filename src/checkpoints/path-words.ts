/** What each stretch of the critical path is, in words. */
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { CheckpointProgress } from '../../workers/projections/checkpoint-progress.ts'
import type { PathSegment } from '../../workers/projections/critical-path.ts'
import { receiverName, senderName, subtaskName } from '../../workers/projections/plan.ts'
import { count } from '../widgets/figures.ts'

export function segmentWords(segment: PathSegment, graph: JobGraph | null, progress: CheckpointProgress | undefined): string {
  const name = subtaskName(graph, segment.vertex, segment.subtask)
  switch (segment.kind) {
    case 'trigger':
      return segment.open ? `${name} has not taken the trigger` : `${name} takes the trigger`
    case 'wire':
      return `barrier on the wire to ${name}`
    case 'queue':
      return queueWords(segment, graph, progress)
    case 'timeout':
      return `${name} aligns until the time-out`
    case 'pre-barrier':
      return `${name}, before its own barrier`
    case 'sync':
      return `sync, ${name}`
    case 'async':
      return `${segment.open ? 'writes' : 'upload'}, ${name}`
    case 'acknowledgement':
      return segment.open ? `acknowledgements, ${name} among them` : `ack of ${name} on its way`
  }
}

function queueWords(segment: PathSegment, graph: JobGraph | null, progress: CheckpointProgress | undefined): string {
  if (segment.channel === null) return `barrier on its way to ${subtaskName(graph, segment.vertex, segment.subtask)}`
  const way = `${senderName(graph, segment.channel)} to ${receiverName(graph, segment.channel)}`
  const place = progress?.places[segment.channel]
  if (place === undefined) return `behind data on ${way}`
  const records = place.mostRecords === 1 ? '1 record' : `${count(place.mostRecords)} records`
  const buffers = place.mostBuffers === 1 ? '1 buffer' : `${count(place.mostBuffers)} buffers`
  return `behind ${records} or more in ${buffers}, ${way}`
}

/** The longest of them get letters on the drawing, in order of time. */
export function letteredSegments(segments: readonly PathSegment[], most = 5): ReadonlyMap<PathSegment, string> {
  const longest = new Set(segments.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, most))
  return new Map(segments.filter((segment) => longest.has(segment)).map((segment, index) => [segment, String.fromCharCode(97 + index)]))
}

const WHOLE_FROM = 10_000

/**
 * The time from `from` to `to`, both since the trigger at `since`, such that the figures of a path add up to that of the whole, and the whole is the end
 * to end duration that Flink shows: the difference of two times in whole milliseconds. Under 10 ms they are tenths.
 */
export function exactMillis(from: number, to: number, whole: number, since = 0): string {
  if (whole >= WHOLE_FROM) return `${count(Math.floor((since + to) / 1000) - Math.floor((since + from) / 1000))} ms`
  return `${((Math.floor(to / 100) - Math.floor(from / 100)) / 10).toFixed(1)} ms`
}
