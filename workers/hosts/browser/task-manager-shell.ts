/**
 * A TaskManager worker: starts one nested worker per task, passes commands and messages between tasks and the JobManager, and drops
 * everything when a new leader connects. Flink: TaskExecutor. Killing a task terminates its worker; whoever terminates this worker takes
 * its tasks along. It keeps one worker started ahead, so that a restart does not wait for a script to load.
 */
import type { ExecutionAttemptId, FencingToken, JobId, TaskManagerId } from '../../model/ids.ts'
import type { PaceSchedule } from '../../model/pace.ts'
import { isTerminalExecution } from '../../model/execution.ts'
import { stateFilePath } from '../../state/state-file.ts'
import { LocalStateStore } from '../../task/local-state-store.ts'
import type { LocalCopy } from '../../task/local-state-store.ts'
import { Liveness } from './liveness.ts'
import type {
  DeployedTask,
  FromTask,
  FromTaskManager,
  JobManagerToTaskManager,
  TaskManagerToJobManager,
  ToTask,
  ToTaskManager,
} from './messages.ts'
import { PacedClock } from './paced-clock.ts'
import { startTaskWorker } from './worker-urls.ts'

/** Commands that one attempt may get before its deployment has come by way of the page. */
const EARLY_MAX = 64

interface RunningTask {
  readonly job: JobId
  readonly worker: Worker
  readonly liveness: Liveness
  appliedEpoch: number
}

export class TaskManagerShell {
  private readonly post: (message: FromTaskManager) => void
  private readonly tasks = new Map<ExecutionAttemptId, RunningTask>()
  private id: TaskManagerId | null = null
  private slots = 0
  private schedule: PaceSchedule | null = null
  private clock: PacedClock | null = null
  private token: FencingToken | null = null
  private jobManager: MessagePort | null = null
  private spare: Worker | null = null
  private readonly localState = new LocalStateStore()
  private acknowledgedEpoch = 0
  /** By job and attempt: commands that overtook their task's deployment; null: the task was released or lost. */
  private readonly early = new Map<string, ToTask[] | null>()

  constructor(post: (message: FromTaskManager) => void) {
    this.post = post
  }

  onMessage(message: ToTaskManager): void {
    switch (message.type) {
      case 'start':
        this.id = message.taskManager
        this.slots = message.slots
        this.schedule = message.schedule
        this.clock = new PacedClock(message.schedule)
        this.keepSpare()
        break
      case 'connect':
        this.connect(message.token, message.port)
        break
      case 'deploy':
        this.deploy(message.token, message.tasks)
        break
      case 'kill-task':
        this.lose(message.attempt, 'The worker of the subtask was killed.', message.detectionMicros)
        break
      case 'query-state':
        if (this.tasks.has(message.attempt)) this.toTask(message.attempt, message)
        else this.post({ type: 'state-answer', query: message.query, rows: null })
        break
      case 'pace':
        this.applyPace(message.schedule)
        break
      case 'ping':
        this.post({ type: 'alive', ping: message.ping })
        break
    }
  }

  private connect(token: FencingToken, port: MessagePort): void {
    if (this.token !== null && token < this.token) {
      port.close()
      return
    }
    for (const attempt of this.tasks.keys()) this.drop(attempt)
    this.early.clear()
    this.jobManager?.close()
    this.token = token
    this.jobManager = port
    port.onmessage = (event: MessageEvent<JobManagerToTaskManager>) => this.onJobManager(event.data)
    this.toJobManager({ type: 'register', slots: this.slots })
  }

  private onJobManager(message: JobManagerToTaskManager): void {
    const { attempt, job } = message
    const isHere = this.tasks.get(attempt)?.job === job
    if (message.type === 'release') {
      if (isHere) this.drop(attempt)
      this.early.set(keyOf(job, attempt), null)
      return
    }
    const command: ToTask = { type: 'command', command: message.command }
    this.localState.onCommand(message.command)
    if (isHere) {
      this.toTask(attempt, command)
      return
    }
    const waiting = this.early.get(keyOf(job, attempt))
    if (waiting === null) return
    if (waiting === undefined) this.early.set(keyOf(job, attempt), [command])
    else if (waiting.length < EARLY_MAX) waiting.push(command)
  }

