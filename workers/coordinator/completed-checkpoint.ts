import type { CheckpointId } from '../model/ids.ts'
import type { ClaimMode } from '../model/restore.ts'
import type { OperatorState } from '../model/state-handles.ts'

/** A checkpoint that can be restored from. Flink: CompletedCheckpoint. */
export interface CompletedCheckpoint {
  readonly checkpointId: CheckpointId
  /** Directory of its exclusive files; `_metadata` is in it. `NOT_ADDRESSABLE` where the JobManager alone has it. */
  readonly location: string
  readonly operatorStates: readonly OperatorState[]
  /** A savepoint that the job was restored from: it counts in the store, and is no base of later checkpoints. Absent: no. */
  readonly isSavepoint?: boolean
  /** What the job was restored from without claiming it: its files are never deleted here (behaviour 5.4). Absent: they are the job's. */
  readonly isUnclaimed?: boolean
}

export const metadataPath = (location: string): string => `${location}/_metadata`
