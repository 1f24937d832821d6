/**
 * The life of the cluster's parts in this tab: leading or watching, the JobManager and its successors, TaskManagers, tasks' ports, and the
 * death of what cannot be replaced. What is done by rules of Flink is done by the machines inside the workers.
 */
import type { EngineEvent } from '../../workers/model/events.ts'
import type { TaskManagerId } from '../../workers/model/ids.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import type { JobManagerMessage, LedJob, LogBatch, LoggedEvent } from '../../workers/hosts/browser/messages.ts'
import { ClockOwner, type ClockHost } from './clock-owner.ts'
import type { ClockReading } from './cluster-types.ts'
import { withDeadline } from './deadline.ts'
import { JobManagerLink } from './job-manager-link.ts'
import { rememberedDocument } from './last-document.ts'
import { seekLeadership } from './leadership.ts'
import { PaceController } from './pace-controller.ts'
import { brokerPorts, type PlacedTask } from './port-broker.ts'
import { ResourceManager } from './resource-manager.ts'
import { ClusterServices } from './services.ts'
import { StatusTold } from './status-told.ts'
import { StatusBoard } from './watching.ts'

const DEFAULT_DETECTION_MICROS = 1_000_000

export interface SupervisorListener {
  onLog(batch: LogBatch): void
  onJobManagerEvent(event: EngineEvent): void
  onClock(reading: ClockReading): void
  /** The log so far. */
  history(): Promise<readonly LoggedEvent[]>
}

export class Supervisor {
  readonly clock: ClockOwner
  readonly pacing: PaceController
  readonly taskManagers: ResourceManager
  readonly board = new StatusBoard()
  readonly told: StatusTold
  private readonly listener: SupervisorListener
  private services: ClusterServices | null = null
  private jobManager: JobManagerLink | null = null
  private lastToken = 0
  private wantedTrace: boolean | null = null

  constructor(listener: SupervisorListener) {
    this.listener = listener
    this.clock = new ClockOwner(() => this.hosts())
    this.clock.onSegment = () => this.onPace()
    this.pacing = new PaceController(this.clock, {
      onPace: () => this.onPace(),
      onTriggerCovered: (nextAt) => this.jobManager?.link.send({ type: 'trigger-may-go', nextAt }),
    })
    this.taskManagers = new ResourceManager(this.clock, {
      onConnect: (id, port) => this.jobManager?.connect(id, port),
      onLost: (id, cause) => this.onTaskManagerLost(id, cause),
      onReplaced: (id, cause) => this.jobManager?.link.send({ type: 'task-manager-lost', taskManager: id, cause, due: 0 }),
      onPaceApplied: () => this.clock.acknowledged(),
      onLagging: () => this.pacing.onLagging(),
    })
    this.told = new StatusTold(this)
    this.board.onStatus = () => this.told.changed()
    this.board.onClock = (reading) => listener.onClock(reading)
    this.board.onLog = (batch) => listener.onLog(batch)
    seekLeadership(() => this.lead(), () => this.watch())
  }

  /** Rejects while another tab leads, and when the engine is dead; waits for a JobManager that has recovered what there was. */
  async leader(): Promise<JobManagerLink> {
    await this.told.that((status) => status.role !== 'starting')
    this.running()
    if (!this.told.led) await withDeadline(this.told.that((status) => status.leader === 'running' || status.dead !== null), 'a leading JobManager')
    this.running()
    if (this.jobManager === null) throw new Error('there is no JobManager')
    return this.jobManager
  }

  /** The workers that outlive every kill; throws while this tab does not lead or the engine is dead. */
  running(): ClusterServices {
    const { role, dead } = this.told
    if (role === 'watching') throw new Error('another tab leads the cluster; this one only watches')
    if (dead !== null) throw new Error(`the engine is dead (${dead.part}): ${dead.message}`)
    if (this.services === null) throw new Error('the engine does not run')
    return this.services
  }

  /** As `running`, once it is known whether this tab leads. */
  async engine(): Promise<ClusterServices> {
    await this.told.that((status) => status.role !== 'starting')
    return this.running()
  }

  async loadTopics(document: JobDocument | null): Promise<void> {
    const topics = [...(document?.topics ?? [])]
    if (topics.length === 0) return
    await withDeadline(this.running().outsideSurface.loadTopics(topics, window.document.baseURI), 'loading the topics')
  }

  /** Until the pace changes. */
  async trace(traced: boolean): Promise<void> {
    this.wantedTrace = traced
    const { surface } = await this.leader()
    await withDeadline(surface.setTraced(traced), 'switching the trace')
    this.told.traced = traced
    this.told.changed()
  }

  killJobManager(): void {
    const killed = this.jobManager
    if (killed === null) throw new Error('there is no JobManager to kill')
    this.running().event({ type: 'FaultInjected', fault: 'kill-job-manager', target: 'jobmanager' }, this.clock.now())
    killed.terminate()
    this.lastToken = killed.token
    this.jobManager = null
    this.told.led = false
    this.clock.acknowledged()
    const noticedAt = this.clock.now() + this.detectionMicros
    this.pacing.onFault(noticedAt)
    this.clock.whenShows(noticedAt, () => this.startJobManager())
    this.told.changed()
  }

