/**
 * From a request that may go to the command at the sources. Flink: CheckpointCoordinator.startTriggeringCheckpoint (behaviour 2.5).
 * Simplified: one storage transaction (which keeps the counter) stands for the initialisation of the location; no master hooks.
 */
import type { VertexId } from '../model/ids.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { StorageResult } from '../model/storage.ts'
import { checkpointOptionsOf } from './checkpoint-options.ts'
import { calculatePlan } from './checkpoint-plan.ts'
import type { CheckpointPlan, PlanProblem } from './checkpoint-plan.ts'
import { snapshotTypeOf } from './checkpoint-request.ts'
import type { CheckpointRequest } from './checkpoint-request.ts'
import type { CoordinatorParts } from './coordinator-parts.ts'
import { EXPIRY_TIMER, abortCause } from './pending-checkpoints.ts'
import type { PendingCheckpoints } from './pending-checkpoints.ts'
import { PendingCheckpoint } from './pending-checkpoint.ts'

export class CheckpointTrigger {
  nextCheckpointId: CheckpointId
  private readonly parts: CoordinatorParts
  private readonly pendings: PendingCheckpoints
  private preparing: CheckpointId | null = null

  constructor(parts: CoordinatorParts, pendings: PendingCheckpoints, nextCheckpointId: CheckpointId) {
    this.parts = parts
    this.pendings = pendings
    this.nextCheckpointId = nextCheckpointId
  }

  /** Steps 1 to 6 of a trigger are under way. */
  get isPreparing(): boolean {
    return this.preparing !== null
  }

  /** Null, or why there is no checkpoint: no id has been used then. */
  begin(request: CheckpointRequest): PlanProblem | null {
    const { port, graph, cleaner, statistics } = this.parts
    const { checkpointing } = graph.settings
    const plan = calculatePlan(port.planVertices(), checkpointing.afterTasksFinish)
    if (!plan.ok) return plan.error
    const id = this.nextCheckpointId++
    const type = snapshotTypeOf(request)
    const pending = new PendingCheckpoint(id, request, type, plan.value, port.now, request.location ?? cleaner.location(id))
    this.pendings.add(pending)
    this.preparing = id
    port.setTimer(`${EXPIRY_TIMER}${id}`, port.now + checkpointing.timeoutMicros)
    statistics.triggered(id, type, port.now, this.verticesOf(plan.value))
    port.event({
      type: 'CheckpointTriggered', checkpointId: id, periodic: request.periodic, tasks: pending.tasks,
      ...(request.savepoint ? { savepoint: true } : {}),
    })
    const writes = port.haCounter(this.nextCheckpointId)
    port.storage({ type: 'transact', writes, deletes: [], durability: 'relaxed' }, { kind: 'location-initialised', checkpointId: id })
    return null
  }

  onLocation(id: CheckpointId, result: StorageResult): void {
    if (this.preparing === id) this.preparing = null
    const pending = this.pendings.get(id)
    if (pending === null) return
    if (!result.ok) {
      this.pendings.abort(pending, abortCause('IO_EXCEPTION', result.message))
      return
    }
    if (!this.snapshotCoordinators(pending)) return
    pending.phase = 'ACKNOWLEDGING'
    const options = checkpointOptionsOf(this.parts.graph.settings.checkpointing, pending.type, pending.location)
    for (const task of pending.plan.trigger) {
      this.parts.port.send(task, { type: 'trigger-checkpoint', checkpointId: id, timestamp: pending.triggeredAt, options })
    }
  }

  /** Before any task hears of the checkpoint (behaviour 2.6). A coordinator that fails fails the checkpoint. */
  private snapshotCoordinators(pending: PendingCheckpoint): boolean {
    const { port } = this.parts
    for (const coordinator of port.operatorCoordinators()) {
      try {
        const state = coordinator.checkpoint(pending.id)
        pending.coordinatorStates.set(coordinator.operatorId, state)
        port.event({ type: 'CoordinatorSnapshotTaken', checkpointId: pending.id, operator: coordinator.operatorId, bytes: state.length })
      } catch (error) {
        this.pendings.abort(pending, abortCause('TRIGGER_CHECKPOINT_FAILURE', String(error)))
        return false
      }
    }
    return true
  }

  private verticesOf(plan: CheckpointPlan): readonly { readonly id: VertexId; readonly tasks: number; readonly finished: readonly number[] }[] {
    return this.parts.graph.vertices.map((vertex) => ({
      id: vertex.id,
      tasks: vertex.parallelism,
      finished: plan.finished.filter((task) => task.vertex === vertex.id).map((task) => task.subtask),
    }))
  }
}
