/**
 * What tasks answer to a checkpoint, in time or late. Flink: CheckpointCoordinator.receiveAcknowledgeMessage, receiveDeclineMessage
 * (behaviour 3.1).
 */
import type { CheckpointFailureReason, CheckpointMetrics } from '../model/checkpoint.ts'
import type { CheckpointId, ExecutionAttemptId, VertexId } from '../model/ids.ts'
import type { TaskStateSnapshot } from '../model/state-handles.ts'
import type { CheckpointedCoordinator } from './coordinator-port.ts'
import type { CoordinatorParts } from './coordinator-parts.ts'
import type { PendingCheckpoint } from './pending-checkpoint.ts'
import { abortCause } from './pending-checkpoints.ts'
import type { PendingCheckpoints } from './pending-checkpoints.ts'

export class TaskAnswers {
  private readonly parts: CoordinatorParts
  private readonly pendings: PendingCheckpoints

  constructor(parts: CoordinatorParts, pendings: PendingCheckpoints) {
    this.parts = parts
    this.pendings = pendings
  }

  acknowledge(
    attempt: ExecutionAttemptId, id: CheckpointId, metrics: CheckpointMetrics, reported: TaskStateSnapshot, nextCheckpointId: CheckpointId,
  ): void {
    const { port, statistics } = this.parts
    const pending = this.pendings.get(id)
    const snapshot = this.registered(id, pending, reported)
    if (pending === null) {
      this.lateAcknowledge(attempt, id, metrics, nextCheckpointId)
      return
    }
    if (snapshot === null) return
    const result = pending.acknowledge(attempt, metrics, snapshot, port.now)
    const task = pending.task(attempt)
    if (result !== 'SUCCESS' || task === null) {
      port.event({ type: 'LateMessage', checkpointId: id, attempt, outcome: result === 'SUCCESS' ? 'UNKNOWN' : result })
      return
    }
    const { vertex, subtask } = task
    statistics.acknowledged(id, vertex, subtask, metrics, port.now)
    const { acknowledgedTasks: acknowledged, tasks } = pending
    port.event({ type: 'CheckpointAcknowledged', checkpointId: id, attempt, vertex, subtask, metrics, acknowledged, tasks })
    for (const coordinator of this.coordinatorsOf(vertex)) coordinator.subtaskAcknowledged(id, subtask)
  }

  decline(attempt: ExecutionAttemptId, id: CheckpointId, reason: CheckpointFailureReason, message: string): void {
    const { port } = this.parts
    const pending = this.pendings.get(id)
    const task = pending?.task(attempt) ?? null
    if (pending === null || task === null || pending.phase === 'FINALIZING') {
      const isKnown = pending !== null || this.pendings.recentlyEnded(id) !== null
      port.event({ type: 'LateMessage', checkpointId: id, attempt, outcome: isKnown ? 'DISCARDED' : 'UNKNOWN' })
      return
    }
    port.event({ type: 'CheckpointDeclined', checkpointId: id, attempt, vertex: task.vertex, subtask: task.subtask, reason, message })
    this.pendings.abort(pending, { reason, message, atTask: true })
  }

  /** Its files are nobody's: unless the checkpoint is one that the job can go back to, or a savepoint that has completed. */
  private lateAcknowledge(attempt: ExecutionAttemptId, id: CheckpointId, metrics: CheckpointMetrics, nextCheckpointId: CheckpointId): void {
    const { port, cleaner, statistics, store } = this.parts
    const ended = this.pendings.recentlyEnded(id)
    port.event({ type: 'LateMessage', checkpointId: id, attempt, outcome: ended === null ? 'UNKNOWN' : 'DISCARDED' })
    const tasks = port.planVertices().flatMap((vertex) => vertex.tasks)
    const at = tasks.find((task) => task.attempt === attempt)
    if (at !== undefined) statistics.acknowledged(id, at.vertex, at.subtask, metrics, port.now)
    const isKept = store.all.some((checkpoint) => checkpoint.checkpointId === id)
    const isSavepoint = ended?.request.savepoint === true && statistics.find(id)?.status === 'COMPLETED'
    if (!isKept && !isSavepoint && id < nextCheckpointId) cleaner.clean(id, ended?.location ?? cleaner.location(id), false)
  }

  /**
   * Shared files are registered even if the checkpoint is gone, so that they go when nobody uses them; those of savepoints are not. Null: it names
   * files that cannot be; the checkpoint has failed. (Flink drops such a message with a warning in the log, and the checkpoint expires.)
   */
  private registered(id: CheckpointId, pending: PendingCheckpoint | null, snapshot: TaskStateSnapshot): TaskStateSnapshot | null {
    const isSavepoint = (pending ?? this.pendings.recentlyEnded(id))?.request.savepoint === true
    if (isSavepoint) return snapshot
    try {
      return this.parts.registry.registerAll(snapshot, id)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (pending !== null) this.pendings.abort(pending, { ...abortCause('CHECKPOINT_ASYNC_EXCEPTION', message), atTask: true })
      return null
    }
  }

  private coordinatorsOf(vertex: VertexId): readonly CheckpointedCoordinator[] {
    const operators = this.parts.graph.vertices.find((candidate) => candidate.id === vertex)?.chain ?? []
    const all = this.parts.port.operatorCoordinators()
    return all.filter((coordinator) => operators.some((operator) => operator.operatorId === coordinator.operatorId))
  }
}
