/**
 * Everything that passes between the shells of the browser host and the page, one union per direction. Ports are made by the page alone
 * (DESIGN 8, 11) and travel inside the message that names their purpose.
 */
import type { TaskCommand, TaskMessage } from '../../model/control.ts'
import type { TaskDeployment } from '../../model/deployment.ts'
import type { EngineEvent } from '../../model/events.ts'
import type { JobStatus } from '../../model/execution.ts'
import type { ExecutionAttemptId, FencingToken, JobId, TaskManagerId } from '../../model/ids.ts'
import type { JobSettings } from '../../model/job-graph.ts'
import type { OutsideOp, OutsideReply } from '../../model/outside.ts'
import type { PaceSchedule } from '../../model/pace.ts'
import type { KeyedStateReport, TaskReport } from '../../model/report.ts'
import type { FileWrite, StorageOp, StorageReply } from '../../model/storage.ts'
import type { LocalCopy } from '../../task/local-state-store.ts'
import type { EngineTime } from '../../model/time.ts'
import type { TraceEvent } from '../../model/trace.ts'
import type { ChannelFeedback, ChannelMessage } from '../../model/wire.ts'

// ── every worker → its parent

/** What any worker tells whoever started it. */
export type WorkerNotice =
  | { readonly type: 'ready' }
  /** An error that nobody caught: the worker is not to be trusted any more. */
  | { readonly type: 'died'; readonly message: string; readonly stack: string }
  /** The schedule of this epoch holds from now on, here and below. */
  | { readonly type: 'pace-applied'; readonly epoch: number }
  /** Work is this far behind the clock, in wall milliseconds. */
  | { readonly type: 'lagging'; readonly wallMillis: number }
  | { readonly type: 'alive'; readonly ping: number }
  /** Its database refuses every change, for this reason; null: it takes them again. What is in memory goes on. */
  | { readonly type: 'store-failed'; readonly message: string | null }

export type PaceMessage = { readonly type: 'pace'; readonly schedule: PaceSchedule }
export type PingMessage = { readonly type: 'ping'; readonly ping: number }

// ── page ↔ JobManager worker

export type ToJobManager =
  | PaceMessage
  | PingMessage
  | {
      readonly type: 'start'
      readonly token: FencingToken
      readonly clusterSeed: number
      readonly schedule: PaceSchedule
      /** comlink, `JobManagerSurface`. */
      readonly surface: MessagePort
      readonly storage: MessagePort
      readonly observer: MessagePort
    }
  | { readonly type: 'task-manager'; readonly taskManager: TaskManagerId; readonly port: MessagePort }
  /** To be told to the JobManager when the clock shows `due`. */
  | { readonly type: 'task-manager-lost'; readonly taskManager: TaskManagerId; readonly cause: string; readonly due: EngineTime }
  /** Whether triggers wait until the hosts have acknowledged the pace that was laid out for them. */
  | { readonly type: 'hold-triggers'; readonly hold: boolean }
  /** Every host has the pace that was laid out for this trigger. */
  | { readonly type: 'trigger-may-go'; readonly nextAt: EngineTime }

export type FromJobManager = WorkerNotice | JobManagerMessage

export type JobManagerMessage =
  /** The job that is led, whenever it or its status is another one than before. */
  | { readonly type: 'job'; readonly job: LedJob | null }
  | { readonly type: 'request-task-managers'; readonly count: number }
  | { readonly type: 'deploy'; readonly tasks: readonly { readonly taskManager: TaskManagerId; readonly deployment: TaskDeployment }[] }
  /** What the JobManager reports goes to the page as well as to the log, so that the pace can follow it without delay. */
  | { readonly type: 'events'; readonly events: readonly EngineEvent[] }

export interface LedJob {
  readonly id: JobId
  readonly name: string
  readonly status: JobStatus
  readonly settings: JobSettings | null
}

// ── page ↔ TaskManager worker

export type ToTaskManager =
  | PaceMessage
  | PingMessage
  | { readonly type: 'start'; readonly taskManager: TaskManagerId; readonly slots: number; readonly schedule: PaceSchedule }
  /** A new leader: whatever runs for an older one is dropped. */
  | { readonly type: 'connect'; readonly token: FencingToken; readonly port: MessagePort }
  | { readonly type: 'deploy'; readonly token: FencingToken; readonly tasks: readonly DeployedTask[] }
  /** Terminates the worker of one task; the loss becomes known `detectionMicros` later. */
  | { readonly type: 'kill-task'; readonly attempt: ExecutionAttemptId; readonly detectionMicros: EngineTime }
  | QueryState

/** Every entry of an operator's keyed state in one task. */
export interface QueryState {
  readonly type: 'query-state'
  readonly query: number
  readonly attempt: ExecutionAttemptId
  readonly uid: string
}

