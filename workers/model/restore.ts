/** Who owns the files of the snapshot that a job was started from (behaviour 5.4). Flink: RecoveryClaimMode. */
export type ClaimMode = 'NO_CLAIM' | 'CLAIM' | 'LEGACY'

export const CLAIM_MODES: readonly ClaimMode[] = ['NO_CLAIM', 'CLAIM', 'LEGACY']

/** From which snapshot a job starts. Flink: SavepointRestoreSettings. */
export interface SavepointRestoreSettings {
  /** Directory of the snapshot, or its `_metadata` file; any scheme is mapped to the root of the file system (behaviour 10.5). */
  readonly path: string
  /** State of operators that the job has not got is left behind; otherwise it refuses to start (behaviour 12.2). */
  readonly allowNonRestoredState: boolean
  readonly claimMode: ClaimMode
}
