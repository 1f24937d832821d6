/**
 * Keeps one operator coordinator and its events in step with checkpoints. Flink: OperatorCoordinatorHolder, SubtaskGatewayImpl
 * (behaviour 2.6): after the coordinator's own snapshot, events to a subtask are held back until that subtask has acknowledged.
 * Simplified: the acknowledgement of the checkpoint stands for Flink's own event that the barrier has reached the task.
 */
import { Deque } from '../base/deque.ts'
import type { CheckpointedCoordinator } from '../coordinator/coordinator-port.ts'
import type { OperatorEvent } from '../model/control.ts'
import type { CheckpointId, OperatorId, VertexId } from '../model/ids.ts'
import type { OperatorCoordinator, OperatorCoordinatorContext } from '../operators/operator-coordinator.ts'

/** Events that may be held back for one subtask: splits are few. */
const MAX_HELD_EVENTS = 10_000

export interface SubtaskGateway {
  /** Drops the event when no attempt of the subtask is alive: it will register anew. */
  sendOperatorEvent(vertex: VertexId, subtask: number, operator: OperatorId, event: OperatorEvent): void
  setProcessingBacklog(operator: OperatorId, isProcessingBacklog: boolean): void
}

export class OperatorCoordinatorHolder implements CheckpointedCoordinator, OperatorCoordinatorContext {
  readonly operatorId: OperatorId
  readonly vertex: VertexId
  readonly parallelism: number
  private readonly coordinator: OperatorCoordinator
  private readonly gateway: SubtaskGateway
  /** By subtask: the checkpoints whose acknowledgement is awaited, and what waits for them. */
  private readonly closedBy: Set<CheckpointId>[]
  private readonly held: Deque<OperatorEvent>[]

  constructor(operatorId: OperatorId, vertex: VertexId, parallelism: number, coordinator: OperatorCoordinator, gateway: SubtaskGateway) {
    this.operatorId = operatorId
    this.vertex = vertex
    this.parallelism = parallelism
    this.coordinator = coordinator
    this.gateway = gateway
    this.closedBy = Array.from({ length: parallelism }, () => new Set<CheckpointId>())
    this.held = Array.from({ length: parallelism }, (_, subtask) => new Deque<OperatorEvent>(`events held for subtask ${subtask}`, MAX_HELD_EVENTS))
  }

  /** At the start of the job, and to reset it on a global failover. */
  start(state: Uint8Array | null): void {
    this.openAll()
    this.coordinator.start(this, state)
  }

  onReaderEvent(subtask: number, event: OperatorEvent): void {
    this.coordinator.onReaderEvent(subtask, event)
  }

  onSubtaskReset(subtask: number, checkpointId: CheckpointId | null): void {
    this.closedBy[subtask]?.clear()
    this.held[subtask]?.clear()
    this.coordinator.onSubtaskReset(subtask, checkpointId)
  }

  sendEvent(subtask: number, event: OperatorEvent): void {
    if ((this.closedBy[subtask]?.size ?? 0) > 0) this.held[subtask]?.pushBack(event)
    else this.gateway.sendOperatorEvent(this.vertex, subtask, this.operatorId, event)
  }

  setIsProcessingBacklog(isProcessingBacklog: boolean): void {
    this.gateway.setProcessingBacklog(this.operatorId, isProcessingBacklog)
  }

  checkpoint(checkpointId: CheckpointId): Uint8Array {
    const state = this.coordinator.checkpoint(checkpointId)
    for (const closed of this.closedBy) closed.add(checkpointId)
    return state
  }

  subtaskAcknowledged(checkpointId: CheckpointId, subtask: number): void {
    const closed = this.closedBy[subtask]
    if (closed === undefined || !closed.delete(checkpointId) || closed.size > 0) return
    const held = this.held[subtask]
    for (let event = held?.popFront(); event !== undefined; event = held?.popFront()) this.sendEvent(subtask, event)
  }

  checkpointEnded(checkpointId: CheckpointId): void {
    for (let subtask = 0; subtask < this.parallelism; subtask++) this.subtaskAcknowledged(checkpointId, subtask)
  }

  notifyCheckpointComplete(checkpointId: CheckpointId): void {
    this.coordinator.notifyCheckpointComplete(checkpointId)
  }

  private openAll(): void {
    for (const closed of this.closedBy) closed.clear()
    for (const held of this.held) held.clear()
  }
}
