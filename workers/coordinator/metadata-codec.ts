/** The door to `_metadata`'s file format (formats 3); the codec itself belongs to `savepoint/`. */
import type { CheckpointId } from '../model/ids.ts'
import type { OperatorState } from '../model/state-handles.ts'

export interface CheckpointMetadata {
  readonly checkpointId: CheckpointId
  readonly operatorStates: readonly OperatorState[]
}

export interface MetadataCodec {
  encode(metadata: CheckpointMetadata): Uint8Array
  /** Throws where the bytes are no readable `_metadata`. */
  decode(bytes: Uint8Array): CheckpointMetadata
}
