/**
 * One checkpoint under way: who still has to acknowledge, and what has come in. Flink: PendingCheckpoint (behaviour 3.1).
 *
 *   PREPARING ── location ready, tasks told ──► ACKNOWLEDGING ── all have acked ──► FINALIZING ── stored ──► (completed)
 *       └──────────────────────┴──── abort ──► (aborted)              a failed write ──► (aborted)
 */
import type { CheckpointMetrics, SnapshotType } from '../model/checkpoint.ts'
import type { CheckpointId, ExecutionAttemptId, OperatorId } from '../model/ids.ts'
import type { TaskStateSnapshot } from '../model/state-handles.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointPlan, TaskRef } from './checkpoint-plan.ts'
import type { CheckpointRequest } from './checkpoint-request.ts'

export type AcknowledgeResult = 'SUCCESS' | 'DUPLICATE' | 'UNKNOWN' | 'DISCARDED'

export interface TaskAcknowledgement {
  readonly task: TaskRef
  readonly metrics: CheckpointMetrics
  readonly snapshot: TaskStateSnapshot
}

export class PendingCheckpoint {
  readonly id: CheckpointId
  readonly request: CheckpointRequest
  readonly type: SnapshotType
  readonly plan: CheckpointPlan
  readonly triggeredAt: EngineTime
  /** Of a savepoint: as long as it is being prepared, another one may be tried. */
  location: string
  phase: 'PREPARING' | 'ACKNOWLEDGING' | 'FINALIZING' | 'DISPOSED' = 'PREPARING'
  latestAckAt: EngineTime | null = null
  /** What lies there is this checkpoint's, and goes with it if it is aborted. */
  isLocationOwned = false
  readonly coordinatorStates = new Map<OperatorId, Uint8Array>()
  private readonly outstanding = new Map<ExecutionAttemptId, TaskRef>()
  private readonly acknowledged = new Map<ExecutionAttemptId, TaskAcknowledgement>()

  constructor(
    id: CheckpointId, request: CheckpointRequest, type: SnapshotType, plan: CheckpointPlan, triggeredAt: EngineTime, location: string,
  ) {
    this.id = id
    this.request = request
    this.type = type
    this.plan = plan
    this.triggeredAt = triggeredAt
    this.location = location
    for (const task of plan.waitFor) this.outstanding.set(task.attempt, task)
  }

  get tasks(): number {
    return this.plan.waitFor.length + this.plan.finished.length
  }

  /** Finished tasks count as acknowledged from the start (behaviour 14). */
  get acknowledgedTasks(): number {
    return this.acknowledged.size + this.plan.finished.length
  }

  get isFullyAcknowledged(): boolean {
    return this.outstanding.size === 0
  }

  get acknowledgements(): Iterable<TaskAcknowledgement> {
    return this.acknowledged.values()
  }

  acknowledge(attempt: ExecutionAttemptId, metrics: CheckpointMetrics, snapshot: TaskStateSnapshot, now: EngineTime): AcknowledgeResult {
    if (this.phase === 'DISPOSED') return 'DISCARDED'
    const task = this.outstanding.get(attempt)
    if (task === undefined) return this.acknowledged.has(attempt) ? 'DUPLICATE' : 'UNKNOWN'
    this.outstanding.delete(attempt)
    this.acknowledged.set(attempt, { task, metrics, snapshot })
    this.latestAckAt = now
    return 'SUCCESS'
  }

  isWaitingFor(attempt: ExecutionAttemptId): boolean {
    return this.outstanding.has(attempt)
  }

  /** The task that waits for this checkpoint to be acknowledged, or did acknowledge it. */
  task(attempt: ExecutionAttemptId): TaskRef | null {
    return this.outstanding.get(attempt) ?? this.acknowledged.get(attempt)?.task ?? null
  }
}
