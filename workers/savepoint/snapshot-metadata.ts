import type { OperatorId } from '../model/ids.ts'
import type { OperatorState } from '../model/state-handles.ts'
import type { CheckpointProperties } from './checkpoint-properties.ts'

/** The content of a `_metadata` file. */
export interface SnapshotMetadata {
  readonly version: number
  readonly checkpointId: number
  /** Of hooks at the coordinator; the engine has none. */
  readonly masterStates: readonly { readonly name: string; readonly version: number; readonly bytes: Uint8Array }[]
  readonly operators: readonly OperatorState[]
  /** Null before version 4, and in files of the State Processor API. */
  readonly properties: CheckpointProperties | null
  /** What the file names and the engine cannot restore. Never any in files of its own. */
  readonly unsupported: readonly { readonly operatorId: OperatorId; readonly subtask: number | null; readonly what: string }[]
}
