/** Deployments of small jobs for task tests. */
import { channelId, executionAttemptId, fencingToken, jobId, operatorId, vertexId } from '../../../workers/model/ids.ts'
import type { TaskDeployment, TaskRestore, TaskSettings } from '../../../workers/model/deployment.ts'
import type { OperatorDescription } from '../../../workers/model/job-graph.ts'
import type { Ship } from '../../../workers/model/job-document.ts'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema } from '../../../workers/model/schema.ts'

export const TEXT: Schema = bare('String')

export interface TestVertex {
  readonly name: string
  readonly parallelism: number
  readonly chain: readonly OperatorDescription[]
}

export interface TestEdge {
  readonly from: string
  readonly to: string
  readonly ship: Ship
  readonly input?: number
  readonly schema?: Schema
}

export function operator(uid: string, type: string, more: Partial<OperatorDescription> = {}): OperatorDescription {
  const isSource = type === 'list'
  return {
    uid,
    operatorId: operatorId(uid),
    type,
    name: uid,
    params: {},
    inputs: isSource ? [] : [TEXT],
    keyFields: isSource ? [] : [type === 'count' ? ['value'] : null],
    output: TEXT,
    costMicros: 0,
    hasCoordinator: false,
    ...more,
  }
}

export const SETTINGS: TaskSettings = {
  exactlyOnce: true,
  checkpointingEnabled: true,
  afterTasksFinish: true,
  bufferTimeoutMicros: 100_000,
  segmentBytes: 256,
  inlineThresholdBytes: 0,
  syncCostMicros: 0,
  storageLatencyMicros: 0,
  storageBytesPerSecond: null,
  linkLatencyMicros: 0,
}

const MAX_PARALLELISM = 128

export function deployments(
  vertices: readonly TestVertex[],
  edges: readonly TestEdge[],
  settings: Partial<TaskSettings> = {},
  more: { readonly traced?: boolean; readonly attemptNumber?: number; readonly restore?: (name: string, subtask: number) => TaskRestore | null } = {},
): TaskDeployment[] {
  const parallelismOf = (name: string): number => vertices.find((vertex) => vertex.name === name)?.parallelism ?? 0
  const channelsOf = (edge: TestEdge, index: number, side: 'from' | 'to', subtask: number) => {
    const peer = side === 'from' ? edge.to : edge.from
    const peers = Array.from({ length: parallelismOf(peer) }, (_, i) => i).filter((i) => edge.ship !== 'forward' || i === subtask)
    return peers.map((i) => ({
      id: side === 'from' ? channelId(index, subtask, i) : channelId(index, i, subtask),
      vertex: vertexId(peer),
      subtask: i,
    }))
  }
  return vertices.flatMap((vertex) =>
    Array.from({ length: vertex.parallelism }, (_, subtask): TaskDeployment => ({
      job: jobId('0'.repeat(32)),
      token: fencingToken(1),
      attempt: executionAttemptId(vertexId(vertex.name), subtask, more.attemptNumber ?? 0),
      attemptNumber: more.attemptNumber ?? 0,
      vertex: vertexId(vertex.name),
      name: vertex.name,
      subtask,
      parallelism: vertex.parallelism,
      maxParallelism: MAX_PARALLELISM,
      chain: vertex.chain,
      gates: edges.flatMap((edge, index) =>
        edge.to === vertex.name
          ? [{ edge: index, input: edge.input ?? 0, schema: edge.schema ?? TEXT, ship: edge.ship, by: edge.ship === 'hash' ? ['value'] : [], channels: channelsOf(edge, index, 'to', subtask) }]
          : [],
      ),
      partitions: edges.flatMap((edge, index) =>
        edge.from === vertex.name
          ? [
              {
                edge: index,
                schema: edge.schema ?? TEXT,
                ship: edge.ship,
                by: edge.ship === 'hash' ? ['value'] : [],
                unalignedSupported: supportsUnaligned(edges, edge),
                maxParallelism: MAX_PARALLELISM,
                subpartitions: channelsOf(edge, index, 'from', subtask),
              },
            ]
          : [],
      ),
      settings: { ...SETTINGS, ...settings },
      restore: more.restore?.(vertex.name, subtask) ?? null,
      seed: 7,
      traced: more.traced ?? false,
    })),
  )
}

/** As the JobManager says it: one edge that cannot carry unaligned barriers makes all of its node's so. */
const supportsUnaligned = (edges: readonly TestEdge[], { to }: TestEdge): boolean =>
  edges.every((edge) => edge.to !== to || edge.ship === 'hash' || edge.ship === 'rebalance')
