/**
 * The stream task machine: one chain of operators between input gates and result partitions. Flink: StreamTask. Deterministic, never blocks,
 * copied by base/clone.ts.
 *
 * How a host drives it:
 * 1. `new StreamTask(deployment, environment)`, then `handle({ type: 'start' }, now, out)`. Messages and feedback may come before `start`.
 * 2. Every message, feedback, command, reply and timer goes to `handle`, in the order of its arrival per channel.
 * 3. After every `handle` and every `run`, ask `waiting(now)`: call `run(budget, now, out)` while it says `ready` (let messages in
 *    between two calls). In every other state an input has to come first; for `busyUntil` it is the timer `busy`, which the task has set.
 * 4. `background(budget, now, out)` is the asynchronous part of snapshots. Call it while `hasBackgroundWork`: between two `run`s and when
 *    idle, also while the task is blocked, back-pressured or awaiting something.
 * 5. `report(now)` a few times a second. After `ended` nothing has an effect any more, and the worker may be dropped.
 * `now` never goes back. `out` is used during the call only. An AssertionError that comes out of a call is a bug of the engine: stop the
 * machine and keep the log. Every other exception has become a task failure.
 */
import { AssertionError } from '../base/assert.ts'
import type { TaskCommand } from '../model/control.ts'
import type { ChannelDelays, ChannelRates, LiveSettings } from '../model/live-settings.ts'
import type { TaskDeployment } from '../model/deployment.ts'
import type { ExecutionState, FailureInfo } from '../model/execution.ts'
import type { KeyedStateReport, TaskReport } from '../model/report.ts'
import type { EngineTime } from '../model/time.ts'
import { keyedEntries, operatorReport } from './task-report.ts'
import { TaskLife } from './task-life.ts'
import { taskMetrics } from './task-metrics.ts'
import type { StreamTaskEnvironment } from './task-environment.ts'
import type { TaskInput, TaskOut, WaitingState } from './task-io.ts'
import { buildTask } from './build-task.ts'
import type { TaskParts } from './build-task.ts'
import { OPERATOR_TIMER } from './chain-node.ts'
import { LINK_TIMER } from '../network/rated-link.ts'
import { DEBLOAT_TIMER } from './buffer-debloating.ts'
import { ALIGNMENT_TIMER } from './checkpoint-mediator.ts'
import { STORAGE_TIMER } from '../checkpointing/async-checkpoint-queue.ts'
import { OUTPUT_ALIGNMENT_TIMER } from '../checkpointing/subtask-checkpoint-coordinator.ts'

export class StreamTask {
  readonly deployment: TaskDeployment
  private readonly parts: TaskParts
  private readonly life: TaskLife
  private isBufferTimerSet = false

  constructor(deployment: TaskDeployment, environment: StreamTaskEnvironment) {
    this.deployment = deployment
    this.parts = buildTask(deployment, environment)
    this.life = new TaskLife(deployment, this.parts)
  }

  handle(input: TaskInput, now: EngineTime, out: TaskOut): void {
    this.enter(now, out)
    try {
      if (!this.life.isEnded) this.dispatch(input)
      this.life.progress()
    } catch (error) {
      this.onException(error)
    }
    this.leave(now)
  }

  /** The default action: works on at most `budget` records and returns early when it has to wait. */
  run(budget: number, now: EngineTime, out: TaskOut): void {
    const { life, parts } = this
    this.enter(now, out)
    try {
      life.progress()
      if (life.mayProcess) parts.input.process(budget)
      life.progress()
      // Nothing more to read: what has been written should not wait for company (FIDELITY: Flink leaves it to the timeout).
      if (this.deployment.settings.bufferTimeoutMicros >= 0 && !parts.input.hasWork) parts.writer.flush()
    } catch (error) {
      this.onException(error)
    }
    this.leave(now)
  }

