import type { EngineTime } from '../model/time.ts'

/** A wish for a checkpoint, from the periodic timer or by hand. Flink: CheckpointTriggerRequest. */
export interface CheckpointRequest {
  readonly periodic: boolean
  readonly savepoint: boolean
  /** Passes the limit of concurrent checkpoints. */
  readonly forced: boolean
  readonly requestedAt: EngineTime
  readonly checkpointType: 'CONFIGURED' | 'FULL' | 'INCREMENTAL'
  /** Names the answer of a request by hand. */
  readonly triggerId: string | null
}

export const periodicRequest = (now: EngineTime): CheckpointRequest => ({
  periodic: true,
  savepoint: false,
  forced: false,
  requestedAt: now,
  checkpointType: 'CONFIGURED',
  triggerId: null,
})
