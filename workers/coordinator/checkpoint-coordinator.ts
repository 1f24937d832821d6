/**
 * Triggers checkpoints, collects acknowledgements, completes or aborts. Flink: CheckpointCoordinator (behaviour 2, 3).
 * Simplified: one storage transaction stands for Flink's I/O executor; no master hooks, no savepoints yet.
 */
import type { Prng } from '../base/prng.ts'
import { CHECKPOINT_FAILURE_REASONS } from '../model/checkpoint.ts'
import type { AlignmentType, CheckpointFailureReason, CheckpointMetrics } from '../model/checkpoint.ts'
import type { JobStatus } from '../model/execution.ts'
import type { CheckpointId, ExecutionAttemptId, JobId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { TaskStateSnapshot } from '../model/state-handles.ts'
import type { StorageResult } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import { CheckpointCleaner } from './checkpoint-cleaner.ts'
import { jobDirectoryOf } from './checkpoint-directory.ts'
import { calculatePlan } from './checkpoint-plan.ts'
import type { CheckpointPlan } from './checkpoint-plan.ts'
import { periodicRequest } from './checkpoint-request.ts'
import type { CheckpointRequest } from './checkpoint-request.ts'
import { metadataPath } from './completed-checkpoint.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'
import { CompletedCheckpointStore, retainsCheckpoints } from './completed-checkpoint-store.ts'
import type { CoordinatorPort, CoordinatorStorageStep } from './coordinator-port.ts'
import { EXCEEDED_TOLERABLE_MESSAGE, FailureManager } from './failure-manager.ts'
import type { MetadataCodec } from './metadata-codec.ts'
import { filesOf, operatorStatesOf } from './operator-states.ts'
import { OperationCache } from './operations.ts'
import { PendingCheckpoint } from './pending-checkpoint.ts'
import { PERIODIC_TIMER, PeriodicTimer } from './periodic-timer.ts'
import { RequestDecider, snapshotTypeOf } from './request-decider.ts'
import { CheckpointStatistics } from './statistics.ts'

/** Ids that ended and whose late messages are called late rather than unknown. */
const REMEMBERED_ENDED = 16
const EXPIRY_TIMER = 'checkpoint-timeout:'

export interface CoordinatorOptions {
  readonly job: JobId
  readonly graph: JobGraph
  readonly port: CoordinatorPort
  readonly metadata: MetadataCodec
  readonly recovered: readonly CompletedCheckpoint[]
  readonly nextCheckpointId: CheckpointId
}

export class CheckpointCoordinator {
  readonly statistics = new CheckpointStatistics()
  readonly operations = new OperationCache()
  readonly store: CompletedCheckpointStore
  nextCheckpointId: CheckpointId
  private readonly graph: JobGraph
  private readonly port: CoordinatorPort
  private readonly metadata: MetadataCodec
  private readonly decider = new RequestDecider()
  private readonly failures: FailureManager
  private readonly timer: PeriodicTimer
  private readonly cleaner: CheckpointCleaner
  private readonly jobDirectory: string
  private readonly pendings = new Map<CheckpointId, PendingCheckpoint>()
  private readonly ended: CheckpointId[] = []
  private isActive = false
  private triggering: CheckpointId | null = null
  /** Its one transaction is under way; others that are fully acknowledged wait, so that the pointer file is written in order. */
  private finalizing: { readonly pending: PendingCheckpoint; readonly completed: CompletedCheckpoint } | null = null
  private lastCompletion: EngineTime = -Infinity

  constructor(options: CoordinatorOptions) {
    const settings = options.graph.settings.checkpointing
    this.graph = options.graph
    this.port = options.port
    this.metadata = options.metadata
    this.nextCheckpointId = options.nextCheckpointId
    this.store = new CompletedCheckpointStore(settings.numRetained, options.recovered)
    this.failures = new FailureManager(settings.tolerableFailed)
    this.timer = new PeriodicTimer(settings, options.port)
    this.jobDirectory = jobDirectoryOf(options.graph, options.job)
    this.cleaner = new CheckpointCleaner(options.port, this.jobDirectory)
  }

  /** A completion is being written: the latest completed checkpoint is not known for certain. */
  get isFinalizing(): boolean {
    return this.finalizing !== null
  }

  get pending(): readonly PendingCheckpoint[] {
    return [...this.pendings.values()]
  }

  /** The job has become RUNNING. */
  start(random: Prng): void {
    if (this.isActive) this.stop('CHECKPOINT_COORDINATOR_SUSPEND')
    this.isActive = true
    this.timer.start(random)
  }

  /** The job has left RUNNING: nothing is triggered, all that is pending or queued is aborted. */
  stop(reason: CheckpointFailureReason): void {
    this.isActive = false
    this.timer.stop()
    for (const request of this.decider.drain()) this.reject(request, reason, CHECKPOINT_FAILURE_REASONS[reason].message)
    for (const pending of this.pending) {
      if (pending !== this.finalizing?.pending) this.abort(pending, reason, CHECKPOINT_FAILURE_REASONS[reason].message)
    }
  }

  /** The job has ended for good: the retention policy decides about the files (behaviour 5.1). */
  shutdown(end: JobStatus): void {
    this.stop('CHECKPOINT_COORDINATOR_SHUTDOWN')
    const open = this.finalizing?.pending
    this.finalizing = null
    if (open !== undefined) this.dispose(open, 'CHECKPOINT_COORDINATOR_SHUTDOWN', CHECKPOINT_FAILURE_REASONS.CHECKPOINT_COORDINATOR_SHUTDOWN.message)
    const isRetained = retainsCheckpoints(this.graph.settings.checkpointing.retention, end)
    const kept = isRetained ? this.store.all : []
    if (!isRetained) for (const checkpoint of this.store.clear()) this.statistics.discarded(checkpoint.checkpointId)
    const keep = kept.flatMap((checkpoint) => filesOf(checkpoint).map((file) => file.path))
    this.port.storage({ type: 'delete-below', directory: this.jobDirectory, keep }, { kind: 'cleaned', checkpointId: 0 })
  }

  request(request: CheckpointRequest): void {
    this.operations.begin(request.triggerId)
    if (!this.isActive) {
      const reason = request.periodic ? 'PERIODIC_SCHEDULER_SHUTDOWN' : 'NOT_ALL_REQUIRED_TASKS_RUNNING'
      this.statistics.failedPreFlight()
      this.reject(request, reason, CHECKPOINT_FAILURE_REASONS[reason].message)
      return
    }
    const evicted = this.decider.enqueue(request)
    if (evicted !== null) {
      const reason = 'TOO_MANY_CHECKPOINT_REQUESTS'
      this.reject(evicted, reason, CHECKPOINT_FAILURE_REASONS[reason].message)
    }
    this.examineQueue()
  }

  /** True if the timer was one of the coordinator's. */
  onTimer(timer: string): boolean {
    if (timer === PERIODIC_TIMER) {
      if (!this.timer.isRunning) return true
      this.timer.ticked()
      this.request(periodicRequest(this.port.now))
      return true
    }
    if (!timer.startsWith(EXPIRY_TIMER)) return false
    const pending = this.pendings.get(Number(timer.slice(EXPIRY_TIMER.length)))
    if (pending !== undefined && pending.phase !== 'FINALIZING') {
      this.abort(pending, 'CHECKPOINT_EXPIRED', CHECKPOINT_FAILURE_REASONS.CHECKPOINT_EXPIRED.message)
    }
    return true
  }

  onStorage(step: CoordinatorStorageStep, result: StorageResult): void {
    switch (step.kind) {
      case 'location-initialised':
        this.onLocation(step.checkpointId, result)
        break
      case 'finalised':
        this.onFinalised(result)
        break
      case 'pointer-restored':
        this.cleaner.clean(step.checkpointId, true)
        break
      case 'cleaned':
        this.cleaner.cleaned(step.checkpointId)
    }
    this.examineQueue()
  }

  onAcknowledge(attempt: ExecutionAttemptId, id: CheckpointId, metrics: CheckpointMetrics, snapshot: TaskStateSnapshot): void {
    const pending = this.pendings.get(id)
    if (pending === undefined) {
      this.lateAcknowledge(attempt, id, metrics)
      return
    }
    const result = pending.acknowledge(attempt, metrics, snapshot, this.port.now)
    const task = pending.task(attempt)
    if (result !== 'SUCCESS' || task === null) {
      this.port.event({ type: 'LateMessage', checkpointId: id, attempt, outcome: result === 'SUCCESS' ? 'UNKNOWN' : result })
      return
    }
    const { vertex, subtask } = task
    this.statistics.acknowledged(id, vertex, subtask, metrics, this.port.now)
    this.port.event({
      type: 'CheckpointAcknowledged', checkpointId: id, attempt, vertex, subtask, metrics,
      acknowledged: pending.acknowledgedTasks, tasks: pending.tasks,
    })
    for (const coordinator of this.coordinatorsOf(vertex)) coordinator.subtaskAcknowledged(id, subtask)
    this.finalizeNext()
  }

  onDecline(attempt: ExecutionAttemptId, id: CheckpointId, reason: CheckpointFailureReason, message: string): void {
    const pending = this.pendings.get(id)
    const task = pending?.task(attempt) ?? null
    if (pending === undefined || task === null || pending.phase === 'FINALIZING') {
      const outcome = pending === undefined && !this.ended.includes(id) ? 'UNKNOWN' : 'DISCARDED'
      this.port.event({ type: 'LateMessage', checkpointId: id, attempt, outcome })
      return
    }
    this.port.event({ type: 'CheckpointDeclined', checkpointId: id, attempt, vertex: task.vertex, subtask: task.subtask, reason, message })
    this.abort(pending, reason, message)
    this.examineQueue()
  }

  restoredFrom(checkpoint: CompletedCheckpoint): void {
    this.statistics.restoredFrom(checkpoint.checkpointId, checkpoint.location, this.port.now)
    this.port.event({ type: 'CheckpointRestored', checkpointId: checkpoint.checkpointId, externalPath: checkpoint.location })
  }

  // ── triggering (behaviour 2.5)

  private examineQueue(): void {
    while (this.isActive) {
      const decision = this.decider.choose({
        now: this.port.now,
        isTriggering: this.triggering !== null,
        pending: this.pendings.size,
        cleaning: this.cleaner.cleaning,
        maxConcurrent: this.graph.settings.checkpointing.maxConcurrent,
        minPauseMicros: this.timer.minPauseMicros,
        lastCompletion: this.lastCompletion,
      })
      if (decision.type === 'wait') return
      if (decision.type === 'too-early') {
        const reason = 'MINIMUM_TIME_BETWEEN_CHECKPOINTS'
        this.reject(decision.request, reason, CHECKPOINT_FAILURE_REASONS[reason].message)
        this.timer.rearm(decision.retryAt)
        return
      }
      this.trigger(decision.request)
    }
  }

  private trigger(request: CheckpointRequest): void {
    const plan = calculatePlan(this.port.planVertices(), this.graph.settings.checkpointing.afterTasksFinish)
    if (!plan.ok) {
      this.statistics.failedPreFlight()
      this.reject(request, plan.error.reason, plan.error.message)
      return
    }
    const id = this.nextCheckpointId++
    const pending = new PendingCheckpoint(id, request, plan.value, this.port.now, this.cleaner.location(id))
    this.pendings.set(id, pending)
    this.triggering = id
    this.port.setTimer(`${EXPIRY_TIMER}${id}`, this.port.now + this.graph.settings.checkpointing.timeoutMicros)
    this.statistics.triggered(id, snapshotTypeOf(request), this.port.now, this.verticesOf(plan.value))
    this.port.event({ type: 'CheckpointTriggered', checkpointId: id, periodic: request.periodic, tasks: pending.tasks })
    const writes = this.port.haCounter(this.nextCheckpointId)
    this.port.storage({ type: 'transact', writes, deletes: [], durability: 'relaxed' }, { kind: 'location-initialised', checkpointId: id })
  }

  private onLocation(id: CheckpointId, result: StorageResult): void {
    this.triggering = null
    const pending = this.pendings.get(id)
    if (pending === undefined) return
    if (!result.ok) {
      this.abort(pending, 'IO_EXCEPTION', `${CHECKPOINT_FAILURE_REASONS.IO_EXCEPTION.message} ${result.message}`)
      return
    }
    for (const coordinator of this.port.operatorCoordinators()) {
      try {
        const state = coordinator.checkpoint(id)
        pending.coordinatorStates.set(coordinator.operatorId, state)
        this.port.event({ type: 'CoordinatorSnapshotTaken', checkpointId: id, operator: coordinator.operatorId, bytes: state.length })
      } catch (error) {
        this.abort(pending, 'TRIGGER_CHECKPOINT_FAILURE', `Trigger checkpoint failure. ${String(error)}`)
        return
      }
    }
    pending.phase = 'ACKNOWLEDGING'
    const alignment: AlignmentType = this.graph.settings.checkpointing.mode === 'EXACTLY_ONCE' ? 'ALIGNED' : 'AT_LEAST_ONCE'
    const options = { alignment, type: snapshotTypeOf(pending.request), location: pending.location }
    for (const task of pending.plan.trigger) {
      this.port.send(task, { type: 'trigger-checkpoint', checkpointId: id, timestamp: pending.triggeredAt, options })
    }
  }

  // ── completing (behaviour 3.2)

  /** The oldest fully acknowledged checkpoint, one at a time: `_metadata`, store pointer and counter in one strict transaction. */
  private finalizeNext(): void {
    if (this.finalizing !== null) return
    const pending = this.pending.find((candidate) => candidate.phase === 'ACKNOWLEDGING' && candidate.isFullyAcknowledged)
    if (pending === undefined) return
    pending.phase = 'FINALIZING'
    this.port.clearTimer(`${EXPIRY_TIMER}${pending.id}`)
    const operatorStates = operatorStatesOf(this.graph, pending)
    const completed: CompletedCheckpoint = { checkpointId: pending.id, location: pending.location, operatorStates }
    this.finalizing = { pending, completed }
    const kind = { type: snapshotTypeOf(pending.request), retention: this.graph.settings.checkpointing.retention }
    const bytes = this.metadata.encode({ checkpointId: pending.id, operatorStates }, kind)
    const metadata = { path: metadataPath(pending.location), bytes, createNew: true }
    const pointer = this.port.haCheckpoints(this.store.preview(completed).retained)
    const writes = [metadata, ...pointer, ...this.port.haCounter(this.nextCheckpointId)]
    this.port.storage({ type: 'transact', writes, deletes: [], durability: 'strict' }, { kind: 'finalised', checkpointId: pending.id })
  }

  private onFinalised(result: StorageResult): void {
    const finalizing = this.finalizing
    if (finalizing === null) return
    this.finalizing = null
    if (result.ok) this.complete(finalizing.pending, finalizing.completed)
    else this.failFinalization(finalizing.pending, result.message)
    this.finalizeNext()
  }

  private complete(pending: PendingCheckpoint, completed: CompletedCheckpoint): void {
    const id = pending.id
    const subsumed = this.store.add(completed)
    const totals = this.statistics.completedCheckpoint(id, pending.location)
    this.end(pending, { status: 'COMPLETED', checkpointId: id })
    this.port.event({
      type: 'CheckpointCompleted', checkpointId: id, externalPath: pending.location,
      checkpointedBytes: totals.checkpointedBytes, stateBytes: totals.stateBytes,
      durationMicros: (pending.latestAckAt ?? this.port.now) - pending.triggeredAt,
    })
    this.lastCompletion = this.port.now
    this.failures.succeeded(id)
    for (const older of this.pending) {
      if (older.id < id && !older.request.savepoint) {
        this.abort(older, 'CHECKPOINT_SUBSUMED', CHECKPOINT_FAILURE_REASONS.CHECKPOINT_SUBSUMED.message)
      }
    }
    for (const old of subsumed) {
      this.port.event({ type: 'CheckpointSubsumed', checkpointId: old.checkpointId, by: id })
      this.statistics.discarded(old.checkpointId)
      this.cleaner.clean(old.checkpointId, false)
    }
    this.cleaner.sweepLingering()
    for (const task of pending.plan.commitTo) this.port.send(task, { type: 'notify-checkpoint-complete', checkpointId: id })
    for (const coordinator of this.port.operatorCoordinators()) coordinator.notifyCheckpointComplete(id)
  }

  /**
   * The transaction may have been carried out although it was answered with a failure (a deadline): the pointer file is written back before
   * the files go.
   */
  private failFinalization(pending: PendingCheckpoint, detail: string): void {
    const message = `${CHECKPOINT_FAILURE_REASONS.FINALIZE_CHECKPOINT_FAILURE.message} ${detail}`
    this.dispose(pending, 'FINALIZE_CHECKPOINT_FAILURE', message)
    const writes = this.port.haCheckpoints(this.store.all)
    const step = { kind: 'pointer-restored', checkpointId: pending.id } as const
    this.port.storage({ type: 'transact', writes, deletes: [], durability: 'strict' }, step)
  }

  /**
   * A task has finished that was still to acknowledge a checkpoint: the trigger found it gone, or its last checkpoint completed just before.
   * Its acknowledgement will never come. Flink: the TaskExecutor refuses a checkpoint request for an unknown task.
   */
  taskFinished(attempt: ExecutionAttemptId): void {
    const waiting = this.pending.filter((pending) => pending.isWaitingFor(attempt))
    for (const pending of waiting) this.abort(pending, 'TASK_CHECKPOINT_FAILURE', CHECKPOINT_FAILURE_REASONS.TASK_CHECKPOINT_FAILURE.message)
    if (waiting.length > 0) this.examineQueue()
  }

  // ── aborting (behaviour 3.3)

  private abort(pending: PendingCheckpoint, reason: CheckpointFailureReason, message: string): void {
    this.dispose(pending, reason, message)
    this.cleaner.clean(pending.id, true)
  }

  private dispose(pending: PendingCheckpoint, reason: CheckpointFailureReason, message: string): void {
    this.end(pending, { status: 'FAILED', message })
    this.statistics.failedCheckpoint(pending.id, message, this.port.now)
    this.port.event({ type: 'CheckpointAborted', checkpointId: pending.id, reason, message })
    const latestCompleted = this.store.latest?.checkpointId ?? null
    for (const task of pending.plan.commitTo) {
      this.port.send(task, { type: 'notify-checkpoint-aborted', checkpointId: pending.id, latestCompleted })
    }
    if (this.failures.failed(pending.id, reason)) {
      this.port.failGlobally(`${EXCEEDED_TOLERABLE_MESSAGE} The latest checkpoint failed due to ${message}`)
    }
  }

  private end(pending: PendingCheckpoint, result: { status: 'COMPLETED'; checkpointId: number } | { status: 'FAILED'; message: string }): void {
    pending.phase = 'DISPOSED'
    this.pendings.delete(pending.id)
    this.port.clearTimer(`${EXPIRY_TIMER}${pending.id}`)
    this.ended.push(pending.id)
    if (this.ended.length > REMEMBERED_ENDED) this.ended.shift()
    this.operations.end(pending.request.triggerId, result)
    for (const coordinator of this.port.operatorCoordinators()) coordinator.checkpointEnded(pending.id)
  }

  private reject(request: CheckpointRequest, reason: CheckpointFailureReason, message: string): void {
    this.port.event({ type: 'CheckpointRequestRejected', periodic: request.periodic, reason, message })
    this.operations.end(request.triggerId, { status: 'FAILED', message })
  }

  /** Its files are nobody's: unless the checkpoint is one that the job can go back to. */
  private lateAcknowledge(attempt: ExecutionAttemptId, id: CheckpointId, metrics: CheckpointMetrics): void {
    const outcome = this.ended.includes(id) ? 'DISCARDED' : 'UNKNOWN'
    this.port.event({ type: 'LateMessage', checkpointId: id, attempt, outcome })
    const at = this.taskOf(attempt)
    if (at !== null) this.statistics.acknowledged(id, at.vertex, at.subtask, metrics, this.port.now)
    const isKept = this.store.all.some((checkpoint) => checkpoint.checkpointId === id)
    if (!isKept && id < this.nextCheckpointId) this.cleaner.clean(id, false)
  }

  private taskOf(attempt: ExecutionAttemptId): { readonly vertex: PlanVertexId; readonly subtask: number } | null {
    const tasks = this.port.planVertices().flatMap((vertex) => vertex.tasks)
    return tasks.find((task) => task.attempt === attempt) ?? null
  }

  private verticesOf(plan: CheckpointPlan) {
    return this.graph.vertices.map((vertex) => ({
      id: vertex.id,
      tasks: vertex.parallelism,
      finished: plan.finished.filter((task) => task.vertex === vertex.id).map((task) => task.subtask),
    }))
  }

  private coordinatorsOf(vertex: PlanVertexId) {
    const operators = this.graph.vertices.find((candidate) => candidate.id === vertex)?.chain ?? []
    return this.port.operatorCoordinators().filter((coordinator) => operators.some((operator) => operator.operatorId === coordinator.operatorId))
  }
}

type PlanVertexId = JobGraph['vertices'][number]['id']
