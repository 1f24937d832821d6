/**
 * The cluster of the simulated world, and the page's part in it: starts and kills workers, brokers the lines between tasks, replaces dead
 * TaskManagers, elects the next JobManager. What in the browser is `src/cluster`, as one machine on the queue.
 */
import { assert } from '../../base/assert.ts'
import type { TaskCommand } from '../../model/control.ts'
import type { TaskDeployment } from '../../model/deployment.ts'
import { fencingToken, taskManagerId, type ChannelId, type CheckpointId, type ExecutionAttemptId, type TaskManagerId } from '../../model/ids.ts'
import { JobManager } from '../../jobmaster/job-manager.ts'
import type { JobManagerOptions } from '../../jobmaster/job-manager-options.ts'
import type { JobManagerInput } from '../../jobmaster/jobmaster-io.ts'
import { LocalStateStore } from '../../task/local-state-store.ts'
import { StreamTask } from '../../task/stream-task.ts'
import type { StreamTaskEnvironment } from '../../task/task-environment.ts'
import type { AckDelay } from './control-line.ts'
import { connectTasks } from './connect-tasks.ts'
import type { Latencies } from './latencies.ts'
import { Line } from './line.ts'
import type { JobManagerEnvelope, StorageAnswer, StorageCall, TaskEnvelope } from './envelopes.ts'
import { SimulatedJobManager, type JobManagerCluster } from './simulated-job-manager.ts'
import type { SimulatedOutside } from './simulated-outside.ts'
import type { SimulatedStorage } from './simulated-storage.ts'
import { SimulatedTask } from './simulated-task.ts'
import type { Receiver, World } from './world.ts'

export interface SimulatedTaskManager {
  readonly id: TaskManagerId
  readonly slots: number
  /** For tasks that are restarted on it. */
  readonly localState: LocalStateStore
  alive: boolean
}

export interface CompletionNotice {
  readonly checkpointId: CheckpointId
  /** Null: to every task. */
  readonly uid: string | null
}

export type ClusterMessage =
  | { readonly type: 'start-task-manager' }
  | { readonly type: 'start-job-manager' }
  | { readonly type: 'connect'; readonly taskManager: SimulatedTaskManager; readonly leader: SimulatedJobManager }
  | { readonly type: 'start-tasks'; readonly tasks: readonly SimulatedTask[] }
  | { readonly type: 'release'; readonly task: SimulatedTask }

export interface ClusterOptions {
  readonly environment: StreamTaskEnvironment
  readonly jobManager: JobManagerOptions
  readonly latencies: Latencies
  readonly slotsPerTaskManager: number
  readonly detectionMicros: number
}

export class Cluster implements Receiver<ClusterMessage>, JobManagerCluster {
  readonly taskManagers: SimulatedTaskManager[] = []
  /** Null: it is dead, and the next one is on its way. */
  leader: SimulatedJobManager | null = null
  readonly tasks = new Map<ExecutionAttemptId, SimulatedTask>()
  readonly storage: SimulatedStorage
  readonly outside: SimulatedOutside
  /** Faults of the lines from tasks to the JobManager. */
  readonly ackDelays: AckDelay[] = []
  /** Completion notices that do not come through. */
  readonly lostNotices: CompletionNotice[] = []
  private readonly world: World
  private readonly options: ClusterOptions
  private readonly commands = new Map<ExecutionAttemptId, Line<TaskEnvelope>>()
  private wanted = 0
  private starting = 0
  private started = 0
  private token = 0
  private slots: number

  constructor(world: World, storage: SimulatedStorage, outside: SimulatedOutside, options: ClusterOptions) {
    this.world = world
    this.storage = storage
    this.outside = outside
    this.options = options
    this.slots = options.slotsPerTaskManager
    this.startJobManager()
  }

  receive(message: ClusterMessage): void {
    switch (message.type) {
      case 'start-job-manager':
        return this.startJobManager()
      case 'start-task-manager':
        return this.startTaskManager()
      case 'connect':
        return this.connect(message.taskManager, message.leader)
      case 'start-tasks':
        for (const task of message.tasks) this.startTask(task)
        return
      case 'release':
        message.task.retire()
        this.forget(message.task)
        return
    }
  }

