/**
 * The status of the job. Flink: JobStatus (behaviour 15.4).
 *
 *   INITIALIZING ─► CREATED ─► RUNNING ─► FINISHED
 *                      │        │  ▲
 *                      │        ▼  │
 *                      │    RESTARTING
 *                      ├────────┤
 *                      ▼        ▼
 *                   FAILING ─► FAILED        CANCELLING ─► CANCELED       any ─► SUSPENDED
 *                      └──────────────────────────▲
 */
import { assert } from '../base/assert.ts'
import type { EventBody } from '../model/events.ts'
import type { JobStatus } from '../model/execution.ts'
import type { JobId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'

const NEXT: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  INITIALIZING: ['CREATED', 'FAILED', 'CANCELLING', 'SUSPENDED'],
  CREATED: ['RUNNING', 'FAILING', 'CANCELLING', 'SUSPENDED'],
  RUNNING: ['RESTARTING', 'FAILING', 'CANCELLING', 'FINISHED', 'SUSPENDED'],
  RESTARTING: ['RUNNING', 'FAILING', 'CANCELLING', 'SUSPENDED'],
  FAILING: ['FAILED', 'CANCELLING', 'SUSPENDED'],
  CANCELLING: ['CANCELED', 'SUSPENDED'],
  FAILED: [],
  CANCELED: [],
  FINISHED: [],
  SUSPENDED: [],
  RECONCILING: [],
}

export class JobStatusMachine {
  readonly job: JobId
  readonly startedAt: EngineTime
  /** When each status was last entered. */
  readonly timestamps = new Map<JobStatus, EngineTime>()
  private current: JobStatus = 'INITIALIZING'

  constructor(job: JobId, now: EngineTime) {
    this.job = job
    this.startedAt = now
    this.timestamps.set('INITIALIZING', now)
  }

  get status(): JobStatus {
    return this.current
  }

  is(...statuses: readonly JobStatus[]): boolean {
    return statuses.includes(this.current)
  }

  /** Moves on; returns the event to report. */
  to(status: JobStatus, now: EngineTime, cause?: string): EventBody {
    assert(NEXT[this.current].includes(status), `job status ${this.current} → ${status}`)
    const from = this.current
    this.current = status
    this.timestamps.set(status, now)
    return { type: 'JobStatusChanged', job: this.job, from, to: status, ...(cause === undefined ? {} : { cause }) }
  }
}
