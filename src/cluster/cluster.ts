/**
 * The cluster in this tab, as the page sees it. Its parts live in `supervisor.ts`; what acts on the job is in `job-calls.ts`, what only asks in
 * `cluster-queries.ts`.
 */
import type { LiveSettings } from '../../workers/model/live-settings.ts'
import type { EngineEvent } from '../../workers/model/events.ts'
import type { ExecutionAttemptId, TaskManagerId } from '../../workers/model/ids.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Fault } from '../../workers/model/scenario-document.ts'
import type { LogBatch } from '../../workers/hosts/browser/messages.ts'
import type { JobManagerView, RestAnswerJson, RestCall } from '../../workers/hosts/browser/requests.ts'
import type { SnapshotDesk } from '../../workers/hosts/browser/snapshot-desk.ts'
import { wallNow } from './clock-owner.ts'
import { ClusterQueries } from './cluster-queries.ts'
import type { ClockReading, Cluster, ClusterStatus, SavepointOptions, StartOptions, StartResult } from './cluster-types.ts'
import { withDeadline } from './deadline.ts'
import { createDesk } from './desk-link.ts'
import { injectFault } from './faults.ts'
import { JobCalls } from './job-calls.ts'
import { Listeners } from './listeners.ts'
import type { ResourceManager } from './resource-manager.ts'
import type { ClusterServices } from './services.ts'
import { Supervisor } from './supervisor.ts'

/** Seeks leadership at once. One per page. */
export function createCluster(): Cluster {
  return new BrowserCluster()
}

class BrowserCluster extends ClusterQueries implements Cluster {
  readonly desk: SnapshotDesk
  private readonly logListeners = new Listeners<LogBatch>()
  private readonly jobManagerListeners = new Listeners<EngineEvent>()
  private readonly clockListeners = new Listeners<ClockReading>()
  private readonly parts: Supervisor
  private readonly calls: JobCalls

  constructor() {
    super()
    this.parts = new Supervisor({
      onLog: (batch) => this.logListeners.tell(batch),
      onJobManagerEvent: (event) => this.jobManagerListeners.tell(event),
      onClock: (reading) => this.clockListeners.tell(reading),
      history: () => this.events(0),
    })
    this.calls = new JobCalls(this.parts, () => this.reports())
    this.desk = createDesk(async () => void (await this.parts.engine()))
  }

  get status(): ClusterStatus {
    return this.parts.told.status
  }

  get document(): JobDocument | null {
    const { told, board } = this.parts
    return told.role === 'watching' ? (board.document ?? told.document) : told.document
  }

  onStatus(listener: (status: ClusterStatus) => void): () => void {
    return this.parts.told.listen(listener)
  }

  onLog(listener: (batch: LogBatch) => void): () => void {
    return this.logListeners.add(listener)
  }

  onJobManagerEvent(listener: (event: EngineEvent) => void): () => void {
    return this.jobManagerListeners.add(listener)
  }

  engineNow(): number {
    if (this.status.role !== 'watching') return this.parts.clock.now()
    const { wall, engine, pace } = this.clockNow
    return Math.floor(engine + (wallNow() - wall) * pace * 1000)
  }

  /** While watching: the leader's, as last heard. */
  get clockNow(): ClockReading {
    const { told, board, clock } = this.parts
    return told.role === 'watching' ? (board.clock ?? { wall: wallNow(), engine: 0, pace: 0 }) : clock.reading
  }

  onClock(listener: (reading: ClockReading) => void): () => void {
    return this.clockListeners.add(listener)
  }

  start(document: JobDocument, options: StartOptions = {}): Promise<StartResult> {
    return this.calls.start(document, options)
  }

  cancel(): Promise<void> {
    return this.calls.cancel()
  }

  setPace(pace: number | 'story'): Promise<void> {
    return this.parts.pacing.set(pace)
  }

  pause(): Promise<void> {
    return this.parts.pacing.pause(true)
  }

  resume(): Promise<void> {
    return this.parts.pacing.pause(false)
  }

  setTraced(traced: boolean): Promise<void> {
    return this.parts.trace(traced)
  }

  changeSettings(change: Partial<LiveSettings>): Promise<void> {
    return this.calls.changeSettings(change)
  }

  async inject(fault: Fault): Promise<void> {
    const services = await this.engine()
    await injectFault(fault, { cluster: this, clock: this.parts.clock, services, view: () => this.view() })
  }

  rest(call: RestCall): Promise<RestAnswerJson> {
    return this.calls.rest(call)
  }

  triggerCheckpoint(): Promise<string> {
    return this.calls.triggerCheckpoint()
  }

  triggerSavepoint(options: SavepointOptions = {}): Promise<string> {
    return this.calls.triggerSavepoint(options)
  }

  stopWithSavepoint(options: SavepointOptions & { readonly drain?: boolean } = {}): Promise<string> {
    return this.calls.stopWithSavepoint(options)
  }

  disposeSavepoint(path: string): Promise<void> {
    return this.calls.disposeSavepoint(path)
  }

  overlayPort(): MessagePort {
    return this.parts.running().openOverlay()
  }

  async killSubtask(attempt: ExecutionAttemptId): Promise<void> {
    const view = await this.view()
    const execution = view.executions.find((candidate) => candidate.attempt === attempt)
    if (execution?.taskManager === undefined || execution.taskManager === null) throw new Error(`no worker runs ${attempt}`)
    const { clock, detectionMicros, pacing } = this.parts
    this.parts.running().event({ type: 'FaultInjected', fault: 'kill-subtask', target: attempt }, clock.now())
    this.taskManagers.killTask(execution.taskManager, attempt, detectionMicros)
    pacing.onFault(clock.now() + detectionMicros)
  }

  async killTaskManager(taskManager: TaskManagerId): Promise<void> {
    const { taskManagers } = this.taskManagers
    if (!taskManagers.includes(taskManager)) throw new Error(`there is no TaskManager ${taskManager}; there are: ${taskManagers.join(', ')}`)
    this.parts.running().event({ type: 'FaultInjected', fault: 'kill-task-manager', target: taskManager }, this.parts.clock.now())
    this.taskManagers.kill(taskManager)
  }

  async killJobManager(): Promise<void> {
    this.parts.killJobManager()
  }

  async view(): Promise<JobManagerView> {
    const { surface } = await this.parts.leader()
    return withDeadline(surface.view(), 'asking the JobManager')
  }

  protected get taskManagers(): ResourceManager {
    return this.parts.taskManagers
  }

  protected engine(): Promise<ClusterServices> {
    return this.parts.engine()
  }
}
