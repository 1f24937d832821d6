import type { EngineEvent } from '../model/events.ts'
import type { TraceEvent } from '../model/trace.ts'
import type { EventChecker } from './checker.ts'

/**
 * Stop with savepoint (behaviour 13.2): a source that has stopped reads nothing more; a task that has its part of the savepoint finishes only once
 * that is complete, and never when it has been aborted.
 */
export class StopWithSavepointOrder implements EventChecker {
  readonly invariant = 'stop-with-savepoint'
  /** By attempt: the savepoint. */
  private stopped = new Set<string>()
  private waiting = new Map<string, number>()
  private completed = new Set<number>()

  startJob(): void {
    this.stopped.clear()
    this.waiting.clear()
    this.completed.clear()
  }

  check(event: EngineEvent): string | null {
    const body = event.body
    switch (body.type) {
      case 'SourceStopped':
        this.stopped.add(body.attempt)
        return null
      case 'SynchronousSavepointAwaited':
        this.waiting.set(body.attempt, body.checkpointId)
        return null
      case 'CheckpointCompleted':
        if (body.stops === true) this.completed.add(body.checkpointId)
        return null
      case 'TaskStateChanged': {
        const savepoint = this.waiting.get(body.attempt)
        if (body.to !== 'FINISHED' || savepoint === undefined || this.completed.has(savepoint)) return null
        return `${body.attempt} finished before savepoint ${savepoint} was complete`
      }
      default:
        return null
    }
  }

  checkTrace(trace: TraceEvent): string | null {
    return trace.type === 'read' && this.stopped.has(trace.attempt) ? `${trace.attempt} read a record after it had stopped for a savepoint` : null
  }
}
