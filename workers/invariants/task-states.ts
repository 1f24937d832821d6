import type { EngineEvent } from '../model/events.ts'
import { isTerminalExecution, type ExecutionState } from '../model/execution.ts'
import type { EventChecker } from './checker.ts'

const ORDER: readonly ExecutionState[] = ['CREATED', 'SCHEDULED', 'DEPLOYING', 'INITIALIZING', 'RUNNING', 'FINISHED']

/**
 * Flink's task state machine (behaviour 15.5, ExecutionState): one step at a time towards FINISHED; CANCELING from any that is not terminal,
 * and then CANCELED; FAILED from any that is not terminal; a restart is a new attempt. As the JobManager sees it.
 */
function mayFollow(from: ExecutionState, to: ExecutionState): boolean {
  if (isTerminalExecution(from)) return false
  if (to === 'FAILED' || to === 'CANCELED') return true
  if (to === 'CANCELING') return from !== 'CANCELING'
  if (from === 'CANCELING') return false
  return ORDER.indexOf(to) === ORDER.indexOf(from) + 1
}

/** Every attempt makes Flink's transitions only. Attempts of a former leader are forgotten when a new one is granted leadership. */
export class TaskStates implements EventChecker {
  readonly invariant = 'task-states'
  private states = new Map<string, ExecutionState>()

  startJob(): void {
    this.states.clear()
  }

  check(event: EngineEvent): string | null {
    const body = event.body
    if (body.type === 'LeadershipGranted') this.states.clear()
    if (body.type !== 'TaskStateChanged') return null
    const from = this.states.get(body.attempt) ?? null
    this.states.set(body.attempt, body.to)
    if (from === null) return body.to === 'CREATED' || body.to === 'SCHEDULED' ? null : `${body.attempt} began as ${body.to}`
    return mayFollow(from, body.to) ? null : `${body.attempt}: ${from} → ${body.to} is no transition of a task`
  }
}
