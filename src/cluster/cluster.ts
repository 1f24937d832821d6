/**
 * The cluster in this tab: starts and kills workers, connects them, owns the clock. What is done by rules of Flink is done by the machines
 * inside the workers; here is what in a data centre would be machines, cables and somebody who pulls them.
 */
import type { EngineEvent } from '../../workers/model/events.ts'
import { isGloballyTerminal } from '../../workers/model/execution.ts'
import { jobId, type ChannelId, type ExecutionAttemptId, type JobId, type TaskManagerId } from '../../workers/model/ids.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Fault } from '../../workers/model/scenario-document.ts'
import type { JobManagerMessage, LedJob, LogBatch } from '../../workers/hosts/browser/messages.ts'
import type { JobManagerView, RestAnswerJson, RestCall } from '../../workers/hosts/browser/requests.ts'
import { ClockOwner, wallNow, type ClockHost } from './clock-owner.ts'
import { ClusterQueries } from './cluster-queries.ts'
import type { ClockReading, Cluster, ClusterRole, ClusterStatus, StartOptions, StartResult } from './cluster-types.ts'
import { withDeadline } from './deadline.ts'
import { injectFault } from './faults.ts'
import { JobManagerLink } from './job-manager-link.ts'
import { rememberDocument, rememberedDocument } from './last-document.ts'
import { seekLeadership } from './leadership.ts'
import { Listeners } from './listeners.ts'
import { PaceController } from './pace-controller.ts'
import { brokerPorts, type PlacedTask } from './port-broker.ts'
import { ResourceManager } from './resource-manager.ts'
import { ClusterServices } from './services.ts'
import { StatusBoard } from './watching.ts'

const CANCEL_DEADLINE_MS = 30_000
const DEFAULT_DETECTION_MICROS = 1_000_000
const NOTICES_MAX = 5

/** Seeks leadership at once. One per page. */
export function createCluster(): Cluster {
  return new BrowserCluster()
}

class BrowserCluster extends ClusterQueries implements Cluster {
  private readonly clock: ClockOwner
  private readonly pacing: PaceController
  protected readonly taskManagers: ResourceManager
  private readonly board = new StatusBoard()
  private readonly statusListeners = new Listeners<ClusterStatus>()
  private readonly logListeners = new Listeners<LogBatch>()
  private readonly jobManagerListeners = new Listeners<EngineEvent>()
  private readonly clockListeners = new Listeners<ClockReading>()
  private services: ClusterServices | null = null
  private jobManager: JobManagerLink | null = null
  private starting: Promise<unknown> = Promise.resolve()
  /** The JobManager has read what there is to recover. */
  private led = false
  private lastToken = 0
  private role: ClusterRole = 'starting'
  private job: LedJob | null = null
  private dead: ClusterStatus['dead'] = null
  private notices: readonly string[] = []
  private readonly storeFailures = new Map<string, string>()
  private traced: boolean | null = null
  private costs: Readonly<Record<string, number>> = {}
  private running: JobDocument | null = rememberedDocument()
  private told: ClusterStatus | null = null

  constructor() {
    super()
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
    this.board.onStatus = () => this.changed()
    this.board.onClock = (reading) => this.clockListeners.tell(reading)
    this.board.onLog = (batch) => this.logListeners.tell(batch)
    seekLeadership(() => this.lead(), () => this.watch())
  }

  get status(): ClusterStatus {
    if (this.role === 'watching' && this.board.seen !== null) return { ...this.board.seen, role: 'watching' }
    return {
      role: this.role,
      job: this.job === null ? null : { id: this.job.id, name: this.job.name, status: this.job.status },
      pace: this.pacing.status,
      traced: this.traced ?? false,
      costs: this.costs,
      leader: this.led ? 'running' : this.role === 'leading' ? 'starting' : 'none',
      taskManagers: this.taskManagers.taskManagers.map((id) => ({ id, slots: this.taskManagers.slotsPerTaskManager })),
      dead: this.dead,
      notices: [...this.storeFailures.values(), ...this.notices],
    }
  }

  get document(): JobDocument | null {
    return this.running
  }