export interface StateAnswer {
  readonly type: 'state-answer'
  readonly query: number
  /** Null: the operator keeps no keyed state, or the task is gone. */
  readonly rows: KeyedStateReport['rows'] | null
}

export interface DeployedTask {
  readonly deployment: TaskDeployment
  readonly ports: TaskPorts
}

export interface TaskPorts {
  /** By the task's channel number. */
  readonly inputs: readonly MessagePort[]
  /** By the task's output number. */
  readonly outputs: readonly MessagePort[]
  readonly storage: MessagePort
  readonly outside: MessagePort
  readonly observer: MessagePort
}

export type FromTaskManager = WorkerNotice | StateAnswer

// ── JobManager ↔ TaskManager

/** With the job, because the attempts of another job of the same document have the same ids. */
export type JobManagerToTaskManager =
  | { readonly type: 'command'; readonly job: JobId; readonly attempt: ExecutionAttemptId; readonly command: TaskCommand }
  | { readonly type: 'release'; readonly job: JobId; readonly attempt: ExecutionAttemptId }

export type TaskManagerToJobManager =
  | { readonly type: 'register'; readonly slots: number }
  | { readonly type: 'task-message'; readonly message: TaskMessage }
  | { readonly type: 'task-lost'; readonly attempt: ExecutionAttemptId; readonly cause: string; readonly due: EngineTime }

// ── TaskManager ↔ task

export type ToTask =
  | PaceMessage
  | PingMessage
  /** `copies`: what the TaskManager has kept of the state that the task is restored from. */
  | { readonly type: 'deploy'; readonly task: DeployedTask; readonly schedule: PaceSchedule; readonly copies: readonly LocalCopy[] }
  | { readonly type: 'command'; readonly command: TaskCommand }
  | QueryState

export type FromTask =
  | WorkerNotice
  | StateAnswer
  | { readonly type: 'task-message'; readonly message: TaskMessage }
  /** Before they go to storage: the TaskManager keeps copies. */
  | { readonly type: 'keep-copies'; readonly writes: readonly FileWrite[] }

// ── channels between tasks

/** Upstream to downstream: what one call of the sender has sent, in its order, each with the time when it entered the link. */
export type OnChannel = readonly ChannelMessage[]

export interface OnChannelBack {
  readonly at: EngineTime
  readonly feedback: ChannelFeedback
}

// ── storage worker and outside worker

/** Whose requests come through a port: fixed by the page when it makes the port. */
export interface Fence {
  readonly job: JobId
  readonly token: FencingToken
}

export type ToStorage =
  | PingMessage
  | { readonly type: 'start'; readonly surface: MessagePort }
  | { readonly type: 'open'; readonly port: MessagePort; readonly fence: Fence | null }

/** Through a port of `open`. The JobManager names the job by itself, since it may not know it yet when the port is made. */
export interface StorageCall {
  readonly requestId: number
  readonly op: StorageOp
  readonly fence?: Fence
}
export type StorageAnswer = StorageReply

export type ToOutside =
  | PaceMessage
  | PingMessage
  | { readonly type: 'start'; readonly schedule: PaceSchedule; readonly surface: MessagePort; readonly observer: MessagePort }
  | { readonly type: 'open'; readonly port: MessagePort; readonly fence: Fence }

export interface OutsideCall {
  readonly requestId: number
  readonly op: OutsideOp
}
export type OutsideAnswer = OutsideReply

// ── observer worker

export type ToObserver =
  | PingMessage
  | { readonly type: 'start'; readonly surface: MessagePort }
  | { readonly type: 'open'; readonly port: MessagePort; readonly source: string }
  /** Batches go out as soon as there is a subscriber, at most ten a second. */
  | { readonly type: 'subscribe' }
  /** Record trace and reports, for the worker that draws. */
  | { readonly type: 'overlay'; readonly port: MessagePort }

/** One batch of one source. */
export interface ObserverBatch {
  readonly events: readonly EngineEvent[]
  readonly report: TaskReport | null
  readonly trace: readonly TraceEvent[]
}

export type FromObserver =
  | WorkerNotice
  | { readonly type: 'batch'; readonly batch: LogBatch }

/** An event in the log, with its place there. */
export interface LoggedEvent extends EngineEvent {
  /** Position in the log, from 1, over all sources. */
  readonly position: number
}

export interface LogBatch {
  readonly events: readonly LoggedEvent[]
  /** Latest of every task that reported since the last batch. */
  readonly reports: readonly TaskReport[]
}

/** To the overlay: all that is to be drawn, in order of arrival. */
export interface OverlayBatch {
  readonly events: readonly EngineEvent[]
  readonly trace: readonly TraceEvent[]
  readonly reports: readonly TaskReport[]
}

// ── page ↔ desk worker

/** The first message: comlink, `SnapshotDesk`. */
export interface ToDesk {
  readonly type: 'start'
  readonly surface: MessagePort
}

export type FromDesk = WorkerNotice