  /** Through the control line, as the page's calls go. False: there is no leader to hear it. */
  tellLeader(input: JobManagerInput): boolean {
    if (this.leader === null) return false
    const { controlMicros, controlJitterMicros } = this.options.latencies
    this.world.later<JobManagerEnvelope>(controlMicros, controlJitterMicros, this.leader, { type: 'input', input })
    return true
  }

  /** Between two jobs: another number of slots replaces every TaskManager. */
  resize(slotsPerTaskManager: number): void {
    this.wanted = 0
    if (slotsPerTaskManager === this.slots) return
    this.slots = slotsPerTaskManager
    for (const taskManager of [...this.taskManagers]) this.killTaskManager(taskManager)
  }

  // ── what the JobManager asks

  requestTaskManagers(count: number): void {
    this.wanted = Math.max(this.wanted, count)
    this.replaceTaskManagers()
  }

  deploy(from: SimulatedJobManager, deployments: readonly { readonly taskManager: TaskManagerId; readonly deployment: TaskDeployment }[]): void {
    const { latencies, environment } = this.options
    const tasks = deployments.map(({ taskManager, deployment }) => {
      const localState = this.taskManagers.find(({ id }) => id === taskManager)?.localState ?? null
      return new SimulatedTask(this.world, latencies, new StreamTask(deployment, environment), taskManager, localState)
    })
    for (const task of tasks) {
      const old = this.tasks.get(task.deployment.attempt)
      assert(old === undefined || !old.alive, `attempt ${task.deployment.attempt} was deployed twice`)
      this.tasks.set(task.deployment.attempt, task)
      this.commands.set(task.deployment.attempt, new Line<TaskEnvelope>(this.world, task, latencies.controlMicros, latencies.controlJitterMicros))
    }
    connectTasks({ world: this.world, latencies, leader: from, storage: this.storage, outside: this.outside, ackDelays: this.ackDelays, fresh: tasks, all: this.tasks })
    this.world.later<ClusterMessage>(latencies.controlMicros, latencies.controlJitterMicros, this, { type: 'start-tasks', tasks })
  }

  command(attempt: ExecutionAttemptId, command: TaskCommand): void {
    if (command.type === 'notify-checkpoint-complete' && this.isLost(command.checkpointId, this.tasks.get(attempt))) return
    this.commands.get(attempt)?.send({ type: 'input', input: { type: 'command', command } })
  }

  release(attempt: ExecutionAttemptId): void {
    const task = this.tasks.get(attempt)
    if (task === undefined) return
    this.world.later<ClusterMessage>(this.options.latencies.controlMicros, 0, this, { type: 'release', task })
  }

  // ── kills

  killTask(task: SimulatedTask): void {
    task.kill()
    this.forget(task)
    this.reportLater({ type: 'task-lost', attempt: task.deployment.attempt, cause: 'the worker of the task was terminated' })
  }

  killTaskManager(taskManager: SimulatedTaskManager): void {
    taskManager.alive = false
    this.taskManagers.splice(this.taskManagers.indexOf(taskManager), 1)
    for (const task of [...this.tasks.values()]) {
      if (task.taskManager !== taskManager.id) continue
      task.kill()
      this.forget(task)
    }
    this.reportLater({ type: 'task-manager-lost', taskManager: taskManager.id, cause: 'the TaskManager was terminated' })
    this.replaceTaskManagers()
  }

  killJobManager(): void {
    if (this.leader === null) return
    this.leader.kill()
    this.leader = null
    this.world.schedule<ClusterMessage>(this.world.now + this.options.latencies.failoverMicros, this, { type: 'start-job-manager' })
  }

  /** Its machine is told, and acts on it; the next leader comes after `forMicros`. */
  loseLeadership(forMicros: number): void {
    const { leader } = this
    if (leader === null) return
    leader.receive({ type: 'input', input: { type: 'revoke-leadership' } })
    leader.retire()
    this.leader = null
    this.world.schedule<ClusterMessage>(this.world.now + forMicros, this, { type: 'start-job-manager' })
  }

