/** `window.weir`: the playground for people who script it. Documented in docs/CONSOLE-API.md. */
import { BUILTIN_JOBS } from '../../workers/model/builtin-jobs/builtin-jobs.ts'
import { checkJobShape } from '../../workers/model/compile/job-shape.ts'
import type { JobId } from '../../workers/model/ids.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { CLAIM_MODES, type ClaimMode } from '../../workers/model/restore.ts'
import { parseScenario } from '../../workers/model/scenario-parser.ts'
import type { Value } from '../../workers/model/schema.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import type { Fault, ScenarioDocument, ScenarioReport } from '../../workers/model/scenario-document.ts'
import type { LoggedEvent } from '../../workers/hosts/browser/messages.ts'
import type { InspectedCheckpoint } from '../../workers/hosts/browser/requests.ts'
import type { SnapshotDesk } from '../../workers/hosts/browser/snapshot-desk.ts'
import type { Cluster, ClusterStatus, SavepointOptions, StartOptions, StateRow } from './cluster-types.ts'
import { until, type UntilCondition } from './console-conditions.ts'
import { describeProblems } from './describe-problems.ts'
import { readFiles, type ReadFile } from './read-files.ts'
import { runScenario } from './run-scenario.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const ALL_ROWS = 200_000

/** Where the document being edited lives: the page's editor. */
export interface DocumentHolder {
  get(): JobDocument
  set(document: JobDocument): void
}

