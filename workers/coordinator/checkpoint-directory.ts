import type { JobId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'

/** Where a job's checkpoints lie: `{dir}/{job id}`; `chk-N`, `shared` and `taskowned` are below it (behaviour 10.3). */
export const jobDirectoryOf = (graph: JobGraph, job: JobId): string => `${graph.settings.checkpointing.dir}/${job}`

/** Flink: AbstractFsCheckpointStorageAccess.initializeLocationForSavepoint; the random part comes from the request here. */
export const savepointLocation = (directory: string, job: JobId, triggerId: string): string =>
  `${directory}/savepoint-${job.slice(0, 6)}-${triggerId.slice(0, 12)}`