  onStatus(listener: (status: ClusterStatus) => void): () => void {
    const stop = this.statusListeners.add(listener)
    listener(this.status)
    return stop
  }

  onLog(listener: (batch: LogBatch) => void): () => void {
    return this.logListeners.add(listener)
  }

  onJobManagerEvent(listener: (event: EngineEvent) => void): () => void {
    return this.jobManagerListeners.add(listener)
  }

  engineNow(): number {
    if (this.role !== 'watching') return this.clock.now()
    const { wall, engine, pace } = this.clockNow
    return Math.floor(engine + (wallNow() - wall) * pace * 1000)
  }

  /** While watching: the leader's, as last heard. */
  get clockNow(): ClockReading {
    return this.role === 'watching' ? (this.board.clock ?? { wall: wallNow(), engine: 0, pace: 0 }) : this.clock.reading
  }

  onClock(listener: (reading: ClockReading) => void): () => void {
    return this.clockListeners.add(listener)
  }

  /** One after the other: the second start cancels the job of the first. */
  start(document: JobDocument, options: StartOptions = {}): Promise<StartResult> {
    const started = this.starting.then(() => this.startNow(document, options))
    this.starting = started.catch(() => undefined)
    return started
  }

  private async startNow(document: JobDocument, options: StartOptions): Promise<StartResult> {
    const { surface } = await this.leader()
    const { graph, problems } = await withDeadline(surface.compile(document), 'checking the job')
    if (graph === null) return { ok: false, problems }
    if (this.job !== null && !isGloballyTerminal(this.job.status)) await this.cancel()
    // The JobManager must know of the slots before it fills them.
    this.taskManagers.require(graph.settings.taskManagers, graph.settings.slotsPerTaskManager)
    await withDeadline(this.must().outsideSurface.resetSinks(), 'emptying the sinks')
    await this.loadTopics(document)
    const id = randomJobId()
    this.running = document
    this.costs = {}
    rememberDocument(document)
    await withDeadline(surface.submit(id, document, options.seed ?? 1), 'submitting the job')
    return { ok: true, job: id }
  }

  async cancel(): Promise<void> {
    if (this.job === null || isGloballyTerminal(this.job.status)) return
    const { surface } = await this.leader()
    await withDeadline(surface.cancel(), 'cancelling the job')
    await withDeadline(this.statusThat((status) => status.job === null || isGloballyTerminal(status.job.status)), 'the end of the job', CANCEL_DEADLINE_MS)
  }

  setPace(pace: number | 'story'): Promise<void> {
    return this.pacing.set(pace)
  }

  pause(): Promise<void> {
    return this.pacing.pause(true)
  }

  resume(): Promise<void> {
    return this.pacing.pause(false)
  }

  async setTraced(traced: boolean): Promise<void> {
    this.traced = traced
    const { surface } = await this.leader()
    await withDeadline(surface.setTraced(traced), 'switching the trace')
    this.changed()
  }

  async setCost(uid: string, micros: number): Promise<void> {
    const { surface } = await this.leader()
    await withDeadline(surface.setCosts({ [uid]: micros }), 'changing a cost')
    this.costs = { ...this.costs, [uid]: micros }
    this.changed()
  }

  async setChannelDelay(channel: ChannelId, micros: number): Promise<void> {
    const { graph, executions } = await this.view()
    const [edge, , to] = channel.split(/[:>]/).map(Number)
    const receiver = graph?.edges.find(({ index }) => index === edge)?.to
    const execution = executions.find((candidate) => candidate.vertex === receiver && candidate.subtask === to)
    if (execution === undefined || execution.taskManager === null) throw new Error(`no task receives through the channel ${channel}`)
    this.taskManagers.delayChannel(execution.taskManager, execution.attempt, channel, micros)
  }

  async inject(fault: Fault): Promise<void> {
    await injectFault(fault, {
      cluster: this,
      clock: this.clock,
      services: this.must(),
      view: () => this.view(),
    })
  }

