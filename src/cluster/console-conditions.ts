/** What `weir.until` can wait for: an event, a status, or whatever a function says. */
import type { EngineEvent, EventType } from '../../workers/model/events.ts'
import type { JobStatus } from '../../workers/model/execution.ts'
import type { Cluster, ClusterStatus } from './cluster-types.ts'
import { DeadlineExceeded } from './deadline.ts'

export type UntilCondition =
  /** The first event of that type, from now on, whose other fields have these values. */
  | ({ readonly event: EventType } & Readonly<Record<string, unknown>>)
  | { readonly status: JobStatus }
  | ((event: EngineEvent) => boolean)

/** Resolves with the event, or the status. `timeout` in wall milliseconds. */
export function until(cluster: Cluster, condition: UntilCondition, timeout: number): Promise<EngineEvent | ClusterStatus> {
  return new Promise((resolve, reject) => {
    let stop: (() => void) | null = null
    const timer = setTimeout(() => {
      stop?.()
      reject(new DeadlineExceeded(`${describe(condition)}: not seen within ${timeout / 1000} s`))
    }, timeout)
    const done = (value: EngineEvent | ClusterStatus): void => {
      clearTimeout(timer)
      stop?.()
      resolve(value)
    }
    if (typeof condition === 'object' && 'status' in condition) {
      let seen = false
      stop = cluster.onStatus((status) => {
        if (seen || status.job?.status !== condition.status) return
        seen = true
        done(status)
      })
      if (seen) stop()
      return
    }
    const matches = typeof condition === 'function' ? condition : eventMatcher(condition as { readonly event: EventType })
    // What had happened already may only now be on its way here: its time says so.
    const from = cluster.engineNow()
    stop = cluster.onLog(({ events }) => {
      const found = events.find((event) => event.at >= from && matches(event))
      if (found !== undefined) done(found)
    })
  })
}

function eventMatcher(condition: { readonly event: EventType }): (event: EngineEvent) => boolean {
  const { event: type, ...fields } = condition as { readonly event: EventType } & Record<string, unknown>
  return ({ body }) =>
    body.type === type && Object.entries(fields).every(([name, value]) => (body as unknown as Record<string, unknown>)[name] === value)
}

const describe = (condition: UntilCondition): string =>
  typeof condition === 'function' ? 'the condition' : JSON.stringify(condition)
