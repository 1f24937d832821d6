import type { JobId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { CheckpointCleaner } from './checkpoint-cleaner.ts'
import type { CompletedCheckpointStore } from './completed-checkpoint-store.ts'
import type { CoordinatorPort } from './coordinator-port.ts'
import type { FailureManager } from './failure-manager.ts'
import type { HeldMemory } from './held-memory.ts'
import type { MetadataCodec } from './metadata-codec.ts'
import type { OperationCache } from './operations.ts'
import type { SharedStateRegistry } from './shared-state-registry.ts'
import type { CheckpointStatistics } from './statistics.ts'

/** What the parts of one checkpoint coordinator share. */
export interface CoordinatorParts {
  readonly job: JobId
  readonly graph: JobGraph
  readonly port: CoordinatorPort
  readonly metadata: MetadataCodec
  readonly statistics: CheckpointStatistics
  readonly operations: OperationCache
  readonly store: CompletedCheckpointStore
  readonly failures: FailureManager
  readonly cleaner: CheckpointCleaner
  readonly registry: SharedStateRegistry
  readonly memory: HeldMemory
}