  /** Writes up to `budget` entries of a snapshot that is under way; true while there is more to write. */
  background(budget: number, now: EngineTime, out: TaskOut): boolean {
    if (this.life.isEnded) return false
    this.enter(now, out)
    let hasMore = false
    try {
      hasMore = this.parts.coordinator.background(budget)
    } catch (error) {
      this.onException(error)
    }
    this.leave(now)
    return hasMore
  }

  get hasBackgroundWork(): boolean {
    return !this.life.isEnded && this.parts.coordinator.hasBackgroundWork
  }

  waiting(now: EngineTime): WaitingState {
    return this.life.waiting(now)
  }

  /** Finished buffers that their receivers have not read yet, over all outputs. */
  get buffersUnderWay(): number {
    return this.parts.writer.buffersUnderWay
  }

  /** The host wants receivers to work first: the task takes no records, as if no buffer were free. Mails and everything else go on. */
  holdBack(isHeldBack: boolean, now: EngineTime): void {
    if (this.life.isHeldBack === isHeldBack) return
    this.life.account(now)
    this.life.isHeldBack = isHeldBack
    this.life.settle(now)
  }

  get state(): ExecutionState {
    return this.life.state
  }

  report(now: EngineTime): TaskReport {
    const { parts, life, deployment } = this
    life.account(now)
    return {
      attempt: deployment.attempt,
      vertex: deployment.vertex,
      subtask: deployment.subtask,
      at: now,
      activity: life.activity(now),
      recordsIn: parts.input.recordsIn,
      recordsOut: parts.writer.records,
      bytesIn: parts.input.bytesIn,
      bytesOut: parts.writer.bytes,
      busyMicros: life.times.busyMicros,
      idleMicros: life.times.idleMicros,
      backpressuredMicros: life.times.backpressuredMicros,
      hardBackpressuredMicros: life.times.hardBackpressuredMicros,
      inputs: parts.gates.channels.map((channel) => channel.report()),
      outputs: parts.writer.subpartitions.map((subpartition) => subpartition.report()),
      inPoolUsage: parts.gates.poolUsage,
      outPoolUsage: parts.writer.poolUsage,
      operators: parts.chain.nodes.map(operatorReport),
      checkpoint: this.checkpointReport(),
      metrics: taskMetrics(parts, life, now),
    }
  }

  /** Every entry of an operator's keyed state, for queries; null where the operator is not here or keeps no keyed state. */
  keyedEntries(uid: string): KeyedStateReport['rows'] | null {
    const node = this.parts.chain.nodes.find((candidate) => candidate.description.uid === uid)
    return node === undefined ? null : keyedEntries(node)
  }

  private dispatch(input: TaskInput): void {
    const { parts } = this
    switch (input.type) {
      case 'start':
        this.life.start()
        return
      case 'channel':
        parts.gates.receive(input.channel, input.message)
        return
      case 'feedback':
        parts.writer.onFeedback(input.output, input.feedback)
        return
      case 'command':
        this.onCommand(input.command)
        return
      case 'storage-reply':
        if (!parts.restore.onStorageReply(input.reply)) parts.coordinator.onStorageReply(input.reply)
        return
      case 'outside-reply':
        parts.chain.onOutsideReply(input.reply)
        parts.source?.wake()
        return
      case 'timer':
        this.onTimer(input.timer)
        return
    }
  }

  private onCommand(command: TaskCommand): void {
    const { parts, life } = this
    switch (command.type) {
      case 'trigger-checkpoint':
        if (life.mayCheckpoint(command.checkpointId)) parts.mailbox.put(command)
        return
      case 'notify-checkpoint-complete':
      case 'operator-event':
        parts.mailbox.put(command)
        return
      case 'notify-checkpoint-aborted':
        life.mails.checkpointAborted(command)
        return
      case 'change-settings':
        this.changeSettings(command.change)
        return
      case 'set-traced':
        parts.effects.traced = command.traced
        parts.writer.pending.setTraced(command.traced)
        return
      case 'cancel':
        life.cancel()
        return
    }
  }

