import type { JobId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'

/** Where a job's checkpoints lie: `{dir}/{job id}`; `chk-N`, `shared` and `taskowned` are below it (behaviour 10.3). */
export const jobDirectoryOf = (graph: JobGraph, job: JobId): string => `${graph.settings.checkpointing.dir}/${job}`
