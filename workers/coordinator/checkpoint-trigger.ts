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
import { SAVEPOINT_NAMES_MAX, savepointLocation } from './savepoint-directory.ts'

export class CheckpointTrigger {
  nextCheckpointId: CheckpointId
  private readonly parts: CoordinatorParts
  private readonly pendings: PendingCheckpoints
  private preparing: CheckpointId | null = null
  /** Names tried for the savepoint that is being prepared. */
  private names = 0
  /** The job was started from a snapshot that is not its own, and no checkpoint of its own has completed since (behaviour 5.4). */
  private isFullForced = false

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
    const type = snapshotTypeOf(request, this.isFullForced)
    const pending = new PendingCheckpoint(id, request, type, plan.value, port.now, this.savepointLocation(request, 0) ?? cleaner.location(id))
    this.pendings.add(pending)
    this.preparing = id
    port.setTimer(`${EXPIRY_TIMER}${id}`, port.now + checkpointing.timeoutMicros)
    statistics.triggered(id, type, port.now, this.verticesOf(plan.value), request.format)
    port.event({
      type: 'CheckpointTriggered', checkpointId: id, periodic: request.periodic, tasks: pending.tasks,
      ...(request.savepoint ? { savepoint: true, ...(request.format === null ? {} : { format: request.format }) } : {}),
      ...(checkpointing.mode === 'AT_LEAST_ONCE' ? { atLeastOnce: true } : {}),
      ...(request.synchronous ? { stops: request.drain ? 'TERMINATE' : 'SUSPEND' } : {}),
    })
    this.names = 1
    if (request.savepoint) this.lookForLocation(pending)
    else this.initialiseLocation(pending)
    return null
  }

  /** From now on, until a checkpoint of this job's own is in the store, every checkpoint is a full one. Flink: RecoveryClaimMode.NO_CLAIM. */
  forceFull(isForced: boolean): void {
    this.isFullForced = isForced
  }

  /** A directory that is there already is somebody else's: another name is tried. */
  onLocationListed(id: CheckpointId, result: StorageResult): void {
    const pending = this.pendings.get(id)
    if (pending === null) {
      this.prepared(id)
    } else if (!result.ok) {
      this.prepared(id)
      this.pendings.abort(pending, abortCause('IO_EXCEPTION', result.message))
    } else if ((result.entries ?? []).length === 0) {
      this.initialiseLocation(pending)
    } else if (this.names < SAVEPOINT_NAMES_MAX) {
      pending.location = this.savepointLocation(pending.request, this.names++) ?? pending.location
      this.lookForLocation(pending)
    } else {
      this.prepared(id)
      this.pendings.abort(pending, abortCause('IO_EXCEPTION', `Failed to create savepoint directory at ${pending.request.directory ?? pending.location}`))
    }
  }

  onLocation(id: CheckpointId, result: StorageResult): void {
    this.prepared(id)
    const pending = this.pendings.get(id)
    if (pending === null) return
    if (!result.ok) {
      this.pendings.abort(pending, abortCause('IO_EXCEPTION', result.message))
      return
    }
    if (!this.snapshotCoordinators(pending)) return
    pending.phase = 'ACKNOWLEDGING'
    const { type, location, request } = pending
    const wish = { type, location, ...(request.format === null ? {} : { format: request.format }), ...(request.synchronous ? { drain: request.drain } : {}) }
    const options = checkpointOptionsOf(this.parts.graph.settings.checkpointing, wish)
    for (const task of pending.plan.trigger) {
      this.parts.port.send(task, { type: 'trigger-checkpoint', checkpointId: id, timestamp: pending.triggeredAt, options })
    }
  }

  private savepointLocation({ directory, triggerId }: CheckpointRequest, attempt: number): string | null {
    return directory === null ? null : savepointLocation(directory, this.parts.job, triggerId ?? String(this.nextCheckpointId), attempt)
  }

  private lookForLocation({ id, location }: PendingCheckpoint): void {
    this.parts.port.storage({ type: 'list', prefix: `${location}/` }, { kind: 'savepoint-location-listed', checkpointId: id })
  }

  private initialiseLocation(pending: PendingCheckpoint): void {
    pending.isLocationOwned = true
    const writes = this.parts.port.haCounter(this.nextCheckpointId)
    this.parts.port.storage({ type: 'transact', writes, deletes: [], durability: 'relaxed' }, { kind: 'location-initialised', checkpointId: pending.id })
  }

  private prepared(id: CheckpointId): void {
    if (this.preparing === id) this.preparing = null
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
