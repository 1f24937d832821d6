/**
 * What all parts of one task share: the time of the input being handled, the way out, and the record in work. `enter` and `leave` frame every
 * call of the host, so that nothing of the host stays behind in the machine (base/clone.ts).
 */
import { must } from '../base/assert.ts'
import { taskNameWithSubtask } from '../checkpointing/checkpoint-words.ts'
import type { TaskDeployment } from '../model/deployment.ts'
import type { EventBody } from '../model/events.ts'
import type { FailureInfo } from '../model/execution.ts'
import type { CheckpointId, ExecutionAttemptId } from '../model/ids.ts'
import type { TaskMessage } from '../model/control.ts'
import type { OutsideOp } from '../model/outside.ts'
import type { StorageOp } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import type { TraceEvent } from '../model/trace.ts'
import type { ChannelFeedback, ChannelMessage, Lineage } from '../model/wire.ts'
import { TaskWords } from '../network/task-words.ts'
import type { TransportEffects } from '../network/transport-effects.ts'
import { UNKNOWN_LINEAGE } from '../network/transport-effects.ts'
import type { TaskEventBody } from '../operators/operator.ts'
import type { TaskOut } from './task-io.ts'

/** Branches of one record are told apart up to this number. */
const BRANCHES = 1000

export class TaskEffects implements TransportEffects {
  now: EngineTime = 0
  traced: boolean
  /** The record in hand costs engine time until then; no other is taken before. */
  busyUntil: EngineTime = 0
  /** Where the record in work came from; null while untraced or between records. */
  origin: Lineage | null = null
  /** The last barrier passed on, or the checkpoint that was restored. */
  lastBarrier: CheckpointId
  /** Asked for by an operator: the task fails when it has come back from the call. */
  failure: FailureInfo | null = null
  readonly words = new TaskWords()
  readonly attempt: ExecutionAttemptId
  readonly subtask: number
  /** With subtask and attempt, as Flink writes it. */
  readonly taskName: string
  private readonly deployment: TaskDeployment
  private out: TaskOut | null = null
  private branches = 0
  private lastRequest = 0

  constructor(deployment: TaskDeployment) {
    this.deployment = deployment
    this.attempt = deployment.attempt
    this.subtask = deployment.subtask
    this.taskName = taskNameWithSubtask(deployment)
    this.traced = deployment.traced
    this.lastBarrier = deployment.restore?.checkpointId ?? 0
  }

  enter(now: EngineTime, out: TaskOut): void {
    this.now = now
    this.out = out
  }

  leave(): void {
    this.out = null
  }

  send(output: number, message: ChannelMessage): void {
    this.host().send(output, message)
  }

  feedback(channel: number, feedback: ChannelFeedback): void {
    this.host().feedback(channel, feedback)
  }

  trace(event: TraceEvent): void {
    this.host().trace(event)
  }

  toJobManager(message: TaskMessage): void {
    this.host().toJobManager(message)
  }

  setTimer(timer: string, at: EngineTime): void {
    this.host().setTimer(timer, at)
  }

  clearTimer(timer: string): void {
    this.host().clearTimer(timer)
  }

  storage(op: StorageOp): number {
    this.lastRequest++
    this.host().storage(this.lastRequest, op)
    return this.lastRequest
  }

  outside(op: OutsideOp): number {
    this.lastRequest++
    this.host().outside(this.lastRequest, op)
    return this.lastRequest
  }

  /** Adds where it happened. */
  event(body: TaskEventBody): void {
    const { attempt, vertex, subtask } = this.deployment
    this.host().event({ ...body, attempt, vertex, subtask } as EventBody)
  }

  beginRecord(origin: Lineage | null): void {
    this.origin = origin
    this.branches = 0
  }

  /** The first output inherits the lineage; those after it get branch numbers of their own. */
  nextLineage(): Lineage {
    const { origin } = this
    if (origin === null) return UNKNOWN_LINEAGE
    const branch = this.branches
    this.branches++
    return branch === 0 ? origin : { ...origin, branch: origin.branch * BRANCHES + branch }
  }

  private host(): TaskOut {
    return must(this.out, 'the host: effects belong into a call of it')
  }
}
