/**
 * Triggers checkpoints, collects acknowledgements, completes or aborts. Flink: CheckpointCoordinator (behaviour 2, 3). Its steps lie in
 * checkpoint-trigger.ts, pending-checkpoints.ts (abort) and checkpoint-finalizer.ts (completion); this is what holds them together.
 */
import type { Prng } from '../base/prng.ts'
import type { CheckpointFailureReason, CheckpointMetrics } from '../model/checkpoint.ts'
import type { JobStatus } from '../model/execution.ts'
import type { CheckpointId, ExecutionAttemptId, JobId, OperatorId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { TaskStateSnapshot } from '../model/state-handles.ts'
import type { StorageResult } from '../model/storage.ts'
import { CheckpointCleaner } from './checkpoint-cleaner.ts'
import { jobDirectoryOf } from './checkpoint-directory.ts'
import { CheckpointFinalizer } from './checkpoint-finalizer.ts'
import { periodicRequest } from './checkpoint-request.ts'
import type { CheckpointRequest } from './checkpoint-request.ts'
import { CheckpointTrigger } from './checkpoint-trigger.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'
import { CompletedCheckpointStore, retainsCheckpoints } from './completed-checkpoint-store.ts'
import type { CoordinatorParts } from './coordinator-parts.ts'
import type { CoordinatorPort, CoordinatorStorageStep } from './coordinator-port.ts'
import { discardAtEnd, sweepDirectory } from './discard-at-end.ts'
import { FailureManager } from './failure-manager.ts'
import { HeldMemory } from './held-memory.ts'
import type { MetadataCodec } from './metadata-codec.ts'
import { OperationCache } from './operations.ts'
import { EXPIRY_TIMER, PendingCheckpoints, abortCause, messageOf } from './pending-checkpoints.ts'
import type { PendingCheckpoint } from './pending-checkpoint.ts'
import { PERIODIC_TIMER, PeriodicTimer } from './periodic-timer.ts'
import { RequestDecider } from './request-decider.ts'
import { SharedStateRegistry } from './shared-state-registry.ts'
import { CheckpointStatistics } from './statistics.ts'
import { TaskAnswers } from './task-answers.ts'

export interface CoordinatorOptions {
  readonly job: JobId
  readonly graph: JobGraph
  readonly port: CoordinatorPort
  readonly metadata: MetadataCodec
  readonly recovered: readonly CompletedCheckpoint[]
  readonly nextCheckpointId: CheckpointId
}

export class CheckpointCoordinator {
  readonly statistics: CheckpointStatistics
  readonly operations: OperationCache
  readonly store: CompletedCheckpointStore
  private readonly parts: CoordinatorParts
  private readonly decider = new RequestDecider()
  private readonly timer: PeriodicTimer
  private readonly pendings: PendingCheckpoints
  private readonly triggers: CheckpointTrigger
  private readonly finalizer: CheckpointFinalizer
  private readonly answers: TaskAnswers
  private readonly jobDirectory: string | null
  private isActive = false
  private isShutDown = false

  constructor({ job, graph, port, metadata, recovered, nextCheckpointId }: CoordinatorOptions) {
    const settings = graph.settings.checkpointing
    this.jobDirectory = jobDirectoryOf(graph, job)
    this.statistics = new CheckpointStatistics(settings.historySize)
    this.operations = new OperationCache()
    this.store = new CompletedCheckpointStore(settings.numRetained, recovered)
    this.parts = {
      job, graph, port, metadata,
      statistics: this.statistics,
      operations: this.operations,
      store: this.store,
      failures: new FailureManager(settings.tolerableFailed),
      cleaner: new CheckpointCleaner(port, this.jobDirectory),
      registry: new SharedStateRegistry(),
      memory: new HeldMemory(port),
    }
    for (const checkpoint of recovered) this.parts.registry.registerRestored(checkpoint)
    this.timer = new PeriodicTimer(settings, port)
    this.pendings = new PendingCheckpoints(this.parts)
    this.triggers = new CheckpointTrigger(this.parts, this.pendings, nextCheckpointId)
    this.finalizer = new CheckpointFinalizer(this.parts, this.pendings, this.triggers)
    this.answers = new TaskAnswers(this.parts, this.pendings)
  }

  get nextCheckpointId(): CheckpointId {
    return this.triggers.nextCheckpointId
  }

  /** A completion is being written: the latest completed checkpoint is not known for certain. */
  get isFinalizing(): boolean {
    return this.finalizer.finalizing !== null
  }

  get pending(): readonly PendingCheckpoint[] {
    return this.pendings.all
  }

  /** The job has become RUNNING. */
  start(random: Prng): void {
    this.isActive = true
    this.parts.memory.update(this.store.all)
    this.startScheduler(random)
  }

  /**
   * The job has left RUNNING: nothing is triggered, all that is pending or queued is aborted. Without periodic checkpoints it is not: it stays until
   * tasks restart or the job ends, if it does not expire (behaviour 3.3). Flink: CheckpointCoordinatorDeActivator, which listens only with them.
   */
  leaveRunning(): void {
    this.isActive = false
    if (this.timer.periodMicros !== null) this.stopScheduler('CHECKPOINT_COORDINATOR_SUSPEND')
  }

  /** Tasks begin anew: what their predecessors were to acknowledge will never be complete. Flink: SchedulerBase.restoreState. */
  tasksRestart(): void {
    this.abortPending('JOB_FAILOVER_REGION')
    this.examineQueue()
  }

  /** Nobody asks for checkpoints any more. */
  stop(): void {
    this.isActive = false
    this.stopScheduler('CHECKPOINT_COORDINATOR_SHUTDOWN')
  }

  /** No periodic checkpoints from now on, and all that is pending or queued is aborted. Flink: stopCheckpointScheduler (13.2). */
  stopScheduler(reason: CheckpointFailureReason): void {
    this.timer.stop()
    for (const request of this.decider.drain()) this.reject(request, reason)
    this.abortPending(reason)
  }

  /** Periodic checkpoints again, if the job runs and has any: what is pending or queued is aborted first. Flink: startCheckpointScheduler. */
  startScheduler(random: Prng): void {
    if (!this.isActive || this.timer.periodMicros === null) return
    this.stopScheduler('CHECKPOINT_COORDINATOR_SUSPEND')
    this.timer.start(random)
  }

  /** The job was started from a snapshot that it does not own: its next checkpoint must not refer to it (behaviour 5.4). */
  forceFullSnapshot(): void {
    this.triggers.forceFull(true)
  }

  /** The job has ended for good: the retention policy decides about the files (behaviour 5.1). */
  shutdown(end: JobStatus): void {
    const { graph } = this.parts
    this.isShutDown = true
    this.stop()
    const open = this.finalizer.finalizing
    this.finalizer.forget()
    if (open !== null) this.pendings.dispose(open, abortCause('CHECKPOINT_COORDINATOR_SHUTDOWN'))
    const isRetained = retainsCheckpoints(graph.settings.checkpointing.retention, end)
    discardAtEnd(this.parts, (checkpoint) => isRetained || checkpoint.isUnclaimed === true)
    sweepDirectory(this.parts, this.jobDirectory)
  }

  request(request: CheckpointRequest): void {
    this.operations.begin(request.triggerId)
    const problem = this.problemOf(request)
    if (problem !== null) {
      this.rejectPreFlight(request, problem)
      return
    }
    const evicted = this.decider.enqueue(request)
    if (evicted !== null) this.reject(evicted, 'TOO_MANY_CHECKPOINT_REQUESTS')
    this.examineQueue()
  }

  /** A source works off a backlog, or has done so (behaviour 2.1). */
  setProcessingBacklog(operator: OperatorId, isProcessingBacklog: boolean): void {
    this.timer.setProcessingBacklog(operator, isProcessingBacklog)
  }

  /** True if the timer was one of the coordinator's. */
  onTimer(timer: string): boolean {
    if (timer === PERIODIC_TIMER) {
      // A tick that was under way when the scheduler stopped asks all the same, and is refused.
      if (!this.timer.isOn || this.timer.ticked()) this.request(periodicRequest(this.parts.port.now))
      return true
    }
    if (!timer.startsWith(EXPIRY_TIMER)) return false
    const pending = this.pendings.get(Number(timer.slice(EXPIRY_TIMER.length)))
    if (pending !== null && pending.phase !== 'FINALIZING') {
      this.pendings.abort(pending, abortCause('CHECKPOINT_EXPIRED'))
      this.examineQueue()
    }
    return true
  }

  onStorage(step: CoordinatorStorageStep, result: StorageResult): void {
    switch (step.kind) {
      case 'savepoint-location-listed':
        this.triggers.onLocationListed(step.checkpointId, result)
        break
      case 'location-initialised':
        this.triggers.onLocation(step.checkpointId, result)
        break
      case 'finalised':
        this.finalizer.onFinalised(result)
        this.finalizer.next(this.nextCheckpointId)
        break
      case 'pointer-restored':
        if (step.files === null) this.parts.cleaner.clean(step.checkpointId, step.location, true)
        else this.parts.cleaner.deleteFiles(step.checkpointId, step.files)
        break
      case 'cleaned':
        this.parts.cleaner.cleaned(step.checkpointId)
    }
    this.examineQueue()
  }

  onAcknowledge(attempt: ExecutionAttemptId, id: CheckpointId, metrics: CheckpointMetrics, snapshot: TaskStateSnapshot): void {
    this.answers.acknowledge(attempt, id, metrics, snapshot, this.nextCheckpointId)
    this.finalizer.next(this.nextCheckpointId)
    this.examineQueue()
  }

  onDecline(attempt: ExecutionAttemptId, id: CheckpointId, reason: CheckpointFailureReason, message: string): void {
    this.answers.decline(attempt, id, reason, message)
    this.examineQueue()
  }

  /**
   * A task has finished that was still to acknowledge a checkpoint: the trigger found it gone, or its last checkpoint completed just before.
   * Its acknowledgement will never come. Flink: the TaskExecutor refuses a checkpoint request for an unknown task.
   */
  taskFinished(attempt: ExecutionAttemptId): void {
    const waiting = this.pending.filter((pending) => pending.isWaitingFor(attempt))
    for (const pending of waiting) this.pendings.abort(pending, abortCause('TASK_CHECKPOINT_FAILURE'))
    if (waiting.length > 0) this.examineQueue()
  }

  /**
   * The snapshot that the job starts from: it counts in the store and is what a failure goes back to until the first checkpoint; ids go on behind
   * it (behaviour 12.3). Flink: restoreSavepoint.
   */
  adopt(checkpoint: CompletedCheckpoint): void {
    this.parts.registry.registerRestored(checkpoint)
    this.store.add(checkpoint)
    this.triggers.nextCheckpointId = checkpoint.checkpointId + 1
  }

  /** What does not belong to the job may be deleted by its owner once there is another checkpoint, which must not refer to it (behaviour 5.4). */
  restoredFrom(checkpoint: CompletedCheckpoint): void {
    const { port } = this.parts
    if (checkpoint.claimMode === 'NO_CLAIM') this.forceFullSnapshot()
    this.statistics.restoredFrom(checkpoint.checkpointId, checkpoint.location, port.now, checkpoint.isSavepoint === true)
    port.event({ type: 'CheckpointRestored', checkpointId: checkpoint.checkpointId, externalPath: checkpoint.location })
  }

  private abortPending(reason: CheckpointFailureReason): void {
    for (const pending of this.pending) {
      if (pending !== this.finalizer.finalizing) this.pendings.abort(pending, abortCause(reason))
    }
  }

  /** After every event that may let a request go (behaviour 2.2). */
  private examineQueue(): void {
    while (this.isActive) {
      const decision = this.decider.choose({
        now: this.parts.port.now,
        isTriggering: this.triggers.isPreparing,
        pending: this.pendings.size,
        cleaning: this.parts.cleaner.cleaning,
        maxConcurrent: this.parts.graph.settings.checkpointing.maxConcurrent,
        minPauseMicros: this.timer.minPauseMicros,
        lastCompletion: this.finalizer.lastCompletion,
      })
      if (decision.type === 'wait') return
      if (decision.type === 'too-early') {
        this.reject(decision.request, 'MINIMUM_TIME_BETWEEN_CHECKPOINTS')
        this.timer.rearm(decision.retryAt)
        return
      }
      const problem = this.triggers.begin(decision.request)
      if (problem !== null) this.rejectPreFlight(decision.request, problem.reason, problem.message)
    }
  }

  /** Whether there can be no checkpoint at all. Flink: preCheckGlobalState (behaviour 2.5). */
  private problemOf(request: CheckpointRequest): CheckpointFailureReason | null {
    if (this.isShutDown) return 'CHECKPOINT_COORDINATOR_SHUTDOWN'
    if (request.periodic && !this.timer.isOn) return 'PERIODIC_SCHEDULER_SHUTDOWN'
    return this.isActive ? null : 'NOT_ALL_REQUIRED_TASKS_RUNNING'
  }

  private rejectPreFlight(request: CheckpointRequest, reason: CheckpointFailureReason, message = messageOf(reason)): void {
    this.statistics.failedPreFlight()
    this.reject(request, reason, message)
  }

  private reject(request: CheckpointRequest, reason: CheckpointFailureReason, message = messageOf(reason)): void {
    this.parts.port.event({ type: 'CheckpointRequestRejected', periodic: request.periodic, reason, message, ...(request.savepoint ? { savepoint: true } : {}) })
    this.parts.port.requestEnded(request, { status: 'FAILED', message })
  }
}
