import type { EngineEvent } from '../model/events.ts'
import type { JobStatus } from '../model/execution.ts'
import type { EventChecker } from './checker.ts'

/** Flink's job state machine (behaviour 15.4, JobStatus): which status may follow which. SUSPENDED may follow any that is not terminal. */
const NEXT: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  INITIALIZING: ['CREATED', 'FAILED', 'CANCELED'],
  CREATED: ['RUNNING', 'RESTARTING', 'FAILING', 'CANCELLING'],
  RUNNING: ['RESTARTING', 'FAILING', 'CANCELLING', 'FINISHED'],
  RESTARTING: ['RUNNING', 'CREATED', 'FAILING', 'CANCELLING', 'RESTARTING'],
  FAILING: ['FAILED', 'CANCELLING'],
  CANCELLING: ['CANCELED'],
  FAILED: [],
  CANCELED: [],
  FINISHED: [],
  SUSPENDED: [],
  RECONCILING: [],
}

const mayFollow = (from: JobStatus, to: JobStatus): boolean => NEXT[from].includes(to) || (to === 'SUSPENDED' && NEXT[from].length > 0)

/** The job only makes Flink's transitions, and each names the status that it really left. A new leader starts over. */
export class JobStates implements EventChecker {
  readonly invariant = 'job-states'
  private current: JobStatus | null = null

  check(event: EngineEvent): string | null {
    const body = event.body
    if (body.type === 'LeadershipGranted' || body.type === 'JobSubmitted') this.current = null
    if (body.type !== 'JobStatusChanged') return null
    const before = this.current
    this.current = body.to
    if (before !== null && body.from !== before) return `status changed from ${body.from}, but it was ${before}`
    if (!mayFollow(body.from, body.to)) return `${body.from} → ${body.to} is no transition of a job`
    return null
  }
}