  async rest(call: RestCall): Promise<RestAnswerJson> {
    const { surface } = await this.leader()
    if (call.method === 'POST' && /\/checkpoints\/?(\?|$)/.test(call.path)) await this.pacing.beforeManualTrigger()
    // Records, bytes and times of tasks are known to the observer alone.
    const needsReports = /^(\/v1)?\/jobs\/[0-9a-f]{32}(\/vertices\/.*)?\/?(\?|$)/.test(call.path)
    const reports = needsReports ? await this.reports().catch(() => []) : []
    return withDeadline(surface.rest({ ...call, reports }), `${call.method ?? 'GET'} ${call.path}`)
  }

  async triggerCheckpoint(): Promise<string> {
    const { surface } = await this.leader()
    await this.pacing.beforeManualTrigger()
    const triggerId = randomJobId()
    await withDeadline(surface.triggerCheckpoint(triggerId), 'triggering a checkpoint')
    return triggerId
  }

  overlayPort(): MessagePort {
    return this.must().openOverlay()
  }

  async killSubtask(attempt: ExecutionAttemptId): Promise<void> {
    const view = await this.view()
    const execution = view.executions.find((candidate) => candidate.attempt === attempt)
    if (execution?.taskManager === undefined || execution.taskManager === null) throw new Error(`no worker runs ${attempt}`)
    this.must().event({ type: 'FaultInjected', fault: 'kill-subtask', target: attempt }, this.clock.now())
    this.taskManagers.killTask(execution.taskManager, attempt, this.detectionMicros)
    this.pacing.onFault(this.clock.now() + this.detectionMicros)
  }

  killTaskManager(taskManager: TaskManagerId): Promise<void> {
    const known = this.taskManagers.taskManagers.includes(taskManager)
    if (!known) return Promise.reject(new Error(`there is no TaskManager ${taskManager}; there are: ${this.taskManagers.taskManagers.join(', ')}`))
    this.must().event({ type: 'FaultInjected', fault: 'kill-task-manager', target: taskManager }, this.clock.now())
    this.taskManagers.kill(taskManager)
    return Promise.resolve()
  }

  killJobManager(): Promise<void> {
    const killed = this.jobManager
    if (killed === null) return Promise.reject(new Error('there is no JobManager to kill'))
    this.must().event({ type: 'FaultInjected', fault: 'kill-job-manager', target: 'jobmanager' }, this.clock.now())
    killed.terminate()
    this.lastToken = killed.token
    this.jobManager = null
    this.led = false
    this.clock.acknowledged()
    const noticedAt = this.clock.now() + this.detectionMicros
    this.pacing.onFault(noticedAt)
    this.clock.whenShows(noticedAt, () => this.startJobManager())
    this.changed()
    return Promise.resolve()
  }

  view(): Promise<JobManagerView> {
    return this.leader().then(({ surface }) => withDeadline(surface.view(), 'asking the JobManager'))
  }

  // ── leading and watching

  private lead(): void {
    this.role = 'leading'
    this.clock.begin()
    this.running = rememberedDocument()
    this.services = new ClusterServices(this.clock, {
      onLog: (batch) => {
        this.logListeners.tell(batch)
        this.board.publishLog(batch)
      },
      onPaceApplied: () => this.clock.acknowledged(),
      onDied: (part, message) => this.die(part, message),
      onStoreFailed: (part, message) => {
        if (message === null) this.storeFailures.delete(part)
        else this.storeFailures.set(part, `Nothing can be stored any more (${part}): ${message}. What is in memory goes on; a checkpoint fails.`)
        this.changed()
      },
    })
    this.board.lead(() => this.events(0))
    this.changed()
    this.files('/').catch((error: unknown) => {
      if (!this.storeFailures.has('storage')) this.notice(`Nothing can be stored: ${error instanceof Error ? error.message : String(error)}`)
    })
    // The sources of a job that is recovered read at once: the topics come first.
    this.loadTopics(this.running).catch((error: unknown) => this.notice(String(error))).finally(() => this.startJobManager())
  }

  private async loadTopics(document: JobDocument | null): Promise<void> {
    const topics = [...(document?.topics ?? [])]
    if (topics.length === 0) return
    await withDeadline(this.must().outsideSurface.loadTopics(topics, window.document.baseURI), 'loading the topics')
  }

  private notice(text: string): void {
    this.notices = [...this.notices, text].slice(-NOTICES_MAX)
    this.changed()
  }

