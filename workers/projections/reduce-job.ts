/** Protocol events → job view. */
import { isGloballyTerminal, isTerminalExecution } from '../model/execution.ts'
import type { EngineEvent, EventOf } from '../model/events.ts'
import type { EngineTime } from '../model/time.ts'
import { EMPTY_JOB_VIEW } from './job-view.ts'
import type { AttemptView, JobView, TaskManagerView } from './job-view.ts'

/** TaskManagers that are gone stay in the picture; more than this and the oldest leave it. */
export const LOST_TASK_MANAGERS_MAX = 2

export function reduceJob(view: JobView, event: EngineEvent): JobView {
  const { at, body } = event
  switch (body.type) {
    case 'JobSubmitted':
      return { ...EMPTY_JOB_VIEW, taskManagers: view.taskManagers, leaderToken: view.leaderToken, job: body.job, name: body.name, since: at }
    case 'JobStatusChanged':
      return statusChanged(view, at, body)
    case 'TaskStateChanged':
      return taskChanged(view, at, body)
    case 'TaskManagerRegistered':
      return registered(view, at, body)
    case 'TaskManagerLost':
      return {
        ...view,
        taskManagers: forgetOldest(
          view.taskManagers.map((tm) => (tm.id === body.taskManager ? { ...tm, state: 'lost' as const, since: at, cause: body.cause } : tm)),
        ),
      }
    case 'LeadershipGranted':
      return { ...view, leaderToken: body.token, job: body.recoveredJob ?? view.job }
    case 'RestartScheduled':
      return {
        ...endAttempt(view, at, body.cause),
        restart: { at, delayMicros: body.delayMicros, strategy: body.strategy, cause: body.cause },
      }
    case 'RecoverySuppressed':
      return { ...view, suppressed: body.cause }
    case 'CheckpointRestored':
      return { ...view, attempts: lastAttempt(view.attempts, (attempt) => ({ ...attempt, from: body.checkpointId })) }
    case 'StopWithSavepointStarted':
      return { ...view, stop: { mode: body.mode, since: at, path: null } }
    case 'JobStoppedWithSavepoint':
      return { ...view, stop: { mode: body.mode, since: view.stop?.since ?? at, path: body.externalPath } }
    case 'RequestFailed':
      return body.request === 'stop-with-savepoint' || body.request === 'cancel-with-savepoint' ? { ...view, stop: null } : view
    case 'EventsDropped':
      return { ...view, eventsDropped: view.eventsDropped + body.count }
    default:
      return view
  }
}

function statusChanged(view: JobView, at: EngineTime, body: EventOf<'JobStatusChanged'>): JobView {
  const next: JobView = { ...view, job: body.job, status: body.to, since: at, cause: body.cause ?? view.cause }
  switch (body.to) {
    case 'CREATED':
    case 'INITIALIZING':
      return next.attempts.length === 0 || next.attempts.at(-1)?.endedAt !== null ? beginAttempt(next) : next
    case 'RUNNING':
      return {
        ...next,
        cause: null,
        restart: null,
        attempts: lastAttempt(next.attempts.length === 0 ? beginAttempt(next).attempts : next.attempts, (attempt) => ({
          ...attempt,
          runningAt: attempt.runningAt ?? at,
        })),
      }
    case 'RESTARTING':
    case 'FAILING':
    case 'SUSPENDED':
      return endAttempt(next, at, body.cause ?? 'unknown')
    default:
      return isGloballyTerminal(body.to) ? endJob(next, at, body) : next
  }
}

/** No attempt comes any more: the one that was to come next leaves, the one that ran ends. */
function endJob(view: JobView, at: EngineTime, body: EventOf<'JobStatusChanged'>): JobView {
  const last = view.attempts.at(-1)
  const attempts = last !== undefined && last.runningAt === null && view.attempts.length > 1 ? view.attempts.slice(0, -1) : view.attempts
  return {
    ...view,
    restart: null,
    attempts: lastAttempt(attempts, (attempt) => (attempt.endedAt === null ? { ...attempt, endedAt: at, endedBy: body.cause ?? (body.to === 'FAILED' ? view.cause : null) ?? body.to } : attempt)),
  }
}

/** Every subtask runs again after `downMicros`: what the newest attempt took to come. The first came after no other. */
export function cameBack(view: JobView, downMicros: EngineTime): JobView {
  if (view.attempts.length < 2) return view
  return { ...view, attempts: lastAttempt(view.attempts, (attempt) => ({ ...attempt, downMicros: attempt.downMicros ?? downMicros })) }
}

function beginAttempt(view: JobView): JobView {
  const attempt: AttemptView = { number: view.attempts.length + 1, runningAt: null, endedAt: null, endedBy: null, from: null, downMicros: null }
  return { ...view, attempts: [...view.attempts, attempt] }
}

/** Ends the attempt that ran and opens the next one, once per failure. */
function endAttempt(view: JobView, at: EngineTime, cause: string): JobView {
  const last = view.attempts.at(-1)
  if (last === undefined || last.runningAt === null) return view
  const ended = { ...view, attempts: lastAttempt(view.attempts, (attempt) => ({ ...attempt, endedAt: at, endedBy: cause })) }
  return beginAttempt(ended)
}

function lastAttempt(attempts: readonly AttemptView[], change: (attempt: AttemptView) => AttemptView): readonly AttemptView[] {
  const last = attempts.at(-1)
  return last === undefined ? attempts : [...attempts.slice(0, -1), change(last)]
}

function taskChanged(view: JobView, at: EngineTime, body: EventOf<'TaskStateChanged'>): JobView {
  const key = `${body.vertex}_${body.subtask}`
  const known = view.tasks[key]
  const attemptNumber = Number(body.attempt.slice(body.attempt.lastIndexOf('_') + 1))
  // The last words of an attempt that has a successor change nothing.
  if (known !== undefined && known.attemptNumber > attemptNumber) return view
  const fresh = known === undefined || known.attempt !== body.attempt
  const taskManager = body.taskManager ?? (fresh ? null : known.taskManager)
  const former = fresh ? (known?.taskManager ?? null) : known.formerTaskManager
  const task = {
    vertex: body.vertex,
    subtask: body.subtask,
    attempt: body.attempt,
    attemptNumber,
    state: !fresh && isTerminalExecution(known.state) ? known.state : body.to,
    since: at,
    taskManager,
    formerTaskManager: former === taskManager ? null : former,
    cause: body.cause ?? (fresh ? null : known.cause),
  }
  return { ...view, tasks: { ...view.tasks, [key]: task } }
}

function registered(view: JobView, at: EngineTime, body: EventOf<'TaskManagerRegistered'>): JobView {
  const tm: TaskManagerView = {
    id: body.taskManager,
    slots: body.slots,
    state: 'live',
    since: at,
    cause: null,
    replacement: view.taskManagers.some((known) => known.state === 'lost'),
  }
  return { ...view, taskManagers: forgetOldest([...view.taskManagers.filter((known) => known.id !== tm.id), tm]) }
}

function forgetOldest(all: readonly TaskManagerView[]): readonly TaskManagerView[] {
  const surplus = all.filter((tm) => tm.state === 'lost').length - LOST_TASK_MANAGERS_MAX
  const dropped = new Set(all.filter((tm) => tm.state === 'lost').slice(0, Math.max(0, surplus)).map((tm) => tm.id))
  return all.filter((tm) => !dropped.has(tm.id))
}