  /** Between a loss and its being noticed. */
  get detectionMicros(): EngineTime {
    return this.told.job?.settings?.detectionDelayMicros ?? DEFAULT_DETECTION_MICROS
  }

  private lead(): void {
    this.told.role = 'leading'
    this.clock.begin()
    this.told.document = rememberedDocument()
    this.services = new ClusterServices(this.clock, {
      onLog: (batch) => {
        this.listener.onLog(batch)
        this.board.publishLog(batch)
      },
      onPaceApplied: () => this.clock.acknowledged(),
      onDied: (part, message) => this.die(part, message),
      onStoreFailed: (part, message) => this.told.storeFailed(part, message),
    })
    const { storageSurface } = this.services
    this.board.lead(() => this.listener.history())
    this.told.changed()
    withDeadline(storageSurface.files('/'), 'listing /').catch((error: unknown) => this.told.noStorage(error))
    // The sources of a job that is recovered read at once: the topics come first.
    this.loadTopics(this.told.document).catch((error: unknown) => this.told.notice(String(error))).finally(() => this.startJobManager())
  }

  private watch(): void {
    this.told.role = 'watching'
    this.board.watch()
    this.told.changed()
  }

  private startJobManager(): void {
    if (this.services === null || this.told.dead !== null) return
    const link: JobManagerLink = new JobManagerLink(this.clock, this.services, {
      onMessage: (message) => {
        if (this.jobManager === link) this.onJobManager(message)
      },
      onDied: (message) => this.die('JobManager', message),
      onPaceApplied: () => this.clock.acknowledged(),
      onLagging: () => undefined,
    }, this.lastToken)
    this.jobManager = link
    this.wantedTrace = null
    this.told.traced = false
    link.link.send({ type: 'hold-triggers', hold: this.pacing.isStory })
    this.taskManagers.connectAll(link.token)
    this.onPace()
  }

  private onJobManager(message: JobManagerMessage): void {
    switch (message.type) {
      case 'job':
        this.onJob(message.job)
        break
      case 'request-task-managers':
        this.taskManagers.require(message.count, this.told.job?.settings?.slotsPerTaskManager ?? 1)
        this.told.changed()
        break
      case 'deploy':
        this.deploy(message.tasks)
        break
      case 'events':
        this.pacing.onEvents(message.events)
        for (const event of message.events) {
          if (event.body.type === 'LeadershipGranted') this.onLeadership()
          this.listener.onJobManagerEvent(event)
        }
        break
    }
  }

  private onJob(job: LedJob | null): void {
    this.told.job = job
    if (job?.settings) this.pacing.setJob(job.settings)
    this.told.changed()
  }

  private onLeadership(): void {
    this.told.led = true
    // What was changed while the job runs is a property of the machine on which it runs and of who feeds it, not of the JobManager.
    this.jobManager?.surface.changeSettings(this.told.settings).catch(reportError)
    this.onPace()
  }

  private deploy(tasks: readonly PlacedTask[]): void {
    const services = this.running()
    const placed = brokerPorts(tasks, {
      storage: ({ job, token }) => services.openStorage({ job, token }),
      outside: ({ job, token }) => services.openOutside(job, token),
      observer: ({ attempt }) => services.openObserver(attempt),
    })
    const token = tasks[0]?.deployment.token
    if (token === undefined) return
    for (const [taskManager, deployed] of placed) this.taskManagers.deploy(taskManager, token, deployed)
  }

  private onTaskManagerLost(taskManager: TaskManagerId, cause: string): void {
    const due = this.clock.now() + this.detectionMicros
    this.jobManager?.link.send({ type: 'task-manager-lost', taskManager, cause, due })
    this.pacing.onFault(due)
    this.clock.whenShows(due, () => {
      this.taskManagers.fill()
      this.told.changed()
    })
    this.told.changed()
  }

  /** A part that cannot be replaced is dead: nothing moves any more, and the page says so. */
  private die(part: string, message: string): void {
    if (this.told.dead !== null) return
    this.told.dead = { part, message }
    this.jobManager?.terminate()
    this.taskManagers.terminate()
    this.services?.terminate()
    this.jobManager = null
    this.told.led = false
    void this.pacing.pause(true)
    this.told.changed()
  }

  private onPace(): void {
    this.listener.onClock(this.clock.reading)
    this.board.publishClock(this.clock.reading)
    this.jobManager?.link.send({ type: 'hold-triggers', hold: this.pacing.isStory })
    const wanted = this.pacing.wantsTrace
    if (this.jobManager !== null && wanted !== this.wantedTrace && this.told.led) this.trace(wanted).catch(() => (this.wantedTrace = null))
    this.told.changed()
  }

  private *hosts(): Iterable<ClockHost> {
    if (this.services !== null) yield this.services.outside
    if (this.jobManager !== null) yield this.jobManager.link
    yield* this.taskManagers.hosts
  }
}
