/** What the page asks of workers through comlink: one surface per worker. Each call has a deadline at the caller. */
import type { ExecutionState, JobStatus } from '../../model/execution.ts'
import type { CheckpointId, ExecutionAttemptId, FencingToken, JobId, TaskManagerId, VertexId } from '../../model/ids.ts'
import type { JobDocument, TopicDocument } from '../../model/job-document.ts'
import type { JobGraph, Problem } from '../../model/job-graph.ts'
import type { SinkView } from '../../model/outside.ts'
import type { TaskReport } from '../../model/report.ts'
import type { Value } from '../../model/schema.ts'
import type { FileEntry } from '../../model/storage.ts'
import type { EngineTime } from '../../model/time.ts'
import type { LoggedEvent } from './messages.ts'

export interface RestCall {
  /** With the query, without a host. */
  readonly path: string
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
}

export interface RestAnswerJson {
  readonly status: number
  readonly body: unknown
}

export interface JobManagerView {
  readonly token: FencingToken | null
  readonly job: JobId | null
  readonly status: JobStatus | null
  readonly graph: JobGraph | null
  readonly executions: readonly ExecutionInfo[]
}

export interface ExecutionInfo {
  readonly vertex: VertexId
  readonly subtask: number
  readonly attempt: ExecutionAttemptId
  readonly attemptNumber: number
  readonly state: ExecutionState
  readonly taskManager: TaskManagerId | null
}

export interface JobManagerSurface {
  /** Compiles without running: the mistakes of a document, and the graph if there are none. */
  compile(document: JobDocument): { readonly graph: JobGraph | null; readonly problems: readonly Problem[] }
  submit(job: JobId, document: JobDocument, seed: number): void
  cancel(): void
  triggerCheckpoint(triggerId: string): void
  setTraced(traced: boolean): void
  rest(call: RestCall): RestAnswerJson
  view(): JobManagerView
}

/** One operator's keyed state and offsets in a completed checkpoint, as read back from its files. */
export interface InspectedCheckpoint {
  readonly checkpointId: CheckpointId
  readonly path: string
  readonly operators: readonly InspectedOperator[]
}

export interface InspectedOperator {
  readonly uid: string
  readonly name: string
  readonly parallelism: number
  readonly maxParallelism: number
  readonly keyed: readonly { readonly state: string; readonly subtask: number; readonly key: Value; readonly value: Value }[]
  readonly splits: readonly { readonly partition: number; readonly offset: number }[]
}

export interface StorageSurface {
  files(prefix: string): Promise<readonly FileEntry[]>
  read(path: string): Promise<Uint8Array>
  inspect(metadataPath: string): Promise<InspectedCheckpoint>
  fault(fault: StorageFault): void
}

export type StorageFault =
  | { readonly kind: 'fail-storage'; readonly reason: 'QUOTA_EXCEEDED' | 'UNAVAILABLE' | 'ABORTED'; readonly count: number }
  | { readonly kind: 'lose-storage-reply'; readonly applied: boolean }
  /** Answers nothing until it is switched off again. */
  | { readonly kind: 'stall-storage'; readonly on: boolean }

export interface OutsideSurface {
  /** Replaces the topics. `base`: where built-in data sets are fetched from. */
  loadTopics(topics: readonly TopicDocument[], base: string): Promise<void>
  /** Forgets every sink, for a new job. */
  resetSinks(): Promise<void>
  sink(sink: string): Promise<SinkView>
  /** Refuses everything as UNAVAILABLE for so long in engine time. */
  outage(durationMicros: EngineTime): Promise<void>
}

export interface ObserverSurface {
  eventsSince(position: number, limit: number): readonly LoggedEvent[]
  reports(): readonly TaskReport[]
}
