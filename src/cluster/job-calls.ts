/** What acts on the job: start, cancel, savepoints, costs. Each call has a deadline where whoever is asked may be killed meanwhile. */
import { withChange } from '../../workers/model/live-settings.ts'
import type { LiveSettings } from '../../workers/model/live-settings.ts'
import { isGloballyTerminal } from '../../workers/model/execution.ts'
import { jobId, type JobId } from '../../workers/model/ids.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { TaskReport } from '../../workers/model/report.ts'
import type { RestAnswerJson, RestCall } from '../../workers/hosts/browser/requests.ts'
import type { SavepointOptions, StartOptions, StartResult } from './cluster-types.ts'
import { withDeadline } from './deadline.ts'
import { awaitOperation, requestId } from './savepoint-operation.ts'
import type { Supervisor } from './supervisor.ts'

const END_DEADLINE_MS = 30_000
/** Where savepoints go when nobody says where. */
const SAVEPOINT_DIRECTORY = '/savepoints'
/** Of today, and of older texts. */
const SAVEPOINT_DIRECTORY_KEYS = ['execution.checkpointing.savepoint-dir', 'state.savepoints.dir', 'savepoints.state.backend.fs.dir']

export class JobCalls {
  private readonly parts: Supervisor
  private readonly reports: () => Promise<readonly TaskReport[]>
  private starting: Promise<unknown> = Promise.resolve()

  constructor(parts: Supervisor, reports: () => Promise<readonly TaskReport[]>) {
    this.parts = parts
    this.reports = reports
  }

  /** One after the other: the second start cancels the job of the first. */
  start(document: JobDocument, options: StartOptions): Promise<StartResult> {
    const started = this.starting.then(() => this.startNow(document, options))
    this.starting = started.catch(() => undefined)
    return started
  }

  async cancel(): Promise<void> {
    if (this.hasEnded) return
    const { surface } = await this.parts.leader()
    await withDeadline(surface.cancel(), 'cancelling the job')
    await this.end()
  }

  async rest(call: RestCall): Promise<RestAnswerJson> {
    const { surface } = await this.parts.leader()
    if (call.method === 'POST' && /\/(checkpoints|savepoints|stop)\/?(\?|$)/.test(call.path)) await this.parts.pacing.beforeManualTrigger()
    // Records, bytes and times of tasks are known to the observer alone.
    const needsReports = /^(\/v1)?\/jobs\/[0-9a-f]{32}(\/vertices\/.*)?\/?(\?|$)/.test(call.path)
    const reports = needsReports ? await this.reports().catch(() => []) : []
    return withDeadline(surface.rest({ ...call, reports }), `${call.method ?? 'GET'} ${call.path}`)
  }

  async triggerCheckpoint(): Promise<string> {
    const { surface } = await this.parts.leader()
    await this.parts.pacing.beforeManualTrigger()
    const triggerId = randomJobId()
    await withDeadline(surface.triggerCheckpoint(triggerId), 'triggering a checkpoint')
    return triggerId
  }

  async triggerSavepoint({ format, directory }: SavepointOptions): Promise<string> {
    const target = directory ?? this.defaultDirectory
    const body = { 'cancel-job': false, ...(target === null ? {} : { 'target-directory': target }), ...formatType(format) }
    return this.savepoint('savepoints', body)
  }

  async stopWithSavepoint({ format, directory, drain }: SavepointOptions & { readonly drain?: boolean }): Promise<string> {
    const target = directory ?? this.defaultDirectory
    const body = { drain: drain ?? false, ...(target === null ? {} : { targetDirectory: target }), ...formatType(format) }
    const location = await this.savepoint('stop', body)
    await this.end()
    return location
  }

  async disposeSavepoint(path: string): Promise<void> {
    const id = requestId(await this.rest({ method: 'POST', path: '/savepoint-disposal', body: { 'savepoint-path': path } }))
    await awaitOperation(`/savepoint-disposal/${id}`, (call) => this.rest(call))
  }

  async changeSettings(change: Partial<LiveSettings>): Promise<void> {
    const { surface } = await this.parts.leader()
    await withDeadline(surface.changeSettings(change), `changing ${Object.keys(change).join(' and ')}`)
    const { told } = this.parts
    told.settings = withChange(told.settings, change)
    told.changed()
  }

  private async startNow(document: JobDocument, options: StartOptions): Promise<StartResult> {
    const { surface } = await this.parts.leader()
    const { graph, problems } = await withDeadline(surface.compile(document), 'checking the job')
    if (graph === null) return { ok: false, problems }
    if (!this.hasEnded) await this.cancel()
    // The JobManager must know of the slots before it fills them.
    this.parts.taskManagers.require(graph.settings.taskManagers, graph.settings.slotsPerTaskManager)
    // A job that goes on from a snapshot goes on with what outside readers have seen, and with the transactions that wait for their commit.
    const goesOn = options.restore !== undefined || document.config?.['execution.state-recovery.path'] !== undefined
    if (!goesOn) await withDeadline(this.parts.running().outsideSurface.resetSinks(), 'emptying the sinks')
    await this.parts.loadTopics(document)
    const id = randomJobId()
    this.parts.told.started(document)
    await withDeadline(surface.submit(id, document, options.seed ?? 1, options.restore ?? null), 'submitting the job')
    return { ok: true, job: id }
  }

  private async savepoint(call: 'savepoints' | 'stop', body: unknown): Promise<string> {
    await this.parts.leader()
    const { job } = this.parts.told
    if (job === null) throw new Error('there is no job')
    const id = requestId(await this.rest({ method: 'POST', path: `/jobs/${job.id}/${call}`, body }))
    const location = await awaitOperation(`/jobs/${job.id}/savepoints/${id}`, (next) => this.rest(next))
    if (location === null) throw new Error(`the savepoint ${id} of job ${job.id} is complete, and the JobManager does not say where`)
    return location
  }

  /** Null: the job's options name one. */
  private get defaultDirectory(): string | null {
    const config = this.parts.told.document?.config ?? {}
    return SAVEPOINT_DIRECTORY_KEYS.some((key) => config[key] !== undefined) ? null : SAVEPOINT_DIRECTORY
  }

  private get hasEnded(): boolean {
    const { job } = this.parts.told
    return job === null || isGloballyTerminal(job.status)
  }

  private end(): Promise<void> {
    const ended = this.parts.told.that(({ job }) => job === null || isGloballyTerminal(job.status))
    return withDeadline(ended, 'the end of the job', END_DEADLINE_MS)
  }
}

const formatType = (format: SavepointOptions['format']): object => (format === undefined ? {} : { formatType: format })

const randomJobId = (): JobId =>
  jobId([...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
