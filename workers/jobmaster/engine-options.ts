/** The JobManager with the engine's own parts. Every host uses this. */
import { METADATA_V6_CODEC } from '../coordinator/metadata-v6-codec.ts'
import { compileJob } from '../model/compile-job.ts'
import { createCoordinator } from '../operators/create-coordinator.ts'
import { assignState } from '../state/redistribution.ts'
import type { JobManagerOptions } from './job-manager-options.ts'

export const engineOptions = (clusterSeed: number): JobManagerOptions => ({
  clusterSeed,
  compileJob,
  createCoordinator,
  assignState,
  metadata: METADATA_V6_CODEC,
})