export interface ConsoleApi {
  /**
   * A document, or the name of a built-in job. Loads it without starting it. What has not the shape of a job is refused with every place that
   * is wrong, and the document that was there stays; mistakes of its meaning are for the editor to mark and for `start` to refuse.
   */
  load(job: JobDocument | string): JobDocument
  job(): JobDocument
  start(options?: ConsoleStartOptions): Promise<JobId>
  cancel(): Promise<void>
  /** Resolves with its path when it is complete. */
  savepoint(options?: SavepointOptions): Promise<string>
  /** Stop with savepoint. Resolves with its path when the job has FINISHED. */
  stop(options?: SavepointOptions & { readonly drain?: boolean }): Promise<string>
  /** Deletes a savepoint and all state in it. */
  dispose(path: string): Promise<void>
  /** Everything in a snapshot in storage, as the page shows it. */
  open(path: string): Promise<SnapshotView>
  /** What the storage browser works with. */
  readonly desk: SnapshotDesk
  pace(pace: number | 'story'): Promise<void>
  rest(path: string, init?: { readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'; readonly body?: unknown }): Promise<unknown>
  inject(fault: Fault): Promise<void>
  until(condition: UntilCondition, options?: { readonly timeout?: number; readonly since?: number }): Promise<LoggedEvent | ClusterStatus>
  sink(uid: string, options?: { readonly isolation?: 'committed' | 'uncommitted' }): Promise<readonly Value[]>
  state(uid: string): Promise<readonly StateRow[]>
  events(options?: { readonly since?: number }): Promise<readonly LoggedEvent[]>
  files(path?: string): Promise<readonly ReadFile[]>
  inspect(checkpointId: number): Promise<InspectedCheckpoint>
  run(scenario: ScenarioDocument | string): Promise<ScenarioReport>
  status(): ClusterStatus
}

export interface ConsoleStartOptions {
  readonly seed?: number
  /** Directory of a checkpoint or savepoint, or its `_metadata`. */
  readonly fromSavepoint?: string
  readonly allowNonRestoredState?: boolean
  readonly claimMode?: ClaimMode
}

declare global {
  interface Window {
    weir: ConsoleApi
  }
}

export function createConsoleApi(cluster: Cluster, holder: DocumentHolder): ConsoleApi {
  const load = (job: JobDocument | string): JobDocument => {
    const document = typeof job === 'string' ? builtinJob(job) : job
    const problems = checkJobShape(document)
    if (problems.length > 0) throw new Error(describeProblems('not a job document, nor the name of a built-in job', problems))
    holder.set(structuredClone(document))
    return holder.get()
  }
  const act = <T>(call: () => Promise<T>) => async (): Promise<T> => {
    if (cluster.status.role === 'watching') throw new Error('another tab leads the cluster; this one only watches')
    return call()
  }
  return {
    load,
    job: () => structuredClone(holder.get()),
    start: async (options = {}) => {
      const result = await cluster.start(holder.get(), startOptions(options))
      if (result.ok) return result.job
      throw new Error(result.problems.map(({ path, message, cure }) => `${path}: ${message} ${cure}`).join('\n'))
    },
    cancel: act(() => cluster.cancel()),
    savepoint: (options = {}) => act(() => cluster.triggerSavepoint(checkedSavepoint(options)))(),
    stop: (options = {}) => act(() => cluster.stopWithSavepoint({ ...checkedSavepoint(options), drain: options.drain ?? false }))(),
    dispose: (path) => act(() => cluster.disposeSavepoint(path))(),
    open: (path) => cluster.desk.open({ kind: 'stored', path }),
    desk: cluster.desk,
    pace: (pace) => act(() => cluster.setPace(pace))(),
    rest: async (path, init = {}) => {
      const { status, body } = await cluster.rest({ path, ...init })
      if (status < 400) return body
      throw new Error(`${status}: ${JSON.stringify(body)}`)
    },
    inject: (fault) => act(() => cluster.inject(fault))(),
    until: (condition, { timeout = DEFAULT_TIMEOUT_MS, since } = {}) => until(cluster, condition, { timeout, since: since ?? null }),
    sink: async (uid, { isolation = 'committed' } = {}) => {
      const view = await cluster.sink(uid, ALL_ROWS)
      return isolation === 'committed' ? view.committed : view.uncommitted
    },
    state: (uid) => cluster.state(uid),
    events: ({ since = 0 } = {}) => cluster.events(since),
    files: (path = '/') => readFiles(cluster, path),
    inspect: (checkpointId) => cluster.inspectCheckpoint(checkpointId),
    run: async (scenario) => {
      const parsed = parseScenario(typeof scenario === 'string' ? JSON.parse(scenario) : structuredClone(scenario))
      if (!parsed.ok) throw new Error(describeProblems('not a scenario document', parsed.error))
      const job = load(parsed.value.job)
      return runScenario(cluster, parsed.value, job)
    },
    status: () => cluster.status,
  }
}

/** Throws for what is no way to start, with the place: a misspelt option would start the job from nothing. */
function startOptions(options: ConsoleStartOptions): StartOptions {
  refuseUnknown(options, ['seed', 'fromSavepoint', 'allowNonRestoredState', 'claimMode'])
  const { seed, fromSavepoint, allowNonRestoredState, claimMode } = options
  if (fromSavepoint === undefined) {
    const needless = allowNonRestoredState !== undefined ? 'allowNonRestoredState' : claimMode !== undefined ? 'claimMode' : null
    if (needless !== null) throw new Error(`/${needless}: there is nothing to restore; give fromSavepoint as well`)
    return seed === undefined ? {} : { seed }
  }
  if (typeof fromSavepoint !== 'string' || fromSavepoint === '') throw new Error('/fromSavepoint: not a path; give the directory of a savepoint or checkpoint')
  if (allowNonRestoredState !== undefined && typeof allowNonRestoredState !== 'boolean') throw new Error('/allowNonRestoredState: write true or false')
  if (claimMode !== undefined && !CLAIM_MODES.includes(claimMode)) throw new Error(`/claimMode: unknown value ${JSON.stringify(claimMode)}; one of ${CLAIM_MODES.join(', ')}`)
  const restore = { path: fromSavepoint, allowNonRestoredState: allowNonRestoredState ?? false, claimMode: claimMode ?? 'NO_CLAIM' }
  return { restore, ...(seed === undefined ? {} : { seed }) }
}

function checkedSavepoint<T extends SavepointOptions>(options: T): SavepointOptions {
  refuseUnknown(options, ['format', 'directory', 'drain'])
  const { format, directory } = options
  if (format !== undefined && format !== 'CANONICAL' && format !== 'NATIVE') throw new Error(`/format: unknown value ${JSON.stringify(format)}; one of CANONICAL, NATIVE`)
  return { ...(format === undefined ? {} : { format }), ...(directory === undefined ? {} : { directory }) }
}

function refuseUnknown(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new Error(`/${unknown}: unknown field; one of ${known.join(', ')}`)
}

function builtinJob(name: string): JobDocument {
  const document = BUILTIN_JOBS[name]
  if (document !== undefined) return document
  throw new Error(`there is no built-in job "${name}"; there are: ${Object.keys(BUILTIN_JOBS).join(', ')}`)
}