  private watch(): void {
    this.role = 'watching'
    this.board.watch()
    this.changed()
  }

  private startJobManager(): void {
    if (this.services === null || this.dead !== null) return
    const link: JobManagerLink = new JobManagerLink(this.clock, this.services, {
      onMessage: (message) => {
        if (this.jobManager === link) this.onJobManager(message)
      },
      onDied: (message) => this.die('JobManager', message),
      onPaceApplied: () => this.clock.acknowledged(),
      onLagging: () => undefined,
    }, this.lastToken)
    this.jobManager = link
    this.traced = null
    this.costs = {}
    link.link.send({ type: 'hold-triggers', hold: this.pacing.isStory })
    this.taskManagers.connectAll(link.token)
    this.onPace()
  }

  private onJobManager(message: JobManagerMessage): void {
    switch (message.type) {
      case 'job':
        this.job = message.job
        if (message.job?.settings) this.pacing.setJob(message.job.settings)
        this.changed()
        break
      case 'request-task-managers':
        this.taskManagers.require(message.count, this.job?.settings?.slotsPerTaskManager ?? 1)
        this.changed()
        break
      case 'deploy':
        this.deploy(message.tasks)
        break
      case 'events':
        this.pacing.onEvents(message.events)
        for (const event of message.events) {
          if (event.body.type === 'LeadershipGranted') {
            this.led = true
            this.onPace()
          }
          this.jobManagerListeners.tell(event)
        }
        break
    }
  }

  private deploy(tasks: readonly PlacedTask[]): void {
    const services = this.must()
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
      this.changed()
    })
    this.changed()
  }

  /** A part that cannot be replaced is dead: nothing moves any more, and the page says so. */
  private die(part: string, message: string): void {
    if (this.dead !== null) return
    this.dead = { part, message }
    this.jobManager?.terminate()
    this.taskManagers.terminate()
    this.services?.terminate()
    this.jobManager = null
    this.led = false
    void this.pacing.pause(true)
    this.changed()
  }

  private onPace(): void {
    this.clockListeners.tell(this.clock.reading)
    this.board.publishClock(this.clock.reading)
    this.jobManager?.link.send({ type: 'hold-triggers', hold: this.pacing.isStory })
    const wanted = this.pacing.wantsTrace
    if (this.jobManager !== null && wanted !== this.traced && this.led) this.setTraced(wanted).catch(() => (this.traced = null))
    this.changed()
  }

  private *hosts(): Iterable<ClockHost> {
    if (this.services !== null) yield this.services.outside
    if (this.jobManager !== null) yield this.jobManager.link
    yield* this.taskManagers.hosts
  }

  private get detectionMicros(): number {
    return this.job?.settings?.detectionDelayMicros ?? DEFAULT_DETECTION_MICROS
  }

  private async leader(): Promise<JobManagerLink> {
    if (this.role === 'watching') throw new Error('another tab leads the cluster; this one only watches')
    if (this.dead !== null) throw new Error(`the engine is dead (${this.dead.part}): ${this.dead.message}`)
    if (!this.led) await withDeadline(this.statusThat((status) => status.leader === 'running'), 'a leading JobManager')
    if (this.jobManager === null) throw new Error('there is no JobManager')
    return this.jobManager
  }

  protected must(): ClusterServices {
    if (this.role === 'watching') throw new Error('another tab leads the cluster; this one only watches')
    if (this.services === null || this.dead !== null) throw new Error('the engine does not run')
    return this.services
  }

  private statusThat(holds: (status: ClusterStatus) => boolean): Promise<void> {
    return new Promise((resolve) => {
      let stop: (() => void) | null = null
      let done = false
      stop = this.onStatus((status) => {
        if (done || !holds(status)) return
        done = true
        stop?.()
        resolve()
      })
      if (done) stop()
    })
  }

  private changed(): void {
    const status = this.status
    if (JSON.stringify(status) === JSON.stringify(this.told)) return
    this.told = status
    this.statusListeners.tell(status)
    if (this.role === 'leading') this.board.publish(status)
  }
}

const randomJobId = (): JobId =>
  jobId([...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
