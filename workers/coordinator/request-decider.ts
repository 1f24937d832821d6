/**
 * Decides when a requested checkpoint may be triggered. Flink: CheckpointRequestDecider (behaviour 2.2). Pure policy: the state of the
 * coordinator comes in with each question, the answer is at most one request.
 */
import { must } from '../base/assert.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointRequest } from './checkpoint-request.ts'

export const MAX_QUEUED_REQUESTS = 1000

export interface DeciderEnvironment {
  readonly now: EngineTime
  /** A trigger is being prepared: plan made, tasks not yet told. */
  readonly isTriggering: boolean
  readonly pending: number
  /** Checkpoints whose files are being deleted. */
  readonly cleaning: number
  readonly maxConcurrent: number
  readonly minPauseMicros: EngineTime
  /** -Infinity: none has completed yet. */
  readonly lastCompletion: EngineTime
}

export type Decision =
  | { readonly type: 'wait' }
  | { readonly type: 'execute'; readonly request: CheckpointRequest }
  /** Dropped for min-pause; the periodic timer is to fire at `retryAt`. */
  | { readonly type: 'too-early'; readonly request: CheckpointRequest; readonly retryAt: EngineTime }

export class RequestDecider {
  private readonly max: number
  private readonly queue: CheckpointRequest[] = []

  constructor(max = MAX_QUEUED_REQUESTS) {
    this.max = max
  }

  get queued(): number {
    return this.queue.length
  }

  /** Puts a request in its place. Returns the one that had to give way in a full queue (TOO_MANY_CHECKPOINT_REQUESTS), or null. */
  enqueue(request: CheckpointRequest): CheckpointRequest | null {
    let at = this.queue.length
    while (at > 0 && ranksBefore(request, must(this.queue[at - 1], 'queued request'))) at--
    this.queue.splice(at, 0, request)
    return this.queue.length > this.max ? (this.queue.pop() ?? null) : null
  }

  /** Asked after every event: a new request, the end of a trigger, of a checkpoint, of a clean-up. */
  choose(environment: DeciderEnvironment): Decision {
    const head = this.queue[0]
    if (head === undefined || environment.isTriggering || environment.cleaning > environment.maxConcurrent) return { type: 'wait' }
    if (environment.pending >= environment.maxConcurrent) return head.forced ? this.release() : { type: 'wait' }
    if (head.periodic && !head.forced) {
      const retryAt = environment.lastCompletion + environment.minPauseMicros
      if (retryAt > environment.now) {
        this.queue.shift()
        return { type: 'too-early', request: head, retryAt }
      }
    }
    return this.release()
  }

  /** Empties the queue: the job has left RUNNING. */
  drain(): readonly CheckpointRequest[] {
    return this.queue.splice(0)
  }

  private release(): Decision {
    return { type: 'execute', request: must(this.queue.shift(), 'queued request') }
  }
}

/** Savepoints first, then forced, then by hand before periodic, then the older; of equal age, the one that came first. */
function ranksBefore(a: CheckpointRequest, b: CheckpointRequest): boolean {
  if (a.savepoint !== b.savepoint) return a.savepoint
  if (a.forced !== b.forced) return a.forced
  if (a.periodic !== b.periodic) return b.periodic
  return a.requestedAt < b.requestedAt
}
