/** What the snapshot procedure may ask of its task. Flink: the parts of Environment and OperatorChain that it is handed. */
import type { CheckpointFailureReason, CheckpointMetrics } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { TaskStateSnapshot } from '../model/state-handles.ts'
import type { StorageOp } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import type { InFlightChannel } from '../network/in-flight-buffer.ts'
import type { TaskEventBody } from '../operators/operator.ts'

export interface SubtaskCheckpointOwner {
  readonly now: EngineTime
  /** An operator has asked for the task to fail; it does when the call in hand is over. Nothing may be acknowledged any more. */
  readonly isFailing: boolean
  /** An operator's output waits for buffers: the task is inside of its call, and goes on with nothing else. */
  readonly isBlocked: boolean
  readonly subtask: number
  /** With subtask and attempt, as Flink writes it. */
  readonly taskName: string
  /** To every output, behind all that was emitted; or ahead of it, which is returned then. */
  broadcastBarrier(barrier: CheckpointBarrier): readonly InFlightChannel[]
  /** An aligned barrier of this checkpoint has not left all outputs, and may time out there. */
  hasTimeoutableOutput(checkpointId: CheckpointId): boolean
  /** Pulls such barriers forward; what they overtake is returned. */
  timeOutOutputs(checkpointId: CheckpointId): readonly InFlightChannel[]
  /** What was kept of the inputs is not wanted any more, nor what still arrives. */
  discardInputs(): void
  broadcastCancelMarker(checkpointId: CheckpointId): void
  /** The number of the request, for the reply. */
  storage(op: StorageOp): number
  setTimer(timer: string, at: EngineTime): void
  acknowledge(checkpointId: CheckpointId, metrics: CheckpointMetrics, snapshot: TaskStateSnapshot): void
  decline(checkpointId: CheckpointId, reason: CheckpointFailureReason, message: string): void
  event(body: TaskEventBody): void
}
