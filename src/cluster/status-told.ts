/** What the cluster tells of itself: the parts of its status, kept together, told to the page and to watching tabs after every change. */
import { AS_DOCUMENTED } from '../../workers/model/live-settings.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { LedJob } from '../../workers/hosts/browser/messages.ts'
import type { ClusterRole, ClusterStatus, PaceStatus } from './cluster-types.ts'
import { rememberDocument, rememberedDocument } from './last-document.ts'
import { Listeners } from './listeners.ts'
import type { ResourceManager } from './resource-manager.ts'
import type { StatusBoard } from './watching.ts'

const NOTICES_MAX = 5

export interface StatusSources {
  readonly board: StatusBoard
  readonly pacing: { readonly status: PaceStatus }
  readonly taskManagers: Pick<ResourceManager, 'taskManagers' | 'slotsPerTaskManager'>
}

export class StatusTold {
  role: ClusterRole = 'starting'
  job: LedJob | null = null
  dead: ClusterStatus['dead'] = null
  /** The JobManager has read what there is to recover. */
  led = false
  traced = false
  /** Changed since the job started. */
  settings = AS_DOCUMENTED
  /** Of the job that runs or ran last. */
  document: JobDocument | null = rememberedDocument()
  private readonly sources: StatusSources
  private readonly listeners = new Listeners<ClusterStatus>()
  private readonly storeFailures = new Map<string, string>()
  private notices: readonly string[] = []
  private last: ClusterStatus | null = null

  constructor(sources: StatusSources) {
    this.sources = sources
  }

  get status(): ClusterStatus {
    const { board, pacing, taskManagers } = this.sources
    if (this.role === 'watching' && board.seen !== null) return { ...board.seen, role: 'watching' }
    return {
      role: this.role,
      job: this.job === null ? null : { id: this.job.id, name: this.job.name, status: this.job.status },
      pace: pacing.status,
      traced: this.traced,
      ...this.settings,
      leader: this.led ? 'running' : this.role === 'leading' ? 'starting' : 'none',
      taskManagers: taskManagers.taskManagers.map((id) => ({ id, slots: taskManagers.slotsPerTaskManager })),
      dead: this.dead,
      notices: [...this.storeFailures.values(), ...this.notices],
    }
  }

  /** Calls at once and after every change. */
  listen(listener: (status: ClusterStatus) => void): () => void {
    const stop = this.listeners.add(listener)
    listener(this.status)
    return stop
  }

  /** Resolves when that is so. */
  that(holds: (status: ClusterStatus) => boolean): Promise<void> {
    return new Promise((resolve) => {
      let stop: (() => void) | null = null
      let done = false
      stop = this.listen((status) => {
        if (done || !holds(status)) return
        done = true
        stop?.()
        resolve()
      })
      if (done) stop()
    })
  }

  changed(): void {
    const { status } = this
    if (JSON.stringify(status) === JSON.stringify(this.last)) return
    this.last = status
    this.listeners.tell(status)
    if (this.role === 'leading') this.sources.board.publish(status)
  }

  notice(text: string): void {
    this.notices = [...this.notices, text].slice(-NOTICES_MAX)
    this.changed()
  }

  /** Null: it takes changes again. */
  storeFailed(part: string, message: string | null): void {
    if (message === null) this.storeFailures.delete(part)
    else this.storeFailures.set(part, `Nothing can be stored any more (${part}): ${message}. What is in memory goes on; a checkpoint fails.`)
    this.changed()
  }

  /** The file system does not even list. */
  noStorage(error: unknown): void {
    if (!this.storeFailures.has('storage')) this.notice(`Nothing can be stored: ${error instanceof Error ? error.message : String(error)}`)
  }

  started(document: JobDocument): void {
    this.document = document
    this.settings = AS_DOCUMENTED
    rememberDocument(document)
    this.sources.board.publishDocument(document)
  }
}