  /** Of living tasks, from the one operator to the other. */
  channelsBetween(from: string, to: string): readonly ChannelId[] {
    const has = (task: SimulatedTask, uid: string): boolean => task.alive && task.deployment.chain.some((operator) => operator.uid === uid)
    const tasks = [...this.tasks.values()]
    const receiver = tasks.find((task) => has(task, to))?.deployment.vertex
    const targets = tasks.filter((task) => has(task, from)).flatMap(({ deployment }) => deployment.partitions.flatMap(({ subpartitions }) => subpartitions))
    return targets.filter(({ vertex }) => vertex === receiver).map(({ id }) => id)
  }

  private isLost(checkpointId: CheckpointId, task: SimulatedTask | undefined): boolean {
    const isFor = (uid: string | null): boolean => uid === null || task?.deployment.chain.some((operator) => operator.uid === uid) === true
    return this.lostNotices.some((lost) => lost.checkpointId === checkpointId && isFor(lost.uid))
  }

  private forget(task: SimulatedTask): void {
    const { attempt } = task.deployment
    if (this.tasks.get(attempt) === task) this.tasks.delete(attempt)
    if (this.tasks.get(attempt) === undefined) this.commands.delete(attempt)
  }

  /** A lost connection is known after the detection delay, to whoever leads when it was lost. */
  private reportLater(input: JobManagerInput): void {
    if (this.leader === null) return
    this.world.schedule<JobManagerEnvelope>(this.world.now + this.options.detectionMicros, this.leader, { type: 'input', input })
  }

  // ── starting

  private startJobManager(): void {
    const { latencies, jobManager } = this.options
    this.token++
    const leader = new SimulatedJobManager(this.world, this, new JobManager(jobManager), fencingToken(this.token))
    leader.storageLine = new Line<StorageCall>(this.world, this.storage, latencies.storageMicros, latencies.storageJitterMicros)
    leader.storageAnswers = new Line<StorageAnswer>(this.world, leader, latencies.storageMicros, latencies.storageJitterMicros)
    this.leader = leader
    leader.receive({ type: 'input', input: { type: 'grant-leadership', token: leader.token } })
    for (const taskManager of this.taskManagers) this.connectLater(taskManager, leader)
  }

  private connectLater(taskManager: SimulatedTaskManager, leader: SimulatedJobManager): void {
    const { controlMicros, controlJitterMicros } = this.options.latencies
    this.world.later<ClusterMessage>(controlMicros, controlJitterMicros, this, { type: 'connect', taskManager, leader })
  }

  /** The TaskManager hears of a new leader: drops the tasks of the old one, then registers. */
  private connect(taskManager: SimulatedTaskManager, leader: SimulatedJobManager): void {
    if (!taskManager.alive || !leader.alive) return
    for (const task of [...this.tasks.values()]) {
      if (task.taskManager !== taskManager.id || task.deployment.token >= leader.token) continue
      task.kill()
      this.forget(task)
    }
    const { controlMicros, controlJitterMicros } = this.options.latencies
    const input = { type: 'task-manager-registered', taskManager: taskManager.id, slots: taskManager.slots } as const
    this.world.later<JobManagerEnvelope>(controlMicros, controlJitterMicros, leader, { type: 'input', input })
  }

  private replaceTaskManagers(): void {
    const { taskManagerStartMicros } = this.options.latencies
    while (this.taskManagers.length + this.starting < this.wanted) {
      this.starting++
      this.world.later<ClusterMessage>(taskManagerStartMicros, taskManagerStartMicros >> 2, this, { type: 'start-task-manager' })
    }
  }

  private startTaskManager(): void {
    this.starting--
    this.started++
    const taskManager = { id: taskManagerId(`tm-${this.started}`), slots: this.slots, localState: new LocalStateStore(), alive: true }
    this.taskManagers.push(taskManager)
    if (this.leader !== null) this.connectLater(taskManager, this.leader)
  }

  private startTask(task: SimulatedTask): void {
    if (!task.alive) return
    const taskManager = this.taskManagers.find((candidate) => candidate.id === task.taskManager)
    if (taskManager === undefined) {
      task.kill()
      return this.forget(task)
    }
    this.world.later<TaskEnvelope>(this.options.latencies.taskStartMicros, this.options.latencies.taskStartMicros, task, { type: 'start' })
  }
}
