/** The door to `_metadata`'s file format (formats 3). `metadata-v6-codec.ts` is the real one; tests put simpler ones in its place. */
import type { SavepointFormat, SnapshotType } from '../model/checkpoint.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { CheckpointingSettings } from '../model/job-graph.ts'
import type { OperatorState } from '../model/state-handles.ts'

export interface CheckpointMetadata {
  readonly checkpointId: CheckpointId
  readonly operatorStates: readonly OperatorState[]
}

/** What goes into the properties of the checkpoint. */
export interface CheckpointKind {
  readonly type: SnapshotType
  readonly retention: CheckpointingSettings['retention']
  /** Of a savepoint: it passed the limit of concurrent checkpoints. */
  readonly forced: boolean
  /** Of a savepoint; null: a checkpoint. */
  readonly format: SavepointFormat | null
  /** Of a savepoint that stops the job: TERMINATE rather than SUSPEND. */
  readonly drain: boolean
}

export interface MetadataCodec {
  encode(metadata: CheckpointMetadata, kind: CheckpointKind): Uint8Array
  /** Throws where the bytes are no readable `_metadata`. */
  decode(bytes: Uint8Array): CheckpointMetadata
}
