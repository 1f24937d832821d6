/** `window.weir`: the playground for people who script it. Documented in docs/CONSOLE-API.md. */
import { BUILTIN_JOBS } from '../../workers/model/builtin-jobs/builtin-jobs.ts'
import { checkJobShape } from '../../workers/model/compile/job-shape.ts'
import type { JobId } from '../../workers/model/ids.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Value } from '../../workers/model/schema.ts'
import type { Fault, ScenarioDocument, ScenarioReport } from '../../workers/model/scenario-document.ts'
import type { LoggedEvent } from '../../workers/hosts/browser/messages.ts'
import type { InspectedCheckpoint } from '../../workers/hosts/browser/requests.ts'
import type { Cluster, ClusterStatus, StateRow } from './cluster-types.ts'
import { until, type UntilCondition } from './console-conditions.ts'
import { describeProblems } from './describe-problems.ts'
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
  start(options?: { readonly seed?: number }): Promise<JobId>
  cancel(): Promise<void>
  pace(pace: number | 'story'): Promise<void>
  rest(path: string, init?: { readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'; readonly body?: unknown }): Promise<unknown>
  inject(fault: Fault): Promise<void>
  until(condition: UntilCondition, options?: { readonly timeout?: number; readonly since?: number }): Promise<LoggedEvent | ClusterStatus>
  sink(uid: string, options?: { readonly isolation?: 'committed' | 'uncommitted' }): Promise<readonly Value[]>
  state(uid: string): Promise<readonly StateRow[]>
  events(options?: { readonly since?: number }): Promise<readonly LoggedEvent[]>
  files(path?: string): Promise<readonly { readonly path: string; readonly size: number; readonly bytes: Uint8Array }[]>
  inspect(checkpointId: number): Promise<InspectedCheckpoint>
  run(scenario: ScenarioDocument | string): Promise<ScenarioReport>
  status(): ClusterStatus
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
      const result = await cluster.start(holder.get(), options)
      if (result.ok) return result.job
      throw new Error(result.problems.map(({ path, message, cure }) => `${path}: ${message} ${cure}`).join('\n'))
    },
    cancel: act(() => cluster.cancel()),
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
    files: async (path = '/') => {
      const entries = await cluster.files(path)
      return Promise.all(entries.map(async (entry) => ({ path: entry.path, size: entry.size, bytes: await cluster.readFile(entry.path) })))
    },
    inspect: (checkpointId) => cluster.inspectCheckpoint(checkpointId),
    run: async (scenario) => {
      const document = typeof scenario === 'string' ? (JSON.parse(scenario) as ScenarioDocument) : scenario
      const job = load(document.job)
      return runScenario(cluster, document, job)
    },
    status: () => cluster.status,
  }
}

function builtinJob(name: string): JobDocument {
  const document = BUILTIN_JOBS[name]
  if (document !== undefined) return document
  throw new Error(`there is no built-in job "${name}"; there are: ${Object.keys(BUILTIN_JOBS).join(', ')}`)
}
