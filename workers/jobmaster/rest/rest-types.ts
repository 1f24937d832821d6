/** What goes into and comes out of the REST answers (behaviour 19.2). */
import type { JobManagerInput } from '../jobmaster-io.ts'

export interface RestRequest {
  /** With the query, without a host: `/jobs/:jobid?mode=cancel`. */
  readonly path: string
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
}

export interface RestAnswer {
  readonly status: number
  /** Plain JSON. A Long beyond 2^53 stays the number nearest to it, as `JSON.parse` would give it. */
  readonly body: unknown
  /** The call acts: the host must feed this to `handle` after it has taken the answer. */
  readonly input?: JobManagerInput
}
