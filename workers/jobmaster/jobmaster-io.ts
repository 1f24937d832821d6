/**
 * The inputs and effects of the JobManager machine: scheduler, failover, checkpoint coordinator, stores. Sans-IO like the task.
 */
import type { SavepointFormat } from '../model/checkpoint.ts'
import type { TaskCommand, TaskMessage } from '../model/control.ts'
import type { LiveSettings } from '../model/live-settings.ts'
import type { TaskDeployment } from '../model/deployment.ts'
import type { EventBody } from '../model/events.ts'
import type { ExecutionAttemptId, FencingToken, JobId, TaskManagerId } from '../model/ids.ts'
import type { JobDocument } from '../model/job-document.ts'
import type { TaskReport } from '../model/report.ts'
import type { SavepointRestoreSettings } from '../model/restore.ts'
import type { StorageOp, StorageReply } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'

export type JobManagerInput =
  /** First input of a leader: reads the HA store and recovers the job found there, if any. */
  | { readonly type: 'grant-leadership'; readonly token: FencingToken }
  /** Another leads, or will: the job is suspended here. */
  | { readonly type: 'revoke-leadership' }
  | {
      readonly type: 'submit'
      readonly job: JobId
      readonly document: JobDocument
      readonly seed: number
      /** Absent or null: as `execution.state-recovery.path` says, else from nothing. */
      readonly restore?: SavepointRestoreSettings | null
    }
  | { readonly type: 'cancel' }
  /** By hand. `triggerId` names the request in the answer (`operation(triggerId)`). */
  | { readonly type: 'trigger-checkpoint'; readonly triggerId: string; readonly checkpointType: 'CONFIGURED' | 'FULL' | 'INCREMENTAL' }
  /**
   * By hand, into a directory of its own below `directory`; null: below `execution.checkpointing.savepoint-dir`. `format` absent: CANONICAL
   * (behaviour 13.1). `cancelJob`: the job is cancelled once it is there (13.3).
   */
  | {
      readonly type: 'trigger-savepoint'
      readonly triggerId: string
      readonly directory: string | null
      readonly format?: SavepointFormat
      readonly cancelJob?: boolean
    }
  /** Behaviour 13.2. */
  | {
      readonly type: 'stop-with-savepoint'
      readonly triggerId: string
      readonly directory: string | null
      readonly format?: SavepointFormat
      readonly drain: boolean
    }
  /** Reads its metadata and deletes all state in it (behaviour 13.4). */
  | { readonly type: 'dispose-savepoint'; readonly triggerId: string; readonly path: string }
  | { readonly type: 'task-manager-registered'; readonly taskManager: TaskManagerId; readonly slots: number }
  /** Reported by whoever terminated it, after the modelled detection delay. */
  | { readonly type: 'task-manager-lost'; readonly taskManager: TaskManagerId; readonly cause: string }
  /** One task's worker is gone. */
  | { readonly type: 'task-lost'; readonly attempt: ExecutionAttemptId; readonly cause: string }
  | { readonly type: 'task-message'; readonly message: TaskMessage }
  /** Latest figures of a task, for REST alone: every few seconds of engine time, and before a question is asked. */
  | { readonly type: 'task-report'; readonly report: TaskReport }
  | { readonly type: 'storage-reply'; readonly reply: StorageReply }
  | { readonly type: 'timer'; readonly timer: string }
  | { readonly type: 'set-traced'; readonly traced: boolean }
  /** From now on; kept for restarts, until another leads. */
  | { readonly type: 'change-settings'; readonly change: Partial<LiveSettings> }

export interface JobManagerOut {
  /** Asks the page (the resource manager) for TaskManagers, so that there are `count` in all. */
  requestTaskManagers(count: number): void
  /**
   * Starts these tasks. All tasks of one deployment come in one call, so that the broker can make every channel between them (and to running
   * tasks, after a regional failover) before any starts.
   */
  deploy(tasks: readonly { readonly taskManager: TaskManagerId; readonly deployment: TaskDeployment }[]): void
  send(taskManager: TaskManagerId, attempt: ExecutionAttemptId, command: TaskCommand): void
  /** The task's worker may be dropped: it has reached a terminal state. */
  release(taskManager: TaskManagerId, attempt: ExecutionAttemptId): void
  storage(requestId: number, op: StorageOp): void
  setTimer(timer: string, at: EngineTime): void
  clearTimer(timer: string): void
  event(body: EventBody): void
}
