/** Tasks by state, and what they say of their vertex. Flink: ExecutionJobVertex.getAggregateJobVertexState. */
import type { ExecutionState } from '../../model/execution.ts'

/** As REST knows them: RECONCILING is Flink's legacy state, always 0 here. */
export type RestTaskState = ExecutionState | 'RECONCILING'

const STATES: readonly RestTaskState[] = [
  'CREATED', 'SCHEDULED', 'DEPLOYING', 'INITIALIZING', 'RUNNING', 'FINISHED', 'CANCELING', 'CANCELED', 'FAILED', 'RECONCILING',
]

export function countStates(states: readonly ExecutionState[]): Record<RestTaskState, number> {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<RestTaskState, number>
  for (const state of states) counts[state]++
  return counts
}

export function aggregateState(states: readonly ExecutionState[]): ExecutionState {
  const has = (state: ExecutionState): boolean => states.includes(state)
  if (has('FAILED')) return 'FAILED'
  if (has('CANCELING')) return 'CANCELING'
  if (has('CANCELED')) return 'CANCELED'
  if (has('INITIALIZING')) return 'INITIALIZING'
  if (has('RUNNING')) return 'RUNNING'
  if (has('FINISHED')) return states.every((state) => state === 'FINISHED') ? 'FINISHED' : 'RUNNING'
  if (has('DEPLOYING')) return 'DEPLOYING'
  return has('SCHEDULED') ? 'SCHEDULED' : 'CREATED'
}
