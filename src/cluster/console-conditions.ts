/** What `weir.until` can wait for: an event, a status, or whatever a function says. */
import type { EngineEvent, EventType } from '../../workers/model/events.ts'
import type { JobStatus } from '../../workers/model/execution.ts'
import type { LoggedEvent } from '../../workers/hosts/browser/messages.ts'
import type { Cluster, ClusterStatus } from './cluster-types.ts'
import { DeadlineExceeded } from './deadline.ts'

export type UntilCondition =
  /** The first event of that type, from now on, whose other fields have these values. */
  | ({ readonly event: EventType } & Readonly<Record<string, unknown>>)
  | { readonly status: JobStatus }
  | ((event: EngineEvent) => boolean)

export interface UntilOptions {
  /** Wall milliseconds. */
  readonly timeout: number
  /** A position in the log: events after it count, also those that have happened already. Absent: events from now on. */
  readonly since: number | null
}

/** Resolves with the event, or the status. */
export function until(cluster: Cluster, condition: UntilCondition, options: UntilOptions): Promise<LoggedEvent | ClusterStatus> {
  if (typeof condition === 'object' && 'status' in condition) return untilStatus(cluster, condition.status as JobStatus, options.timeout)
  const matches = typeof condition === 'function' ? condition : eventMatcher(condition as { readonly event: EventType })
  return untilEvent(cluster, { matches, what: describe(condition) }, options)
}

function untilStatus(cluster: Cluster, status: JobStatus, timeout: number): Promise<ClusterStatus> {
  return settleBy(timeout, `status ${status}`, (done) =>
    cluster.onStatus((now) => {
      if (now.job?.status === status) done(now)
    }),
  )
}

function untilEvent(
  cluster: Cluster,
  { matches, what }: { readonly matches: (event: EngineEvent) => boolean; readonly what: string },
  { timeout, since }: UntilOptions,
): Promise<LoggedEvent> {
  // What happened before may only now be on its way here: its time says so.
  const from = since === null ? cluster.engineNow() : -Infinity
  return settleBy(timeout, what, (done, fail) => {
    const look = (events: readonly LoggedEvent[]): void => {
      const found = events.find((event) => event.position > (since ?? 0) && event.at >= from && matches(event))
      if (found !== undefined) done(found)
    }
    const stop = cluster.onLog(({ events }) => look(events))
    if (since !== null) cluster.events(since).then(look, fail)
    return stop
  })
}

/** One listener, one deadline, one end. */
function settleBy<T>(
  timeout: number,
  what: string,
  listen: (done: (value: T) => void, fail: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let ended = false
    let stop: (() => void) | null = null
    const end = (): void => {
      ended = true
      clearTimeout(timer)
      stop?.()
    }
    const timer = setTimeout(() => {
      end()
      reject(new DeadlineExceeded(`${what}: not seen within ${timeout / 1000} s`))
    }, timeout)
    stop = listen(
      (value) => {
        if (ended) return
        end()
        resolve(value)
      },
      (error) => {
        end()
        reject(error instanceof Error ? error : new Error(String(error)))
      },
    )
    if (ended) stop()
  })
}

function eventMatcher(condition: { readonly event: EventType }): (event: EngineEvent) => boolean {
  const { event: type, ...fields } = condition as { readonly event: EventType } & Record<string, unknown>
  return ({ body }) =>
    body.type === type && Object.entries(fields).every(([name, value]) => (body as unknown as Record<string, unknown>)[name] === value)
}

const describe = (condition: UntilCondition): string =>
  typeof condition === 'function' ? 'the condition' : JSON.stringify(condition)
