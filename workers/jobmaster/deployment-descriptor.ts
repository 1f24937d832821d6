/** What a task is started with. Flink: TaskDeploymentDescriptorFactory. Pure. */
import { deriveSeed } from '../base/prng.ts'
import type { GateDescription, PartitionDescription, TaskDeployment, TaskRestore, TaskSettings } from '../model/deployment.ts'
import { channelId } from '../model/ids.ts'
import type { FencingToken, JobId } from '../model/ids.ts'
import type { JobEdge, JobSettings, OperatorDescription } from '../model/job-graph.ts'
import { AS_DOCUMENTED } from '../model/live-settings.ts'
import type { ChannelDelays, ChannelRates, LiveSettings } from '../model/live-settings.ts'
import { receiversOf, sendersOf } from './channel-wiring.ts'
import type { Execution, ExecutionGraph } from './execution-graph.ts'

export interface DeploymentContext {
  readonly job: JobId
  readonly token: FencingToken
  readonly seed: number
  readonly traced: boolean
  /** Where they were changed while the job ran. */
  readonly settings?: LiveSettings
}

export function deploymentOf(graph: ExecutionGraph, execution: Execution, restore: TaskRestore | null, { settings: { costs, skews, rates, delays } = AS_DOCUMENTED, ...context }: DeploymentContext): TaskDeployment {
  const { vertex, maxParallelism } = graph.vertex(execution.vertex)
  const { subtask } = execution
  const edges = graph.graph.edges
  return {
    ...context,
    attempt: execution.attempt,
    attemptNumber: execution.attemptNumber,
    vertex: vertex.id,
    name: vertex.name,
    subtask,
    parallelism: vertex.parallelism,
    maxParallelism,
    chain: vertex.chain.map((operator) => changedOperator(operator, costs[operator.uid], skews[operator.uid])),
    gates: edges.filter((edge) => edge.to === vertex.id).map((edge) => gateOf(graph, edge, subtask, delays)),
    partitions: edges.filter((edge) => edge.from === vertex.id).map((edge) => partitionOf(graph, edge, subtask, rates)),
    settings: taskSettings(graph.graph.settings, vertex.chain),
    restore: restore !== null && graph.graph.settings.checkpointing.localRecovery ? { ...restore, fromLocal: true } : restore,
    // The same for every attempt of the subtask: a generator goes on from an offset as if it had never stopped.
    seed: deriveSeed(context.seed, `${vertex.id}_${subtask}`),
  }
}

const changedOperator = (operator: OperatorDescription, costMicros = operator.costMicros, skew = operator.skew): OperatorDescription => ({
  ...operator,
  costMicros,
  ...(skew === undefined ? {} : { skew }),
})

function gateOf(graph: ExecutionGraph, edge: JobEdge, subtask: number, delays: ChannelDelays): GateDescription {
  const senders = sendersOf(edge, subtask, graph.vertex(edge.from).vertex.parallelism, graph.vertex(edge.to).vertex.parallelism)
  return {
    edge: edge.index,
    input: edge.input,
    schema: edge.schema,
    ship: edge.ship,
    by: edge.by,
    channels: senders.map((sender) => {
      const id = channelId(edge.index, sender, subtask)
      const delayMicros = delays[id] ?? edge.delayMicros ?? 0
      return { id, vertex: edge.from, subtask: sender, ...(delayMicros === 0 ? {} : { delayMicros }) }
    }),
  }
}

function partitionOf(graph: ExecutionGraph, edge: JobEdge, subtask: number, rates: ChannelRates): PartitionDescription {
  const receiver = graph.vertex(edge.to)
  const receivers = receiversOf(edge, subtask, graph.vertex(edge.from).vertex.parallelism, receiver.vertex.parallelism)
  return {
    edge: edge.index,
    schema: edge.schema,
    ship: edge.ship,
    by: edge.by,
    ...(edge.unstableHash === true ? { hashSalt: deriveSeed(subtask + 1, 'hash') } : {}),
    unalignedSupported: supportsUnaligned(graph.graph.edges, edge),
    maxParallelism: receiver.maxParallelism,
    subpartitions: receivers.map((index) => {
      const id = channelId(edge.index, subtask, index)
      const changed = rates[id]
      const bytesPerSecond = changed === undefined ? edge.bytesPerSecond : (changed ?? undefined)
      return { id, vertex: edge.to, subtask: index, ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }) }
    }),
  }
}

/**
 * Pointwise and broadcast edges never carry unaligned barriers, and one such edge at a node makes all of its input edges so (behaviour 6.6).
 * Flink: StreamGraphGenerator.
 */
export const supportsUnaligned = (edges: readonly JobEdge[], { to }: JobEdge): boolean =>
  edges.every((edge) => edge.to !== to || edge.ship === 'hash' || edge.ship === 'rebalance')

/** Without periodic checkpointing tasks use the handler that never blocks (behaviour 2.3). */
export function taskSettings(settings: JobSettings, chain: readonly OperatorDescription[] = []): TaskSettings {
  const { checkpointing } = settings
  const syncCosts = chain.flatMap((operator) => (operator.syncCosts === undefined ? [] : [operator.syncCosts]))
  const checkpointingEnabled = checkpointing.intervalMicros !== null
  return {
    exactlyOnce: checkpointingEnabled && checkpointing.mode === 'EXACTLY_ONCE',
    checkpointingEnabled,
    unalignedEnabled: checkpointing.unalignedEnabled,
    afterTasksFinish: checkpointing.afterTasksFinish,
    bufferTimeoutMicros: settings.bufferTimeoutMicros,
    segmentBytes: settings.segmentBytes,
    debloat: settings.debloat,
    inlineThresholdBytes: checkpointing.inlineThresholdBytes,
    ...(checkpointing.storage === 'jobmanager' ? { memoryStateLimitBytes: settings.memoryStateLimitBytes } : {}),
    frameBytes: settings.frameBytes,
    ...(checkpointing.localBackup ? { localBackup: true } : {}),
    syncCostMicros: settings.syncCostMicros,
    ...(syncCosts.length === 0 ? {} : { syncCosts }),
    storageLatencyMicros: settings.storageLatencyMicros,
    storageBytesPerSecond: settings.storageBytesPerSecond,
    linkLatencyMicros: settings.linkLatencyMicros,
  }
}
