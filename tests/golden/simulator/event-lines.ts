import type { EngineEvent } from '../../../workers/model/events.ts'
import type { JobGraph } from '../../../workers/model/job-graph.ts'

/** Told elsewhere, or so many that nobody reads them. */
const LEFT_OUT = new Set(['AsyncSnapshotProgressed', 'CheckpointScheduled', 'CoordinatorSnapshotTaken'])

/** What of an event is asserted: no times, durations, sizes or attempt ids. */
const DETAILS = [
  'name', 'from', 'to', 'taskManager', 'fault', 'token', 'reason', 'channel', 'arrived', 'expected', 'acknowledged', 'tasks', 'channels', 'by', 'split', 'offset', 'rows',
] as const

/** One fixed-width line for each event: who, what, which checkpoint, the rest. */
export function eventLines(events: readonly EngineEvent[], graph: JobGraph): string {
  const names = new Map<string, string>(graph.vertices.map((vertex) => [vertex.id, vertex.chain[0]?.uid ?? vertex.name]))
  const lines = events.filter(({ body }) => !LEFT_OUT.has(body.type)).map((event) => line(event, names))
  return `${lines.join('\n')}\n`
}

function line({ source, body }: EngineEvent, names: ReadonlyMap<string, string>): string {
  const fields = body as unknown as Readonly<Record<string, unknown>>
  const task = 'attempt' in body && 'vertex' in body ? `${names.get(body.vertex) ?? body.vertex}/${body.subtask}` : ''
  const who = source === 'jobmanager' || source === 'outside' || source === 'cluster' ? source : task
  const about = who === task ? '' : task
  const checkpoint = 'checkpointId' in body ? `#${body.checkpointId}` : ''
  const details = DETAILS.filter((name) => fields[name] !== undefined && fields[name] !== null).map((name) => `${name}=${JSON.stringify(fields[name])}`)
  return [who.padEnd(11), body.type.padEnd(27), checkpoint.padEnd(4), about.padEnd(9), details.join(' ')].join(' ').trimEnd()
}
