/**
 * Where the checkpoints of a job lie: `{dir}/{job id}`, with `chk-N`, `shared` and `taskowned` below it. Flink:
 * AbstractFsCheckpointStorageAccess, JobManagerCheckpointStorage (behaviour 10.2, 10.3).
 */
import type { CheckpointId, JobId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'

/**
 * Stands in the place of a path where JobManager storage has no directory: nothing of the checkpoint is in storage, and nobody finds it from
 * outside. Flink: NonPersistentMetadataCheckpointStorageLocation.
 */
export const NOT_ADDRESSABLE = '<checkpoint-not-externally-addressable>'

export const isAddressable = (location: string): boolean => location !== NOT_ADDRESSABLE

/** Null: the job names no directory. */
export function jobDirectoryOf(graph: JobGraph, job: JobId): string | null {
  const { dir, createSubdir } = graph.settings.checkpointing
  return dir === null || !createSubdir ? dir : `${dir}/${job}`
}

/** The directory of that checkpoint, or `NOT_ADDRESSABLE`. */
export const checkpointLocation = (jobDirectory: string | null, id: CheckpointId): string =>
  jobDirectory === null ? NOT_ADDRESSABLE : `${jobDirectory}/chk-${id}`

/**
 * Below the job's directory: where files of its checkpoints lie, and nothing deeper. All else there is never swept: what is task-owned, and
 * savepoints whose target is that directory.
 */
export const OF_CHECKPOINTS: readonly string[] = ['chk-', 'shared/']
