/**
 * The effects of the JobManager for the time of one input, and the storage requests that are under way. A request remembers what its reply
 * means as plain data, so that a copy of the machine goes on like the original.
 */
import { assert, must } from '../base/assert.ts'
import type { CoordinatorStorageStep } from '../coordinator/coordinator-port.ts'
import type { EventBody } from '../model/events.ts'
import type { JobId } from '../model/ids.ts'
import type { StorageOp } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import type { RecoveryStep } from './high-availability/recovery-step.ts'
import type { JobManagerOut } from './jobmaster-io.ts'

export type StorageStep =
  | { readonly owner: 'coordinator'; readonly job: JobId; readonly step: CoordinatorStorageStep }
  | { readonly owner: 'recovery'; readonly step: RecoveryStep }
  | { readonly owner: 'submission'; readonly job: JobId }
  /** Of the snapshot that the job is to be started from (restore-loading.ts). */
  | { readonly owner: 'restore'; readonly job: JobId }
  | { readonly owner: 'disposal'; readonly triggerId: string }
  /** Nothing follows from the reply. */
  | { readonly owner: 'nobody' }

export class MachineContext {
  now: EngineTime = 0
  private current: JobManagerOut | null = null
  private nextRequest = 1
  private readonly requests = new Map<number, StorageStep>()

  enter(now: EngineTime, out: JobManagerOut): void {
    assert(this.current === null, 'the JobManager was entered while it was at work')
    this.now = now
    this.current = out
  }

  leave(): void {
    this.current = null
  }

  get out(): JobManagerOut {
    return must(this.current, 'an input that is being handled')
  }

  event(body: EventBody): void {
    this.out.event(body)
  }

  storage(op: StorageOp, step: StorageStep): void {
    const requestId = this.nextRequest++
    this.requests.set(requestId, step)
    this.out.storage(requestId, op)
  }

  /** What the reply to that request means; null for a request of an earlier leader. */
  take(requestId: number): StorageStep | null {
    const step = this.requests.get(requestId) ?? null
    this.requests.delete(requestId)
    return step
  }

  /** Replies to what was asked so far mean nothing any more. */
  forgetRequests(): void {
    this.requests.clear()
  }
}
