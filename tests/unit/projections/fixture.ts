import { metricsOf } from '../metrics-of.ts'
import type { EngineEvent, EventBody } from '../../../workers/model/events.ts'
import { channelId, executionAttemptId, jobId, operatorId, vertexId } from '../../../workers/model/ids.ts'
import type { ExecutionAttemptId, VertexId } from '../../../workers/model/ids.ts'
import type { JobGraph, JobVertex } from '../../../workers/model/job-graph.ts'
import type { TaskReport } from '../../../workers/model/report.ts'
import { bare } from '../../../workers/model/schema.ts'

/** Two sources → two keyed subtasks → one transactional sink. */
export const SOURCE = vertexId('a'.repeat(32))
export const KEYED = vertexId('b'.repeat(32))
export const SINK = vertexId('c'.repeat(32))

const schema = bare('String')

function vertex(id: VertexId, name: string, type: string, parallelism: number, keyed: boolean): JobVertex {
  const isSource = type === 'log-source'
  return {
    id,
    name,
    parallelism,
    maxParallelism: 128,
    maxParallelismExplicit: false,
    isSource,
    chain: [
      {
        uid: name.toLowerCase(),
        operatorId: operatorId(id),
        type,
        name,
        params: {},
        inputs: isSource ? [] : [schema],
        keyFields: isSource ? [] : [keyed ? ['value'] : null],
        output: schema,
        costMicros: 0,
        hasCoordinator: isSource,
      },
    ],
  }
}

export const GRAPH: JobGraph = {
  name: 'test',
  vertices: [vertex(SOURCE, 'Flights', 'log-source', 2, false), vertex(KEYED, 'Delay', 'keyed-aggregate', 2, true), vertex(SINK, 'Results', 'two-phase-commit-sink', 1, false)],
  edges: [
    { index: 0, from: SOURCE, to: KEYED, input: 0, ship: 'hash', by: ['value'], schema },
    { index: 1, from: KEYED, to: SINK, input: 0, ship: 'rebalance', by: [], schema },
  ],
  settings: {} as JobGraph['settings'],
  topics: [],
}

export const JOB = jobId('d'.repeat(32))
export const attempt = (id: VertexId, subtask: number, number = 0): ExecutionAttemptId => executionAttemptId(id, subtask, number)
export const at = (id: VertexId, subtask: number, number = 0) => ({ attempt: attempt(id, subtask, number), vertex: id, subtask })
export const channel = channelId

let sequence = 0
export const event = (time: number, body: EventBody, source = 'jobmanager'): EngineEvent => ({ at: time, source, sequence: ++sequence, body })

export function report(id: VertexId, subtask: number, change: Partial<TaskReport>): TaskReport {
  return {
    ...at(id, subtask),
    at: 0,
    activity: 'processing',
    recordsIn: 0,
    recordsOut: 0,
    bytesIn: 0,
    bytesOut: 0,
    busyMicros: 0,
    idleMicros: 0,
    backpressuredMicros: 0,
    hardBackpressuredMicros: 0,
    inputs: [],
    outputs: [],
    inPoolUsage: 0,
    outPoolUsage: 0,
    operators: [],
    checkpoint: null,
    metrics: metricsOf(),
    ...change,
  }
}

export const METRICS = {
  startDelayMicros: 1,
  alignmentMicros: 2,
  syncMicros: 3,
  asyncMicros: 4,
  processedBytes: 0,
  persistedBytes: 0,
  checkpointedBytes: 137,
  stateBytes: 137,
  measured: false,
}
