/** Does the job stand still for want of slots? Slot sharing: one slot takes a subtask of each vertex, so the highest parallelism counts. */
import { isGloballyTerminal } from '../model/execution.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { JobView } from './job-view.ts'

export interface SlotsWanted {
  readonly needed: number
  /** Of the TaskManagers that are registered and live. */
  readonly there: number
}

/** Null while nothing is SCHEDULED, or the slots are there and the tasks are only on their way. */
export function slotsWanted(job: JobView, graph: JobGraph | null): SlotsWanted | null {
  if (graph === null || job.status === null || isGloballyTerminal(job.status)) return null
  if (Object.values(job.tasks).every((task) => task.state !== 'SCHEDULED')) return null
  const needed = Math.max(0, ...graph.vertices.map((vertex) => vertex.parallelism))
  const there = job.taskManagers.reduce((sum, tm) => sum + (tm.state === 'live' ? tm.slots : 0), 0)
  return there < needed ? { needed, there } : null
}

/** "waiting for 3 slots, 2 are there". */
export const slotsSentence = ({ needed, there }: SlotsWanted): string =>
  `waiting for ${needed} ${needed === 1 ? 'slot' : 'slots'}, ${there === 0 ? 'none is' : there === 1 ? '1 is' : `${there} are`} there`
