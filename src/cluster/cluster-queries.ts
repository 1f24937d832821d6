/** What can be asked of the cluster without changing it. Each question has a deadline: whoever is asked may be killed meanwhile. */
import type { JobId, TaskManagerId } from '../../workers/model/ids.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { TopicContent } from '../../workers/model/outside.ts'
import type { TaskReport } from '../../workers/model/report.ts'
import type { FileEntry } from '../../workers/model/storage.ts'
import type { LoggedEvent } from '../../workers/hosts/browser/messages.ts'
import type { InspectedCheckpoint, JobManagerView, RestAnswerJson, RestCall } from '../../workers/hosts/browser/requests.ts'
import type { Cluster, ClusterStatus, StateRow } from './cluster-types.ts'
import { withDeadline } from './deadline.ts'
import type { ResourceManager } from './resource-manager.ts'
import type { ClusterServices } from './services.ts'

const SINK_ROWS = 200
const EVENTS_PER_CALL = 20_000

export abstract class ClusterQueries {
  abstract readonly status: ClusterStatus
  abstract readonly document: JobDocument | null
  protected abstract readonly taskManagers: ResourceManager
  abstract view(): Promise<JobManagerView>
  abstract rest(call: RestCall): Promise<RestAnswerJson>
  /** Waits until it is known who leads; rejects while this tab does not, and when the engine is dead. */
  protected abstract engine(): Promise<ClusterServices>

  async sink(uid: string, limit = SINK_ROWS): Promise<Awaited<ReturnType<Cluster['sink']>>> {
    const operator = this.document?.operators.find((candidate) => candidate.uid === uid)
    if (operator === undefined) throw new Error(`there is no operator with the uid "${uid}"`)
    return withDeadline((await this.engine()).outsideSurface.sink(uid, limit), `reading the sink ${uid}`)
  }

  async state(uid: string): Promise<readonly StateRow[]> {
    const view = await this.view()
    const vertex = view.graph?.vertices.find(({ chain }) => chain.some((operator) => operator.uid === uid))
    if (vertex === undefined) throw new Error(`there is no operator with the uid "${uid}"`)
    const parts = view.executions
      .filter((execution) => execution.vertex === vertex.id && execution.taskManager !== null)
      .map(async ({ subtask, attempt, taskManager }) => {
        const rows = await withDeadline(this.taskManagers.queryState(taskManager as TaskManagerId, attempt, uid), `the state of ${uid}`)
        return (rows ?? []).map((row) => ({ ...row, subtask }))
      })
    return (await Promise.all(parts)).flat()
  }

  async topics(): Promise<readonly TopicContent[]> {
    return withDeadline((await this.engine()).outsideSurface.topics(), 'reading the topics')
  }

  async events(since: number): Promise<readonly LoggedEvent[]> {
    const all: LoggedEvent[] = []
    for (let position = since; ; ) {
      const batch = await withDeadline((await this.engine()).observerSurface.eventsSince(position, EVENTS_PER_CALL), 'reading the log')
      all.push(...batch)
      const last = batch.at(-1)
      if (last === undefined || batch.length < EVENTS_PER_CALL) return all
      position = last.position
    }
  }

  async reports(): Promise<readonly TaskReport[]> {
    return withDeadline((await this.engine()).observerSurface.reports(), 'reading the reports')
  }

  async files(path: string): Promise<Awaited<ReturnType<Cluster['files']>>> {
    return withDeadline((await this.engine()).storageSurface.files(path), `listing ${path}`)
  }

  async readFile(path: string): Promise<Uint8Array> {
    return withDeadline((await this.engine()).storageSurface.read(path), `reading ${path}`)
  }

  async inspectCheckpoint(checkpointId: number): Promise<InspectedCheckpoint> {
    const { job } = this.status
    if (job === null) throw new Error('there is no job')
    const answer = await this.rest({ path: `/jobs/${job.id}/checkpoints/details/${checkpointId}` })
    const path = (answer.body as { readonly external_path?: unknown }).external_path
    if (answer.status !== 200 || typeof path !== 'string') {
      throw new Error(`checkpoint ${checkpointId} is not a completed one; ${retainedIn(await this.files('/'), job.id)}`)
    }
    if (path.startsWith('<')) throw new Error(`checkpoint ${checkpointId} is in the JobManager's memory alone: name execution.checkpointing.dir to have files`)
    try {
      return await withDeadline((await this.engine()).storageSurface.inspect(path), `reading checkpoint ${checkpointId}`)
    } catch (error) {
      // A newer one may have subsumed it meanwhile: the JobManager still knows of it, and its files are gone.
      const files = await this.files('/')
      if (files.some((file) => file.path === `${path}/_metadata`)) throw error
      throw new Error(`checkpoint ${checkpointId} is not retained any more; ${retainedIn(files, job.id)}`, { cause: error })
    }
  }
}

/** In words: the checkpoints of the job that have their files. */
export function retainedIn(files: readonly FileEntry[], job: JobId): string {
  const ids = files.flatMap(({ path }) => {
    const found = path.match(/\/([^/]+)\/chk-(\d+)\/_metadata$/)
    return found?.[1] === job ? [Number(found[2])] : []
  })
  return ids.length === 0 ? 'none is retained' : `retained: ${ids.toSorted((a, b) => a - b).join(', ')}`
}
