/** Carries out the steps of a scenario on live workers. A step that names a snapshot ends when that is complete. */
import { DEFAULT_TIMEOUT, Wait } from '../../workers/invariants/scenario-conditions.ts'
import { isGloballyTerminal } from '../../workers/model/execution.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { nextDocument } from '../../workers/model/next-document.ts'
import type { SavepointRestoreSettings } from '../../workers/model/restore.ts'
import type { Condition, ScenarioStart, ScenarioStep } from '../../workers/model/scenario-document.ts'
import { durationMicros } from '../../workers/model/scenario-parser.ts'
import type { Cluster } from './cluster-types.ts'
import type { LiveView } from './live-view.ts'
import { awaitOperation } from './savepoint-operation.ts'

const ASK_EVERY_MS = 100
/** Where a savepoint goes whose step names no directory. */
const SAVEPOINTS = '/savepoints'

export class LiveSteps {
  private readonly cluster: Cluster
  private readonly view: LiveView
  /** Directories of snapshots, by the names that `as` gave. */
  private readonly snapshots = new Map<string, string>()
  private document: JobDocument
  private seed: number

  constructor(cluster: Cluster, view: LiveView, document: JobDocument, seed: number) {
    this.cluster = cluster
    this.view = view
    this.document = document
    this.seed = seed
  }

  /** The scenario's own job. */
  begin(): Promise<string | null> {
    return explained(() => this.submit(null))
  }

  /** Null, or why the step failed. */
  carryOut(step: ScenarioStep): Promise<string | null> {
    return explained(() => this.perform(step))
  }

  private async perform(step: ScenarioStep): Promise<void> {
    const { cluster } = this
    if ('wait' in step) await this.wait(step.wait, step.timeout ?? DEFAULT_TIMEOUT)
    else if ('inject' in step) {
      if (step.after !== undefined) throw new Error('only a simulated cluster breaks right behind an event: leave "after" out, and wait for the event')
      await cluster.inject(step.inject)
    } else if ('trigger' in step) await this.trigger(step)
    else if ('stop' in step) {
      const { directory = SAVEPOINTS, ...options } = step.stop
      this.remember(step.as, await cluster.stopWithSavepoint({ ...options, directory }))
    } else if ('start' in step) await this.start(step.start)
    else if ('dispose' in step) await cluster.disposeSavepoint(this.pathOf(step.dispose))
    else if ('files' in step) await this.files(step.files)
    else if ('cancel' in step) await cluster.cancel()
    // Judged by whoever runs the steps.
    else if (!('check' in step)) await cluster.setPace(step.pace)
  }

  private async trigger(step: Extract<ScenarioStep, { readonly trigger: unknown }>): Promise<void> {
    const { cluster } = this
    if (step.trigger === 'savepoint') {
      const { directory = SAVEPOINTS, format, as } = step
      const taken = cluster.triggerSavepoint({ directory, ...(format === undefined ? {} : { format }) })
      // Without a name it is only asked for: what comes of it is in the log.
      if (as === undefined) taken.catch(() => undefined)
      else this.remember(as, await taken)
      return
    }
    const triggerId = await cluster.triggerCheckpoint()
    if (step.as !== undefined) this.remember(step.as, await this.checkpointOf(triggerId))
  }

  private async checkpointOf(triggerId: string): Promise<string> {
    const { cluster } = this
    const checkpoints = `/jobs/${cluster.status.job?.id ?? ''}/checkpoints`
    await awaitOperation(`${checkpoints}/${triggerId}`, (call) => cluster.rest(call))
    const { body } = await cluster.rest({ path: `${checkpoints}/${triggerId}` })
    const { operation } = body as { readonly operation?: { readonly checkpointId?: number } }
    const details = (await cluster.rest({ path: `${checkpoints}/details/${operation?.checkpointId ?? 0}` })).body as { readonly external_path?: string }
    if (details.external_path === undefined) throw new Error(`checkpoint ${operation?.checkpointId ?? ''} has no path`)
    return details.external_path
  }

  /** The job before has to end first. */
  private async start(start: ScenarioStart): Promise<void> {
    const limit = this.view.now + durationMicros(DEFAULT_TIMEOUT)
    while (this.view.status !== null && !isGloballyTerminal(this.view.status)) {
      if (this.view.now > limit) throw new Error(`the job before is ${this.view.status}: stop or cancel it before the next one starts`)
      await pause()
    }
    const restore = await this.restoreOf(start)
    this.document = nextDocument(this.document, start)
    this.seed = start.seed ?? this.seed
    await this.submit(restore)
  }

  /** Null: from nothing. Rejects when there is no retained checkpoint. */
  async restoreOf({ from, allowNonRestoredState = false, claimMode = 'NO_CLAIM' }: ScenarioStart): Promise<SavepointRestoreSettings | null> {
    if (from === undefined) return null
    return { path: from === 'latest' ? await this.latestRetained() : this.pathOf(from), allowNonRestoredState, claimMode }
  }

  private async submit(restore: SavepointRestoreSettings | null): Promise<void> {
    const started = await this.cluster.start(this.document, { seed: this.seed, ...(restore === null ? {} : { restore }) })
    if (!started.ok) throw new Error(started.problems.map((problem) => `${problem.path}: ${problem.message}`).join('; '))
    this.view.started(this.document)
  }

  /** The newest retained checkpoint of the job before: one in its directory, or one that it has told of. */
  private async latestRetained(): Promise<string> {
    const { cluster } = this
    const job = cluster.status.job?.id ?? ''
    const { body } = await cluster.rest({ path: `/jobs/${job}/checkpoints` })
    const { history = [] } = body as { readonly history?: readonly { readonly external_path?: string; readonly is_savepoint?: boolean }[] }
    const told = new Set(history.filter((one) => one.is_savepoint !== true).map((one) => one.external_path))
    const retained = (await cluster.desk.tree()).nodes.filter(({ path, snapshot }) => snapshot !== null && (told.has(path) || path.includes(`/${job}/chk-`)))
    const newest = retained.toSorted((a, b) => (b.snapshot?.checkpointId ?? 0) - (a.snapshot?.checkpointId ?? 0))[0]
    if (newest === undefined) throw new Error(`no checkpoint of job ${job} is retained`)
    return newest.path
  }

  private async files({ copy, move, delete: gone }: Extract<ScenarioStep, { readonly files: unknown }>['files']): Promise<void> {
    const { desk } = this.cluster
    if (copy !== undefined) await desk.copy(this.pathOf(copy[0]), this.pathOf(copy[1]))
    if (move !== undefined) await desk.rename(this.pathOf(move[0]), this.pathOf(move[1]))
    if (gone !== undefined) await desk.remove([this.pathOf(gone)])
  }

  private async wait(condition: Condition, timeout: string): Promise<void> {
    const { view } = this
    const wait = new Wait(condition, view)
    const limit = view.now + durationMicros(timeout)
    while (!wait.holds(view)) {
      if (view.now > limit) throw new Error(`not within ${timeout} of engine time; the job is ${view.status ?? 'without a leader'}`)
      await pause()
      // While no JobManager leads there is nobody to ask; the condition is asked again afterwards.
      await view.refresh(false).catch(() => undefined)
    }
  }

  private remember(name: string | undefined, path: string): void {
    if (name !== undefined) this.snapshots.set(name, path)
  }

  /** A path, or the path of what `as` named; a name may have more behind it (`first/_metadata`). */
  pathOf(name: string): string {
    const [head = '', ...rest] = name.split('/')
    const named = this.snapshots.get(head)
    return named === undefined ? name : [named, ...rest].join('/')
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))

async function explained(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
