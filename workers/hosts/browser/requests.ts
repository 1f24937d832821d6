/** What the page asks of workers through comlink: one surface per worker. Each call has a deadline at the caller. */
import type { LiveSettings } from '../../model/live-settings.ts'
import type { ExecutionState, JobStatus } from '../../model/execution.ts'
import type { CheckpointId, ExecutionAttemptId, FencingToken, JobId, TaskManagerId, VertexId } from '../../model/ids.ts'
import type { JobDocument, TopicDocument } from '../../model/job-document.ts'
import type { JobGraph, Problem } from '../../model/job-graph.ts'
import type { SinkView, TopicContent } from '../../model/outside.ts'
import type { TaskReport } from '../../model/report.ts'
import type { SavepointRestoreSettings } from '../../model/restore.ts'
import type { Scalar } from '../../model/schema.ts'
import type { FileEntry } from '../../model/storage.ts'
import type { EngineTime } from '../../model/time.ts'
import type { LoggedEvent } from './messages.ts'

export interface RestCall {
  /** With the query, without a host. */
  readonly path: string
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  /** The latest figures of the tasks, for answers that need them: the JobManager has none of its own. */
  readonly reports?: readonly TaskReport[]
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
  submit(job: JobId, document: JobDocument, seed: number, restore?: SavepointRestoreSettings | null): void
  cancel(): void
  triggerCheckpoint(triggerId: string): void
  setTraced(traced: boolean): void
  changeSettings(change: Partial<LiveSettings>): void
  rest(call: RestCall): RestAnswerJson
  view(): JobManagerView
}

/** A completed checkpoint, as read back from its files. */
export interface InspectedCheckpoint {
  readonly checkpointId: CheckpointId
  readonly path: string
  readonly operators: readonly InspectedOperator[]
  /** What is missing or damaged; empty where all could be read. */
  readonly problems: readonly string[]
}

export interface InspectedOperator {
  readonly uid: string
  readonly name: string
  readonly parallelism: number
  readonly maxParallelism: number
  /** In words, by name of the keyed state: `Row<Long, Double>`. */
  readonly types: Readonly<Record<string, string>>
  /** A Long beyond 2^53 is a bigint here. */
  readonly keyed: readonly {
    readonly state: string
    readonly subtask: number
    readonly keyGroup: number
    readonly key: InspectedValue
    readonly value: InspectedValue
  }[]
  /** Where the source goes on, by partition. */
  readonly splits: readonly { readonly subtask: number; readonly topic: string; readonly partition: number; readonly offset: number }[]
}

export type InspectedValue = Scalar | bigint | readonly (Scalar | bigint)[]

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
  /** What the topics began with. */
  topics(): readonly TopicContent[]
  /** Forgets every sink, for a new job. */
  resetSinks(): Promise<void>
  sink(sink: string, limit: number): Promise<SinkView>
  /** Refuses everything as UNAVAILABLE for so long in engine time. */
  outage(durationMicros: EngineTime): Promise<void>
}

export interface ObserverSurface {
  eventsSince(position: number, limit: number): readonly LoggedEvent[]
  reports(): readonly TaskReport[]
}
