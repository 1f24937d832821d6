/** What the page sees of the cluster. `cluster.ts` is the one implementation; features import from here only. */
import type { SavepointFormat } from '../../workers/model/checkpoint.ts'
import type { LiveSettings } from '../../workers/model/live-settings.ts'
import type { EngineEvent } from '../../workers/model/events.ts'
import type { JobStatus } from '../../workers/model/execution.ts'
import type { CheckpointId, ExecutionAttemptId, JobId, TaskManagerId } from '../../workers/model/ids.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Problem } from '../../workers/model/job-graph.ts'
import type { SinkView, TopicContent } from '../../workers/model/outside.ts'
import type { TaskReport } from '../../workers/model/report.ts'
import type { SavepointRestoreSettings } from '../../workers/model/restore.ts'
import type { Value } from '../../workers/model/schema.ts'
import type { Fault } from '../../workers/model/scenario-document.ts'
import type { FileEntry } from '../../workers/model/storage.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import type { SnapshotDesk } from '../../workers/hosts/browser/snapshot-desk.ts'
import type { LogBatch, LoggedEvent } from '../../workers/hosts/browser/messages.ts'
import type { InspectedCheckpoint, JobManagerView, RestAnswerJson, RestCall } from '../../workers/hosts/browser/requests.ts'

/** `leading`: this tab runs the cluster. `watching`: another tab does, and this one shows what it tells. */
export type ClusterRole = 'starting' | 'leading' | 'watching'

export interface PaceStatus {
  readonly mode: 'story' | 'fixed'
  /** What was asked for: 0 while paused. In story mode what the story asks for now. */
  readonly asked: number
  /** What the clock does; lower than asked when work cannot keep up. */
  readonly actual: number
  readonly paused: boolean
  /** Work cannot keep up with the asked pace, so the clock was slowed. */
  readonly limited: boolean
  /** In story mode: why it is slow or fast just now, in one word for the ruler. */
  readonly phase: StoryPhaseName | null
}

export type StoryPhaseName = 'still' | 'quiet' | 'barriers' | 'failure' | 'detection' | 'back-off' | 'recovery'

/** With what was changed while the job runs. */
export interface ClusterStatus extends LiveSettings {
  readonly role: ClusterRole
  readonly job: { readonly id: JobId; readonly name: string; readonly status: JobStatus } | null
  readonly pace: PaceStatus
  readonly traced: boolean
  /** `running`: there is a JobManager, and it has recovered what there was to recover. */
  readonly leader: 'none' | 'starting' | 'running'
  readonly taskManagers: readonly { readonly id: TaskManagerId; readonly slots: number }[]
  /** The engine, or a part that cannot be replaced, is dead: what the page shows no longer moves. */
  readonly dead: { readonly part: string; readonly message: string } | null
  /** Something that the user should know and that stopped nothing: storage is refused, say. */
  readonly notices: readonly string[]
}

export interface StartOptions {
  readonly seed?: number
  /** The snapshot that the job starts from. Absent: none, unless the job's own options name one. */
  readonly restore?: SavepointRestoreSettings
}

export interface SavepointOptions {
  /** Default CANONICAL. */
  readonly format?: SavepointFormat
  /** Default: `execution.checkpointing.savepoint-dir`, else `/savepoints`. */
  readonly directory?: string
}

export type StartResult = { readonly ok: true; readonly job: JobId } | { readonly ok: false; readonly problems: readonly Problem[] }

export interface StateRow {
  readonly subtask: number
  readonly key: Value
  readonly keyGroup: number
  readonly value: Value
  readonly changedAt: EngineTime
}

/** The clock shows `engine` at `wall` (milliseconds since 1970) and goes on at `pace` until the next reading. */
export interface ClockReading {
  readonly wall: number
  readonly engine: EngineTime
  readonly pace: number
}

export interface Cluster {
  readonly status: ClusterStatus
  /** Called at once and after every change. Returns the way to stop it. */
  onStatus(listener: (status: ClusterStatus) => void): () => void
  /** Every event since the page began and the latest report per task, in batches, at most ten a second. */
  onLog(listener: (batch: LogBatch) => void): () => void
  /** What the JobManager reports, without the delay of batches. */
  onJobManagerEvent(listener: (event: EngineEvent) => void): () => void
  engineNow(): EngineTime
  readonly clockNow: ClockReading
  /** After every change of pace, also one that was laid out beforehand. */
  onClock(listener: (reading: ClockReading) => void): () => void

  /** Loads the topics of the document and submits it; a job that runs is cancelled first. */
  start(document: JobDocument, options?: StartOptions): Promise<StartResult>
  /** Resolves when the job has reached a terminal state. */
  cancel(): Promise<void>
  /** Document of the job that runs or ran last, as it was submitted. */
  readonly document: JobDocument | null

  /** A number (engine time per wall time, 0 to 1000) or the story. */
  setPace(pace: number | 'story'): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  /** Record trace on or off, until the pace changes. */
  setTraced(traced: boolean): Promise<void>

  /** What records cost, how keys are spread, what channels take: from now on, also after a restart and under another JobManager, until another job starts. */
  changeSettings(change: Partial<LiveSettings>): Promise<void>

  inject(fault: Fault): Promise<void>
  rest(call: RestCall): Promise<RestAnswerJson>
  triggerCheckpoint(): Promise<string>
  /** Resolves with the savepoint's path when it is complete; rejects with Flink's reason. */
  triggerSavepoint(options?: SavepointOptions): Promise<string>
  /** Resolves with the savepoint's path when the job has FINISHED. */
  stopWithSavepoint(options?: SavepointOptions & { readonly drain?: boolean }): Promise<string>
  disposeSavepoint(path: string): Promise<void>

  /** Files and snapshots in storage, and dropped ones. */
  readonly desk: SnapshotDesk

  /** The newest `limit` rows of each kind (200), and totals. */
  sink(uid: string, limit?: number): Promise<SinkView>
  /** What the topics of the job began with. */
  topics(): Promise<readonly TopicContent[]>
  /** Every entry of an operator's keyed state, as its subtasks hold it now. */
  state(uid: string): Promise<readonly StateRow[]>
  /** Events of the log after that position. */
  events(since: number): Promise<readonly LoggedEvent[]>
  reports(): Promise<readonly TaskReport[]>
  files(path: string): Promise<readonly FileEntry[]>
  readFile(path: string): Promise<Uint8Array>
  /** Reads a completed checkpoint back from storage, decoded. */
  inspectCheckpoint(checkpointId: CheckpointId): Promise<InspectedCheckpoint>

  /** A port on which the worker that draws gets `OverlayBatch`es. */
  overlayPort(): MessagePort
  /** Executions, graph and token as the JobManager has them now. */
  view(): Promise<JobManagerView>
  killSubtask(attempt: ExecutionAttemptId): Promise<void>
  killTaskManager(taskManager: TaskManagerId): Promise<void>
  killJobManager(): Promise<void>
}
