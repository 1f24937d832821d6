/** The engine put together for the simulator: the machines' parts, all real. */
import type { BarrierHandlerFactory } from '../../checkpointing/barrier-handler.ts'
import { METADATA_V6_CODEC } from '../../coordinator/metadata-v6-codec.ts'
import type { JobManagerOptions } from '../../jobmaster/job-manager-options.ts'
import { compileJob } from '../../model/compile-job.ts'
import type { JobDocument } from '../../model/job-document.ts'
import type { JobGraph } from '../../model/job-graph.ts'
import { createCoordinator } from '../../operators/create-coordinator.ts'
import { createOperator } from '../../operators/create-operator.ts'
import { compileBuiltin } from '../../operators/functions/compile-builtin.ts'
import { HeapKeyedStateBackend } from '../../state/heap/heap-keyed-state-backend.ts'
import { HeapOperatorStateBackend } from '../../state/operator-state.ts'
import { assignState } from '../../state/redistribution.ts'
import type { KeyedBackendOptions } from '../../state/keyed-backend-options.ts'
import type { StreamTaskEnvironment } from '../../task/task-environment.ts'

export function taskEnvironment(createBarrierHandler?: BarrierHandlerFactory): StreamTaskEnvironment {
  return {
    compile: compileBuiltin,
    createOperator,
    createKeyedBackend: ({ keySchema, keyGroupRange, maxParallelism }: KeyedBackendOptions) =>
      new HeapKeyedStateBackend(keySchema, keyGroupRange, maxParallelism),
    createOperatorStateBackend: () => new HeapOperatorStateBackend(),
    ...(createBarrierHandler === undefined ? {} : { createBarrierHandler }),
  }
}

export const jobManagerOptions = (clusterSeed: number): JobManagerOptions => ({
  clusterSeed,
  compileJob,
  createCoordinator,
  assignState,
  metadata: METADATA_V6_CODEC,
})

/** Throws `RangeError` with the place, the mistake and the cure of the first problem. */
export function compileOrThrow(document: JobDocument): JobGraph {
  const { graph, problems } = compileJob(document)
  if (graph !== null) return graph
  const first = problems.find((problem) => problem.severity === 'error')
  throw new RangeError(`${first?.path ?? ''}: ${first?.message ?? 'the job cannot be compiled'} ${first?.cure ?? ''}`)
}
