/**
 * The JobManager machine: takes inputs and the engine time, answers with effects. Flink: Dispatcher and JobMaster in one, since a
 * cluster here runs one job at a time.
 */
import type { FencingToken, JobId } from '../model/ids.ts'
import type { JobStatus } from '../model/execution.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { EngineTime } from '../model/time.ts'
import type { JobManagerOptions } from './job-manager-options.ts'
import type { JobManagerInput, JobManagerOut } from './jobmaster-io.ts'
import type { ExecutionView } from './execution-view.ts'
import type { RestAnswer, RestRequest } from './rest/rest-types.ts'

export class JobManager {
  private readonly options: JobManagerOptions

  constructor(options: JobManagerOptions) {
    this.options = options
  }

  /** Takes one input. Every effect of it has been called on `out` when this returns. */
  handle(input: JobManagerInput, now: EngineTime, out: JobManagerOut): void {
    void this.options
    void now
    void out
    throw new Error(`not ready: ${input.type}`)
  }

  /** Answers as Flink's REST API; changes nothing by itself (see `RestAnswer.input`). */
  rest(request: RestRequest, _now: EngineTime): RestAnswer {
    return { status: 404, body: { errors: [`Unable to load requested file ${request.path}.`] } }
  }

  /** The job that runs, or ran last. */
  get jobId(): JobId | null {
    return null
  }

  /** Null: no job yet. */
  get status(): JobStatus | null {
    return null
  }

  /** Null: not the leader. */
  get token(): FencingToken | null {
    return null
  }

  get graph(): JobGraph | null {
    return null
  }

  /** The current execution of every subtask, in order of vertex and subtask. */
  get executions(): readonly ExecutionView[] {
    return []
  }
}
