/**
 * The files of the high-availability store: `/ha/<job id>/job-graph`, `checkpoints`, `counter`. Flink: JobGraphStore,
 * CompletedCheckpointStore and CheckpointIDCounter of a high-availability service; here they lie on the same file system as the checkpoints.
 */
import { encodeUtf8 } from '../../base/utf8.ts'
import type { CompletedCheckpoint } from '../../coordinator/completed-checkpoint.ts'
import { jobId } from '../../model/ids.ts'
import type { CheckpointId, JobId } from '../../model/ids.ts'
import type { JobDocument } from '../../model/job-document.ts'
import type { ClaimMode } from '../../model/restore.ts'
import type { FileWrite } from '../../model/storage.ts'

export const HA_ROOT = '/ha/'

export interface StoredJob {
  readonly document: JobDocument
  readonly seed: number
}

export interface StoredPointer {
  readonly checkpointId: CheckpointId
  readonly location: string
  /** Of the snapshot that the job was started from. */
  readonly isSavepoint?: boolean
  readonly claimMode?: ClaimMode
}

export interface StoredCounter {
  readonly nextCheckpointId: CheckpointId
  /** Attempt numbers below this have been used. */
  readonly nextAttempt: number
}

export const jobGraphPath = (job: JobId): string => `${HA_ROOT}${job}/job-graph`
export const checkpointsPath = (job: JobId): string => `${HA_ROOT}${job}/checkpoints`
export const counterPath = (job: JobId): string => `${HA_ROOT}${job}/counter`
/** A checkpoint without a directory of its own, as `_metadata` would hold it. Flink: the serialized CompletedCheckpoint in the storage directory. */
export const snapshotPath = (job: JobId, id: CheckpointId): string => `${snapshotPrefix(job)}${id}`
export const snapshotPrefix = (job: JobId): string => `${HA_ROOT}${job}/completed-checkpoint-`
export const haPaths = (job: JobId): readonly string[] => [jobGraphPath(job), checkpointsPath(job), counterPath(job)]

export const jobGraphFile = (job: JobId, stored: StoredJob): FileWrite => file(jobGraphPath(job), stored)
export const counterFile = (job: JobId, counter: StoredCounter): FileWrite => file(counterPath(job), counter)
export const checkpointsFile = (job: JobId, retained: readonly CompletedCheckpoint[]): FileWrite =>
  file(
    checkpointsPath(job),
    retained.map(({ checkpointId, location, isSavepoint, claimMode }): StoredPointer => {
      const pointer = { checkpointId, location }
      return claimMode === undefined ? pointer : { ...pointer, isSavepoint: isSavepoint === true, claimMode }
    }),
  )

/** The job that a `job-graph` path belongs to; null for any other path. */
export function jobOfPath(path: string): JobId | null {
  const match = /^\/ha\/([0-9a-f]{32})\/job-graph$/.exec(path)
  return match?.[1] === undefined ? null : jobId(match[1])
}

/** Throws where the bytes are no JSON. */
export function parseFile<T>(bytes: Uint8Array): T {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return JSON.parse(text) as T
}

/** Pure ASCII, so that it reads back byte by byte. */
function file(path: string, content: unknown): FileWrite {
  const json = JSON.stringify(content).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return { path, bytes: encodeUtf8(json), createNew: false }
}