  private deploy(token: FencingToken, tasks: readonly DeployedTask[]): void {
    if (token !== this.token || this.schedule === null) return
    this.forgetOtherJobs(tasks)
    for (const task of tasks) {
      const { attempt, job } = task.deployment
      const commands = this.early.get(keyOf(job, attempt))
      if (commands === null) continue
      this.early.delete(keyOf(job, attempt))
      this.drop(attempt)
      const worker = this.spare ?? startTaskWorker(`${this.id ?? ''} task`)
      this.spare = null
      const liveness = new Liveness(
        (ping) => this.toTask(attempt, { type: 'ping', ping }),
        () => this.lose(attempt, 'The worker of the subtask no longer answers.', 0),
      )
      this.tasks.set(attempt, { job, worker, liveness, appliedEpoch: this.schedule.epoch })
      worker.onmessage = (event: MessageEvent<FromTask>) => this.onTask(attempt, event.data)
      worker.onerror = (event) => this.lose(attempt, event.message, 0)
      const { ports } = task
      this.localState.serve(job)
      const message: ToTask = { type: 'deploy', task, schedule: this.schedule, copies: this.copiesFor(task) }
      worker.postMessage(message, [...ports.inputs, ...ports.outputs, ports.storage, ports.outside, ports.observer])
      for (const command of commands ?? []) worker.postMessage(command)
    }
    this.keepSpare()
  }

  /** Flink: TaskStateManagerImpl.prioritizedOperatorState, which puts the local alternative first. */
  private copiesFor({ deployment: { restore } }: DeployedTask): readonly LocalCopy[] {
    if (restore === null || restore.fromLocal !== true) return []
    const paths = restore.operators.flatMap(({ keyed }) => keyed.map(({ stream }) => stateFilePath(stream, restore.location)))
    return [...new Set(paths)].flatMap((path) => {
      const bytes = path === null ? null : this.localState.read(path)
      return path === null || bytes === null ? [] : [{ path, bytes }]
    })
  }

  /** One job runs at a time: what is remembered of another one is of no use once this one is deployed. */
  private forgetOtherJobs(tasks: readonly DeployedTask[]): void {
    const jobs = new Set(tasks.map((task) => task.deployment.job))
    for (const key of this.early.keys()) if (![...jobs].some((job) => key.startsWith(job))) this.early.delete(key)
  }

  private onTask(attempt: ExecutionAttemptId, message: FromTask): void {
    switch (message.type) {
      case 'task-message':
        this.toJobManager(message)
        if (message.message.type === 'state' && isTerminalExecution(message.message.state)) this.tasks.get(attempt)?.liveness.stop()
        break
      case 'pace-applied': {
        const task = this.tasks.get(attempt)
        if (task !== undefined) task.appliedEpoch = Math.max(task.appliedEpoch, message.epoch)
        this.acknowledgePace()
        break
      }
      case 'died':
        this.lose(attempt, message.message, 0)
        break
      case 'keep-copies': {
        const task = this.tasks.get(attempt)
        if (task !== undefined) this.localState.keep(task.job, message.writes)
        break
      }
      case 'lagging':
      case 'state-answer':
        this.post(message)
        break
      case 'alive':
        this.tasks.get(attempt)?.liveness.alive(message.ping)
        break
      // A task keeps no store of its own, so it never tells of one.
      case 'store-failed':
      case 'ready':
        break
    }
  }

  private applyPace(schedule: PaceSchedule): void {
    this.schedule = schedule
    this.clock?.apply(schedule)
    for (const attempt of this.tasks.keys()) this.toTask(attempt, { type: 'pace', schedule })
    this.acknowledgePace()
  }

  /** Tells the page once every task below has the newest schedule. */
  private acknowledgePace(): void {
    const epoch = this.schedule?.epoch ?? 0
    if (epoch <= this.acknowledgedEpoch) return
    for (const task of this.tasks.values()) if (task.appliedEpoch < epoch) return
    this.acknowledgedEpoch = epoch
    this.post({ type: 'pace-applied', epoch })
  }

  /** Really terminates the worker; the JobManager hears of it when it would have noticed. */
  private lose(attempt: ExecutionAttemptId, cause: string, detectionMicros: number): void {
    const task = this.tasks.get(attempt)
    if (task === undefined || this.clock === null) return
    this.drop(attempt)
    this.early.set(keyOf(task.job, attempt), null)
    this.toJobManager({ type: 'task-lost', attempt, cause, due: this.clock.now() + detectionMicros })
  }

  private drop(attempt: ExecutionAttemptId): void {
    const task = this.tasks.get(attempt)
    if (task === undefined) return
    this.tasks.delete(attempt)
    task.liveness.stop()
    task.worker.terminate()
    this.acknowledgePace()
  }

  private keepSpare(): void {
    this.spare ??= startTaskWorker(`${this.id ?? ''} task`)
  }

  private toTask(attempt: ExecutionAttemptId, message: ToTask): void {
    this.tasks.get(attempt)?.worker.postMessage(message)
  }

  private toJobManager(message: TaskManagerToJobManager): void {
    this.jobManager?.postMessage(message)
  }
}

const keyOf = (job: JobId, attempt: ExecutionAttemptId): string => `${job}/${attempt}`
