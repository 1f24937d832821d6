/**
 * How a task spends engine time: busy, idle, back-pressured, which add up to the time since it is RUNNING. Flink: TaskIOMetricGroup's gauges
 * (behaviour 8.4); output is looked at first, so a task with neither input nor output is back-pressured.
 */
import type { EngineTime } from '../model/time.ts'
import type { WaitingState } from './task-io.ts'

type Bucket = 'none' | 'busy' | 'idle' | 'backpressured'

export class TimeAccounting {
  busyMicros: EngineTime = 0
  idleMicros: EngineTime = 0
  backpressuredMicros: EngineTime = 0
  private since: EngineTime = 0
  private bucket: Bucket = 'none'

  /** Books the time up to now under what the task has been doing. */
  account(now: EngineTime): void {
    const elapsed = now - this.since
    this.since = now
    if (elapsed <= 0) return
    if (this.bucket === 'busy') this.busyMicros += elapsed
    else if (this.bucket === 'idle') this.idleMicros += elapsed
    else if (this.bucket === 'backpressured') this.backpressuredMicros += elapsed
  }

  /** What the task does from now on. */
  enter(waiting: WaitingState['kind'], isFinal: boolean): void {
    switch (waiting) {
      case 'ready':
      case 'busyUntil':
        this.bucket = 'busy'
        break
      case 'awaiting':
        this.bucket = isFinal ? 'idle' : 'busy'
        break
      case 'inputEmpty':
        this.bucket = 'idle'
        break
      case 'outputUnavailable':
        this.bucket = 'backpressured'
        break
      case 'ended':
        this.bucket = 'none'
        break
    }
  }

  stop(): void {
    this.bucket = 'none'
  }
}
