/** What a JobManager is built with. All functions here are pure, so that copies of the machine may share them. */
import type { JobDocument } from '../model/job-document.ts'
import type { JobGraph, OperatorDescription, Problem } from '../model/job-graph.ts'
import type { OperatorRestoreState, OperatorState } from '../model/state-handles.ts'
import type { MetadataCodec } from '../coordinator/metadata-codec.ts'
import type { OperatorCoordinator } from '../operators/operator-coordinator.ts'

export interface JobManagerOptions {
  /** Of the JobManager's own randomness: first checkpoint delay, jitter of restarts. */
  readonly clusterSeed: number
  readonly compileJob: (document: JobDocument) => { readonly graph: JobGraph | null; readonly problems: readonly Problem[] }
  readonly createCoordinator: (description: OperatorDescription, graph: JobGraph) => OperatorCoordinator
  /** By new subtask index (behaviour 11). */
  readonly assignState: (old: OperatorState, newParallelism: number, newMaxParallelism: number) => readonly OperatorRestoreState[]
  readonly metadata: MetadataCodec
}
