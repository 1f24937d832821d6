import type { SnapshotType } from '../model/checkpoint.ts'
import type { EngineTime } from '../model/time.ts'

/** A wish for a checkpoint, from the periodic timer or by hand. Flink: CheckpointTriggerRequest, CheckpointProperties. */
export interface CheckpointRequest {
  readonly periodic: boolean
  readonly savepoint: boolean
  /** A savepoint that stops the job: it commits, and a task that fails it fails the job (behaviour 3.2, 4). */
  readonly synchronous: boolean
  /** Passes the limit of concurrent checkpoints. */
  readonly forced: boolean
  readonly requestedAt: EngineTime
  readonly checkpointType: 'CONFIGURED' | 'FULL' | 'INCREMENTAL'
  /** Names the answer of a request by hand. */
  readonly triggerId: string | null
  /** Directory of a savepoint; null: below the job's directory, as a checkpoint. */
  readonly location: string | null
}

export const periodicRequest = (now: EngineTime): CheckpointRequest => manualRequest(now, 'CONFIGURED', null, true)

export const manualRequest = (
  now: EngineTime,
  checkpointType: CheckpointRequest['checkpointType'],
  triggerId: string | null,
  periodic = false,
): CheckpointRequest => ({
  periodic, savepoint: false, synchronous: false, forced: false, requestedAt: now, checkpointType, triggerId, location: null,
})

/** A savepoint is forced only where unaligned checkpoints are off (behaviour 2.2): with them it waits for the running checkpoint. */
export const savepointRequest = (now: EngineTime, location: string, triggerId: string | null, unalignedEnabled: boolean): CheckpointRequest => ({
  periodic: false, savepoint: true, synchronous: false, forced: !unalignedEnabled, requestedAt: now, checkpointType: 'CONFIGURED', triggerId, location,
})

/** What a request asks of the tasks (behaviour 2.5). */
export function snapshotTypeOf(request: CheckpointRequest): SnapshotType {
  if (request.savepoint) return request.synchronous ? 'SYNC_SAVEPOINT' : 'SAVEPOINT'
  return request.checkpointType === 'FULL' ? 'FULL_CHECKPOINT' : 'CHECKPOINT'
}
