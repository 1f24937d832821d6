/**
 * How a task spends engine time: busy, idle, back-pressured, which add up to the time since it is RUNNING. Flink: TaskIOMetricGroup's gauges
 * (behaviour 8.4); output is looked at first, so a task with neither input nor output is back-pressured. Back-pressured is hard while the task is blocked
 * inside of a record, whose output has used up the overdraft too; else soft.
 */
import type { EngineTime } from '../model/time.ts'
import type { WaitingState } from './task-io.ts'

type Bucket = 'none' | 'busy' | 'idle' | 'soft' | 'hard'

export class TimeAccounting {
  busyMicros: EngineTime = 0
  idleMicros: EngineTime = 0
  softBackpressuredMicros: EngineTime = 0
  hardBackpressuredMicros: EngineTime = 0
  /** Longest times without a break since `forgetLongest`; one that goes on counts from its beginning. */
  longestSoftMicros: EngineTime = 0
  longestHardMicros: EngineTime = 0
  private since: EngineTime = 0
  private bucket: Bucket = 'none'
  private bucketSince: EngineTime = 0

  get backpressuredMicros(): EngineTime {
    return this.softBackpressuredMicros + this.hardBackpressuredMicros
  }

  /** Books the time up to now under what the task has been doing. */
  account(now: EngineTime): void {
    const elapsed = now - this.since
    this.since = now
    if (elapsed <= 0) return
    if (this.bucket === 'busy') this.busyMicros += elapsed
    else if (this.bucket === 'idle') this.idleMicros += elapsed
    else if (this.bucket === 'soft') {
      this.softBackpressuredMicros += elapsed
      this.longestSoftMicros = Math.max(this.longestSoftMicros, now - this.bucketSince)
    } else if (this.bucket === 'hard') {
      this.hardBackpressuredMicros += elapsed
      this.longestHardMicros = Math.max(this.longestHardMicros, now - this.bucketSince)
    }
  }

  /** What the task does from now on. `isBlocked`: inside of a record. */
  enter(waiting: WaitingState['kind'], isFinal: boolean, isBlocked: boolean): void {
    switch (waiting) {
      case 'ready':
      case 'busyUntil':
        this.change('busy')
        break
      case 'awaiting':
        this.change(isFinal ? 'idle' : 'busy')
        break
      case 'inputEmpty':
        this.change('idle')
        break
      case 'outputUnavailable':
        this.change(isBlocked ? 'hard' : 'soft')
        break
      case 'ended':
        this.change('none')
        break
    }
  }

  stop(): void {
    this.change('none')
  }

  forgetLongest(): void {
    this.longestSoftMicros = 0
    this.longestHardMicros = 0
  }

  private change(bucket: Bucket): void {
    if (bucket === this.bucket) return
    this.bucket = bucket
    this.bucketSince = this.since
  }
}
