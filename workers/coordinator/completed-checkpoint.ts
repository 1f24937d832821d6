import type { CheckpointId } from '../model/ids.ts'
import type { ClaimMode } from '../model/restore.ts'
import type { OperatorState } from '../model/state-handles.ts'

/** A checkpoint that can be restored from. Flink: CompletedCheckpoint. */
export interface CompletedCheckpoint {
  readonly checkpointId: CheckpointId
  /** Directory of its exclusive files; `_metadata` is in it. `NOT_ADDRESSABLE` where the JobManager alone has it. */
  readonly location: string
  readonly operatorStates: readonly OperatorState[]
  /** The job was restored from it, and it was a savepoint. Absent: no. */
  readonly isSavepoint?: boolean
  /**
   * The job was restored from it without claiming it (NO_CLAIM, LEGACY): it counts in the store, and its files are never deleted here (behaviour
   * 5.2, 5.4). Absent: they are the job's.
   */
  readonly isUnclaimed?: boolean
  /** The job was started from it, and how. Absent: the job made it. */
  readonly claimMode?: ClaimMode
}

export const metadataPath = (location: string): string => `${location}/_metadata`
