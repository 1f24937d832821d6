import type { EngineEvent } from '../model/events.ts'
import type { EventChecker } from './checker.ts'

/** An event names only attempts that the JobManager has made, TaskManagers that have registered, and its own attempt as source. */
export class References implements EventChecker {
  readonly invariant = 'references'
  private attempts = new Set<string>()
  private taskManagers = new Set<string>()

  startJob(): void {
    this.attempts.clear()
  }

  check(event: EngineEvent): string | null {
    const body = event.body
    if (body.type === 'TaskManagerRegistered') this.taskManagers.add(body.taskManager)
    if (body.type === 'TaskStateChanged') {
      this.attempts.add(body.attempt)
      const manager = body.taskManager
      if (manager !== null && !this.taskManagers.has(manager)) return `${body.attempt} is on ${manager}, which never registered`
    }
    if (body.type === 'TaskManagerLost' && !this.taskManagers.has(body.taskManager)) return `${body.taskManager} was lost and never registered`
    if (!('attempt' in body)) return null
    if (!this.attempts.has(body.attempt)) return `${body.type} names attempt ${body.attempt}, which the JobManager never made`
    if (event.source !== 'jobmanager' && event.source !== body.attempt) return `${event.source} speaks for ${body.attempt}`
    return null
  }
}
