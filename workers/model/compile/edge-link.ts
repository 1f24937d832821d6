/** What the channels of an edge are like, by the document: how many bytes a second, and how late. Ours alone; no rule of Flink. */
import type { EdgeDocument } from '../job-document.ts'
import type { EdgeLink, Problem } from '../job-graph.ts'
import { parseDuration, parseMemory } from '../options/values.ts'
import { mistake } from './shape.ts'

/** Bytes per second, and engine microseconds. What cannot be read is a problem, and absent. */
export function linkOf(edge: EdgeDocument, index: number, problems: Problem[]): EdgeLink {
  const bytesPerSecond = rateOf(edge, index, problems)
  const delayMicros = delayOf(edge, index, problems)
  return { ...(bytesPerSecond === null ? {} : { bytesPerSecond }), ...(delayMicros === 0 ? {} : { delayMicros }) }
}

function rateOf({ rate }: EdgeDocument, index: number, problems: Problem[]): number | null {
  if (rate === undefined) return null
  const parsed = parseMemory(rate)
  if (parsed.ok && parsed.value > 0) return parsed.value
  const text = parsed.ok ? 'Nothing gets through a channel with a rate of 0.' : `Could not read the rate: ${parsed.error}.`
  problems.push(mistake(['edges', index, 'rate'], text, 'Write bytes per second, as in "64 kb", or leave it out.'))
  return null
}

function delayOf({ delay }: EdgeDocument, index: number, problems: Problem[]): number {
  if (delay === undefined) return 0
  const parsed = parseDuration(delay)
  if (parsed.ok) return parsed.value
  problems.push(mistake(['edges', index, 'delay'], `Could not read the delay: ${parsed.error}.`, 'Write a whole number and a unit, as in "200 ms", or leave it out.'))
  return 0
}
