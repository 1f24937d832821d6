/** The job, its attempts, its tasks and the TaskManagers, as they stand. */
import type { StopMode } from '../model/events.ts'
import type { ExecutionState, JobStatus } from '../model/execution.ts'
import type { CheckpointId, ExecutionAttemptId, JobId, TaskManagerId, VertexId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'

export interface TaskView {
  readonly vertex: VertexId
  readonly subtask: number
  readonly attempt: ExecutionAttemptId
  readonly attemptNumber: number
  readonly state: ExecutionState
  readonly since: EngineTime
  readonly taskManager: TaskManagerId | null
  /** Where the attempt before ran, if elsewhere. */
  readonly formerTaskManager: TaskManagerId | null
  readonly cause: string | null
}

export interface TaskManagerView {
  readonly id: TaskManagerId
  readonly slots: number
  readonly state: 'live' | 'lost'
  readonly since: EngineTime
  readonly cause: string | null
  /** Came after the job had begun to run: it stands in for a lost one. */
  readonly replacement: boolean
}

export interface AttemptView {
  /** From 1. */
  readonly number: number
  readonly runningAt: EngineTime | null
  readonly endedAt: EngineTime | null
  readonly endedBy: string | null
  /** Null: started from nothing. */
  readonly from: CheckpointId | null
  /** From the failure until every subtask ran again, the back-off in it; null at the first attempt, and until then. */
  readonly downMicros: EngineTime | null
}

export interface JobView {
  readonly job: JobId | null
  readonly name: string | null
  readonly status: JobStatus | null
  readonly since: EngineTime
  readonly cause: string | null
  /** By `<vertex>_<subtask>`. */
  readonly tasks: Readonly<Record<string, TaskView>>
  readonly taskManagers: readonly TaskManagerView[]
  readonly attempts: readonly AttemptView[]
  readonly leaderToken: number | null
  readonly restart: { readonly at: EngineTime; readonly delayMicros: EngineTime; readonly strategy: string; readonly cause: string } | null
  readonly suppressed: string | null
  /** It is being stopped, or cancelled, with a savepoint; `path` once it has been. */
  readonly stop: { readonly mode: StopMode; readonly since: EngineTime; readonly path: string | null } | null
  readonly eventsDropped: number
}

export const EMPTY_JOB_VIEW: JobView = {
  job: null,
  name: null,
  status: null,
  since: 0,
  cause: null,
  tasks: {},
  taskManagers: [],
  attempts: [],
  leaderToken: null,
  restart: null,
  suppressed: null,
  stop: null,
  eventsDropped: 0,
}

/** Subtasks that run, or are to run, on one TaskManager. */
export const tasksOn = (view: JobView, taskManager: TaskManagerId): TaskView[] =>
  Object.values(view.tasks).filter((task) => task.taskManager === taskManager)
