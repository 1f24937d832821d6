/**
 * The resource manager: as many TaskManagers as were asked for, a new one for every one that is lost. Flink: ResourceManager. Each gets a fresh
 * port to the JobManager that leads.
 */
import type { TaskManagerId } from '../../workers/model/ids.ts'
import { taskManagerId } from '../../workers/model/ids.ts'
import type { ExecutionAttemptId, FencingToken } from '../../workers/model/ids.ts'
import type { KeyedStateReport } from '../../workers/model/report.ts'
import type { DeployedTask, FromTaskManager, QueryState, ToTaskManager } from '../../workers/hosts/browser/messages.ts'
import type { ClockHost, ClockOwner } from './clock-owner.ts'
import { portsOf } from './port-broker.ts'
import { startTaskManagerWorker } from './worker-urls.ts'
import { WorkerLink } from './worker-link.ts'

export interface ResourceManagerListener {
  /** Gives the JobManager its end of the port. */
  onConnect(taskManager: TaskManagerId, port: MessagePort): void
  /** Its worker is gone: killed by us, or by itself. */
  onLost(taskManager: TaskManagerId, cause: string): void
  /** It was taken out of service on purpose: the JobManager is told at once. */
  onReplaced(taskManager: TaskManagerId, cause: string): void
  onPaceApplied(): void
  onLagging(wallMillis: number): void
}

type Link = WorkerLink<ToTaskManager, FromTaskManager>

export class ResourceManager {
  private readonly clock: ClockOwner
  private readonly listener: ResourceManagerListener
  private readonly links = new Map<TaskManagerId, Link>()
  private readonly queries = new Map<number, (rows: KeyedStateReport['rows'] | null) => void>()
  private nextQuery = 1
  private started = 0
  private wanted = 0
  private slots = 1
  private token: FencingToken | null = null

  constructor(clock: ClockOwner, listener: ResourceManagerListener) {
    this.clock = clock
    this.listener = listener
  }

  get hosts(): Iterable<ClockHost> {
    return this.links.values()
  }

  get taskManagers(): readonly TaskManagerId[] {
    return [...this.links.keys()]
  }

  get slotsPerTaskManager(): number {
    return this.slots
  }

  /** Another number of slots replaces the TaskManagers that have the old one, as a cluster for another job would. */
  require(count: number, slots: number): void {
    if (slots !== this.slots) {
      for (const id of this.taskManagers) {
        this.end(id)
        this.listener.onReplaced(id, `The TaskManager ${id} was replaced by one with another number of slots.`)
      }
      this.slots = slots
    }
    this.wanted = Math.max(count, 0)
    this.fill()
  }

  /** After a loss has been noticed. */
  fill(): void {
    while (this.links.size < this.wanted) this.startOne()
  }

  /** A new leader: every TaskManager drops what it runs and registers with it. */
  connectAll(token: FencingToken): void {
    this.token = token
    for (const [id, link] of this.links) this.connect(id, link, token)
  }

  deploy(taskManager: TaskManagerId, token: FencingToken, tasks: readonly DeployedTask[]): void {
    this.links.get(taskManager)?.send({ type: 'deploy', token, tasks }, tasks.flatMap(portsOf))
  }

  killTask(taskManager: TaskManagerId, attempt: ExecutionAttemptId, detectionMicros: number): void {
    this.links.get(taskManager)?.send({ type: 'kill-task', attempt, detectionMicros })
  }

  /** Really terminates the worker, and the tasks with it. False: there is none of that name. */
  kill(taskManager: TaskManagerId): boolean {
    return this.lose(taskManager, `The TaskManager ${taskManager} was killed.`)
  }

  queryState(taskManager: TaskManagerId, attempt: ExecutionAttemptId, uid: string): Promise<KeyedStateReport['rows'] | null> {
    const link = this.links.get(taskManager)
    if (link === undefined) return Promise.resolve(null)
    const query: QueryState = { type: 'query-state', query: this.nextQuery++, attempt, uid }
    return new Promise((resolve) => {
      this.queries.set(query.query, resolve)
      link.send(query)
    })
  }

  terminate(): void {
    for (const link of this.links.values()) link.terminate()
    this.links.clear()
  }

  private startOne(): void {
    const id = taskManagerId(`taskmanager-${++this.started}`)
    const link: Link = new WorkerLink<ToTaskManager, FromTaskManager>(id, startTaskManagerWorker(id), {
      onMessage: (message) => {
        if (message.type !== 'state-answer') return
        this.queries.get(message.query)?.(message.rows)
        this.queries.delete(message.query)
      },
      onDied: (message) => this.lose(id, `The TaskManager ${id} died: ${message}`),
      onPaceApplied: () => this.listener.onPaceApplied(),
      onLagging: (wallMillis) => this.listener.onLagging(wallMillis),
    }, this.clock.schedule.epoch)
    this.links.set(id, link)
    link.send({ type: 'start', taskManager: id, slots: this.slots, schedule: this.clock.schedule })
    if (this.token !== null) this.connect(id, link, this.token)
  }

  private connect(id: TaskManagerId, link: Link, token: FencingToken): void {
    const { port1, port2 } = new MessageChannel()
    link.send({ type: 'connect', token, port: port1 }, [port1])
    this.listener.onConnect(id, port2)
  }

  private lose(id: TaskManagerId, cause: string): boolean {
    if (!this.end(id)) return false
    this.listener.onLost(id, cause)
    return true
  }

  private end(id: TaskManagerId): boolean {
    const link = this.links.get(id)
    if (link === undefined) return false
    link.terminate()
    this.links.delete(id)
    this.listener.onPaceApplied()
    return true
  }
}
