import type { CheckpointId } from '../model/ids.ts'
import type { OperatorState } from '../model/state-handles.ts'

/** A checkpoint that can be restored from. Flink: CompletedCheckpoint. */
export interface CompletedCheckpoint {
  readonly checkpointId: CheckpointId
  /** Directory of its exclusive files; `_metadata` is in it. */
  readonly location: string
  readonly operatorStates: readonly OperatorState[]
}

export const metadataPath = (location: string): string => `${location}/_metadata`
