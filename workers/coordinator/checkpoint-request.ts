import type { SavepointFormat, SnapshotType } from '../model/checkpoint.ts'
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
  /** Of a savepoint: where it gets a directory of its own. Null: a checkpoint, which lies below the job's directory. */
  readonly directory: string | null
  /** Of a savepoint; null: a checkpoint. */
  readonly format: SavepointFormat | null
  /** Of a synchronous savepoint: TERMINATE rather than SUSPEND (behaviour 13.2). */
  readonly drain: boolean
}

export interface SavepointKind {
  /** Default CANONICAL. */
  readonly format?: SavepointFormat | undefined
  /** Absent: the job goes on. */
  readonly stop?: 'SUSPEND' | 'TERMINATE'
}

export const periodicRequest = (now: EngineTime): CheckpointRequest => manualRequest(now, 'CONFIGURED', null, true)

export const manualRequest = (
  now: EngineTime,
  checkpointType: CheckpointRequest['checkpointType'],
  triggerId: string | null,
  periodic = false,
): CheckpointRequest => ({
  periodic, savepoint: false, synchronous: false, forced: false, requestedAt: now, checkpointType, triggerId, directory: null, format: null, drain: false,
})

/** A savepoint is forced only where unaligned checkpoints are off (behaviour 2.2): with them it waits for the running checkpoint. */
export const savepointRequest = (
  now: EngineTime, directory: string, triggerId: string | null, unalignedEnabled: boolean, { format = 'CANONICAL', stop }: SavepointKind = {},
): CheckpointRequest => ({
  periodic: false, savepoint: true, synchronous: stop !== undefined, forced: !unalignedEnabled, requestedAt: now, checkpointType: 'CONFIGURED', triggerId,
  directory, format, drain: stop === 'TERMINATE',
})

/** What a request asks of the tasks (behaviour 2.5). `forceFull`: no file of the snapshot that the job was started from may be used again (5.4). */
export function snapshotTypeOf(request: CheckpointRequest, forceFull = false): SnapshotType {
  if (request.savepoint) return request.synchronous ? 'SYNC_SAVEPOINT' : 'SAVEPOINT'
  return request.checkpointType === 'FULL' || forceFull ? 'FULL_CHECKPOINT' : 'CHECKPOINT'
}
