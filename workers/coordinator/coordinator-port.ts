/** What the checkpoint coordinator asks of the JobManager around it. Everything is done within one `handle` of the machine. */
import type { TaskCommand } from '../model/control.ts'
import type { EventBody } from '../model/events.ts'
import type { CheckpointId, OperatorId } from '../model/ids.ts'
import type { FileWrite, StorageOp } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import type { PlanVertex, TaskRef } from './checkpoint-plan.ts'
import type { CheckpointRequest } from './checkpoint-request.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'
import type { OperationResult } from './operations.ts'

export interface CoordinatorPort {
  readonly now: EngineTime
  planVertices(): readonly PlanVertex[]
  /** Does nothing when the attempt is no longer alive. */
  send(task: TaskRef, command: TaskCommand): void
  /** The reply comes to `CheckpointCoordinator.onStorage` with `step`. */
  storage(op: StorageOp, step: CoordinatorStorageStep): void
  setTimer(timer: string, at: EngineTime): void
  clearTimer(timer: string): void
  event(body: EventBody): void
  /** A request has been answered, for good or ill. Dealt with once the present input has been. */
  requestEnded(request: CheckpointRequest, result: OperationResult): void
  /** Restarts all tasks or fails the job, once the present input has been dealt with. */
  failGlobally(message: string): void
  operatorCoordinators(): readonly CheckpointedCoordinator[]
  /** Writes of the high-availability store; none where high availability is off. */
  haCheckpoints(retained: readonly CompletedCheckpoint[]): readonly FileWrite[]
  /** Where a checkpoint that nobody finds from outside is stored for the next leader; null where high availability is off. */
  haSnapshotPath(checkpointId: CheckpointId): string | null
  haCounter(nextCheckpointId: CheckpointId): readonly FileWrite[]
}

/** Flink: OperatorCoordinatorCheckpointContext (behaviour 2.6). */
export interface CheckpointedCoordinator {
  readonly operatorId: OperatorId
  /** May throw. From now on events to each subtask are held back until it has acknowledged. */
  checkpoint(checkpointId: CheckpointId): Uint8Array
  subtaskAcknowledged(checkpointId: CheckpointId, subtask: number): void
  /** Of the checkpoint there will be no more acknowledgements. */
  checkpointEnded(checkpointId: CheckpointId): void
  notifyCheckpointComplete(checkpointId: CheckpointId): void
}

export type CoordinatorStorageStep =
  /** Whether the directory that a savepoint would get is there already. */
  | { readonly kind: 'savepoint-location-listed'; readonly checkpointId: CheckpointId }
  | { readonly kind: 'location-initialised'; readonly checkpointId: CheckpointId }
  | { readonly kind: 'finalised'; readonly checkpointId: CheckpointId }
  /** `files`: these go next; null: all below the location. */
  | { readonly kind: 'pointer-restored'; readonly checkpointId: CheckpointId; readonly location: string; readonly files: readonly string[] | null }
  | { readonly kind: 'cleaned'; readonly checkpointId: CheckpointId }
