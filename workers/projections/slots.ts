/** Does the job stand still for want of slots? Slot sharing: one slot takes a subtask of each vertex, so the highest parallelism counts. */
import { isGloballyTerminal } from '../model/execution.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { EngineTime } from '../model/time.ts'
import type { JobView } from './job-view.ts'

export interface SlotsWanted {
  readonly needed: number
  /** Of the TaskManagers that are registered and live. */
  readonly there: number
  /** The first of the waiting subtasks has been SCHEDULED since then. */
  readonly since: EngineTime
}

/** Null while nothing is SCHEDULED, or the slots are there and the tasks are only on their way. */
export function slotsWanted(job: JobView, graph: JobGraph | null): SlotsWanted | null {
  if (graph === null || job.status === null || isGloballyTerminal(job.status)) return null
  const waiting = Object.values(job.tasks).filter((task) => task.state === 'SCHEDULED')
  if (waiting.length === 0) return null
  const needed = Math.max(0, ...graph.vertices.map((vertex) => vertex.parallelism))
  const there = job.taskManagers.reduce((sum, tm) => sum + (tm.state === 'live' ? tm.slots : 0), 0)
  return there < needed ? { needed, there, since: Math.min(...waiting.map((task) => task.since)) } : null
}

/** "waiting for 3 slots, 2 are there". */
export const slotsSentence = ({ needed, there }: Pick<SlotsWanted, 'needed' | 'there'>): string =>
  `waiting for ${needed} ${needed === 1 ? 'slot' : 'slots'}, ${there === 0 ? 'none is' : there === 1 ? '1 is' : `${there} are`} there`