  private onTimer(timer: string): void {
    const { parts } = this
    if (timer === 'buffer-timeout') {
      this.isBufferTimerSet = false
      parts.writer.flush()
    } else if (timer === DEBLOAT_TIMER) {
      if (this.life.isBlocked) parts.mailbox.put({ type: 'debloat' })
      else parts.debloating?.onTimer(this.life.times.idleMicros)
    } else if (timer.startsWith(ALIGNMENT_TIMER)) this.putAlignmentTimeout('input', timer.slice(ALIGNMENT_TIMER.length))
    else if (timer.startsWith(OUTPUT_ALIGNMENT_TIMER)) this.putAlignmentTimeout('output', timer.slice(OUTPUT_ALIGNMENT_TIMER.length))
    else if (timer.startsWith(LINK_TIMER)) parts.writer.onLinkTimer(Number(timer.slice(LINK_TIMER.length)))
    else if (timer === STORAGE_TIMER) parts.coordinator.onStorageTimer()
    else if (timer.startsWith(OPERATOR_TIMER)) {
      parts.mailbox.put({ type: 'operator-timer', operator: Number(timer.slice(OPERATOR_TIMER.length)) })
    }
    // 'busy' only wakes: what was waiting looks at the time itself.
  }

  private changeSettings({ costs, skews, rates, delays }: Partial<LiveSettings>): void {
    const { chain } = this.parts
    if (costs !== undefined) chain.setCosts(costs)
    if (skews !== undefined) chain.setSkews(skews)
    if (rates !== undefined) this.setRates(rates)
    if (delays !== undefined) this.tellDelays(delays)
  }

  private setRates(rates: ChannelRates): void {
    for (const subpartition of this.parts.writer.subpartitions) {
      const { channel } = subpartition
      const bytesPerSecond = rates[channel]
      if (bytesPerSecond === undefined) continue
      subpartition.setRate(bytesPerSecond)
      this.parts.effects.event({ type: 'ChannelRateChanged', channel, bytesPerSecond })
    }
  }

  /** How late something comes is the host's doing. */
  private tellDelays(delays: ChannelDelays): void {
    for (const { id: channel } of this.deployment.gates.flatMap(({ channels }) => channels)) {
      const micros = delays[channel]
      if (micros !== undefined) this.parts.effects.event({ type: 'ChannelDelayed', channel, micros })
    }
  }

  private putAlignmentTimeout(side: 'input' | 'output', checkpointId: string): void {
    this.parts.mailbox.put({ type: 'alignment-timeout', side, checkpointId: Number(checkpointId) })
  }

  private checkpointReport(): TaskReport['checkpoint'] {
    const aligning = this.parts.handler?.aligning() ?? null
    if (aligning === null) return this.parts.coordinator.report()
    return { checkpointId: aligning.checkpointId, phase: 'aligning', since: aligning.since, writtenBytes: 0, totalBytes: 0 }
  }

  private enter(now: EngineTime, out: TaskOut): void {
    this.life.account(now)
    this.parts.effects.enter(now, out)
    this.parts.chain.setNow(now)
  }

  private leave(now: EngineTime): void {
    const { effects, writer } = this.parts
    const { failure } = effects
    if (failure !== null) {
      effects.failure = null
      this.life.fail(this.parts.coordinator.taskFails(failure))
    }
    const timeout = this.deployment.settings.bufferTimeoutMicros
    if (timeout > 0 && !this.isBufferTimerSet && !this.life.isEnded && writer.needsFlush) {
      this.isBufferTimerSet = true
      effects.setTimer('buffer-timeout', now + timeout)
    }
    this.life.settle(now)
    effects.leave()
  }

  private onException(error: unknown): void {
    if (error instanceof AssertionError) {
      this.parts.effects.leave()
      throw error
    }
    const message = error instanceof Error ? error.message : String(error)
    const failure: FailureInfo = { message, detail: `task ${this.deployment.name}, subtask ${this.deployment.subtask}`, nonRecoverable: false }
    this.parts.effects.failure ??= failure
  }
}
