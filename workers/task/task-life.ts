/**
 * The life of a task from INITIALIZING to FINISHED, CANCELED or FAILED, and what it waits for on the way. Flink: StreamTask's life cycle,
 * Task's transitions (behaviour 12.5, 14, 15.5).
 */
import { unreachable } from '../base/assert.ts'
import type { TaskDeployment } from '../model/deployment.ts'
import type { ExecutionState, FailureInfo } from '../model/execution.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { TaskActivity } from '../model/report.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import { declinedTrigger } from '../checkpointing/checkpoint-words.ts'
import type { TaskParts } from './build-task.ts'
import { countersOf, TaskGauges } from './task-gauges.ts'
import { MailProcessor } from './mail-processor.ts'
import type { MailHome } from './mail-processor.ts'
import type { WaitingState } from './task-io.ts'
import { TimeAccounting } from './time-accounting.ts'

type Phase =
  /** Before `start`. */
  | 'created'
  /** Files are being read; then in-flight data of the outputs is sent; then operators are opened. */
  | 'restoring'
  | 'sending-recovered'
  | 'opening'
  /** In-flight data of the snapshot is worked on. */
  | 'recovering'
  | 'running'
  /** All records have been seen: operators finish. */
  | 'finishing'
  /** End of data has been sent: waits until downstream has processed all, and for the final checkpoint. */
  | 'after-end-of-data'
  /** Operators are closed; the outputs run empty. */
  | 'closing'
  | 'finished'
  | 'canceled'
  | 'failed'

export class TaskLife implements MailHome {
  readonly times = new TimeAccounting()
  readonly gauges = new TaskGauges()
  readonly mails: MailProcessor
  /** By the host (`StreamTask.holdBack`). */
  isHeldBack = false
  state: ExecutionState = 'DEPLOYING'
  private readonly deployment: TaskDeployment
  private readonly parts: TaskParts
  private phase: Phase = 'created'
  private busyTimerAt: EngineTime = -1
  /** Since when the task is blocked inside of a record; -1: it is not. */
  private blockedSince: EngineTime = -1
  /** Of the savepoint that the source was stopped for: it follows the end of data. */
  private stopBarrier: CheckpointBarrier | null = null

  constructor(deployment: TaskDeployment, parts: TaskParts) {
    this.deployment = deployment
    this.parts = parts
    this.mails = new MailProcessor(this, parts)
  }

  get isRunning(): boolean {
    return this.phase === 'running'
  }

  /** Not inside of a record, nor while operators finish, nor between the stop of a source and its barrier. */
  get mayRunMails(): boolean {
    return this.isOpen && !this.isBlocked && this.phase !== 'finishing' && this.stopBarrier === null
  }

  get isEnded(): boolean {
    return this.phase === 'finished' || this.phase === 'canceled' || this.phase === 'failed'
  }

  /** Operators are open. */
  get isOpen(): boolean {
    return this.phase === 'running' || this.phase === 'finishing' || this.phase === 'after-end-of-data'
  }

  /** Flink: Task.isBackPressured. */
  get isBackPressured(): boolean {
    const { writer } = this.parts
    if (this.state !== 'INITIALIZING' && this.state !== 'RUNNING') return false
    return writer.partitions.length > 0 && (!writer.isAvailable || this.isHeldBack)
  }

  /** Input is taken: records, and after the end of data the barriers and ends that still come. */
  get mayProcess(): boolean {
    if (this.isBlocked) return false
    if (this.phase === 'recovering') return true
    return (this.phase === 'running' && !this.parts.input.isEndOfData) || (this.phase === 'after-end-of-data' && this.parts.source === null)
  }

  /** Inside of a record whose output waits for buffers: nothing of the task's own thread goes on. Flink: hard back-pressure. */
  get isBlocked(): boolean {
    return this.parts.writer.isBlocked
  }

  start(): void {
    this.changeState('INITIALIZING')
    this.phase = 'restoring'
    this.parts.restore.start()
  }

  /** Whether a trigger is taken; else it has been declined. */
  mayCheckpoint(checkpointId: CheckpointId): boolean {
    if (this.isOpen) return true
    const isClosing = this.phase === 'closing'
    const reason = isClosing ? 'CHECKPOINT_DECLINED_TASK_CLOSING' : 'CHECKPOINT_DECLINED_TASK_NOT_READY'
    this.parts.mediator.decline(checkpointId, reason, declinedTrigger(this.parts.effects.taskName, reason))
    return false
  }

  /** Takes every step but records as far as it goes without waiting. */
  progress(): void {
    if (this.isBlocked) this.resumeRecord()
    if (this.phase === 'restoring' && !this.parts.restore.isReading) {
      this.parts.restore.fill(this.parts.chain.nodes, this.parts.inFlight)
      this.phase = 'sending-recovered'
    }
    if (this.phase === 'sending-recovered' && this.parts.inFlight.sendOutputs()) this.phase = 'opening'
    if (this.phase === 'opening' && this.parts.chain.openOperators(this.deployment.restore?.checkpointId ?? null)) this.phase = 'recovering'
    if (this.phase === 'recovering' && this.isRecovered) this.enterRunning()
    if (!this.isOpen && this.phase !== 'closing') return
    this.parts.coordinator.advance()
    this.mails.drain()
    this.finishSteps()
  }

  /** The source was stopped for this savepoint. */
  stopFor(barrier: CheckpointBarrier): void {
    this.stopBarrier = barrier
  }

  cancel(): void {
    if (this.isEnded) return
    this.changeState('CANCELING')
    this.release()
    this.phase = 'canceled'
    this.changeState('CANCELED')
  }

  fail(failure: FailureInfo): void {
    if (this.isEnded) return
    try {
      this.release()
    } catch {
      // The first failure is the one to tell; closing a broken operator may fail again.
    }
    this.phase = 'failed'
    this.changeState('FAILED', failure)
  }

  waiting(now: EngineTime): WaitingState {
    const { chain, coordinator, input, mailbox, writer, effects } = this.parts
    switch (this.phase) {
      case 'created':
      case 'restoring':
        return AWAITING_RESTORE
      case 'opening':
        return AWAITING_OPEN
      case 'finished':
      case 'canceled':
      case 'failed':
        return ENDED
      case 'closing':
      case 'sending-recovered':
        return OUTPUT_UNAVAILABLE
      case 'recovering':
      case 'running':
      case 'finishing':
      case 'after-end-of-data':
        break
      default:
        return unreachable(this.phase)
    }
    if (this.isBlocked) return OUTPUT_UNAVAILABLE
    const syncUntil = coordinator.syncCostUntil
    if (syncUntil !== null) return now < syncUntil ? { kind: 'busyUntil', at: syncUntil } : READY
    if (chain.isWaiting) return coordinator.isInSyncPart ? AWAITING_SYNC : AWAITING_RECORD
    if (coordinator.isInSyncPart || this.phase === 'finishing') return READY
    if (input.isRecordInHand) return now < effects.busyUntil ? { kind: 'busyUntil', at: effects.busyUntil } : READY
    // Mails come between two records: not before the cost of a source's last one is paid.
    if (!mailbox.isEmpty && this.isOpen) return now < effects.busyUntil ? { kind: 'busyUntil', at: effects.busyUntil } : READY
    if (this.mayProcess) {
      if (input.hasPriority) return READY
      if (!writer.isAvailable || this.isHeldBack) return OUTPUT_UNAVAILABLE
      if (input.hasWork) return now < effects.busyUntil ? { kind: 'busyUntil', at: effects.busyUntil } : READY
    }
    return this.phase === 'after-end-of-data' ? this.finalWait() : INPUT_EMPTY
  }

  /** Books the time up to now. Nothing has happened since the last call, so the counters are those of every moment in between. */
  account(now: EngineTime): void {
    const { gauges, times } = this
    while (gauges.nextAt <= now) {
      times.account(gauges.nextAt)
      gauges.step(times, countersOf(this.parts))
    }
    times.account(now)
  }

  /** At the end of every call: what the time from now on is spent on, and the timer that ends a paid cost. */
  settle(now: EngineTime): void {
    if (this.isBlocked && this.blockedSince < 0) this.blockedSince = now
    const waiting = this.waiting(now)
    if (this.state === 'RUNNING') this.times.enter(waiting.kind, this.phase === 'after-end-of-data', waiting.kind === 'outputUnavailable' && this.isBlocked)
    else this.times.stop()
    if (waiting.kind !== 'busyUntil' || waiting.at === this.busyTimerAt) return
    this.busyTimerAt = waiting.at
    this.parts.effects.setTimer('busy', waiting.at)
  }

  activity(now: EngineTime): TaskActivity {
    switch (this.phase) {
      case 'created':
      case 'restoring':
      case 'sending-recovered':
      case 'opening':
      case 'recovering':
        return 'restoring'
      case 'finished':
        return 'finished'
      case 'canceled':
        return 'canceled'
      case 'failed':
        return 'failed'
      default:
        break
    }
    if (this.parts.coordinator.isInSyncPart) return 'sync'
    const waiting = this.waiting(now)
    if (waiting.kind === 'outputUnavailable') return 'backpressured'
    if (waiting.kind === 'awaiting' && waiting.effect !== 'checkpoint') return 'waiting-outside'
    if (waiting.kind === 'awaiting') return this.parts.mediator.isInSynchronousSavepoint ? 'waiting-for-savepoint' : 'waiting-for-final-checkpoint'
    if ((this.parts.handler?.aligning() ?? null) !== null) return 'aligning'
    return waiting.kind === 'inputEmpty' ? 'idle' : 'processing'
  }

  private get isRecovered(): boolean {
    const { chain, effects, gates, input } = this.parts
    return !this.isBlocked && !gates.hasRecovered && !input.isRecordInHand && !chain.isWaiting && effects.failure === null && effects.now >= effects.busyUntil
  }

  private enterRunning(): void {
    this.phase = 'running'
    this.changeState('RUNNING')
    this.gauges.start(this.parts.effects.now)
    this.parts.gates.grantInitialCredits()
    this.parts.debloating?.start()
  }

  /** What the rest of the record costs is paid after the wait. */
  private resumeRecord(): void {
    const { effects, writer } = this.parts
    writer.resume()
    if (writer.isBlocked || this.blockedSince < 0) return
    const owed = effects.busyUntil - this.blockedSince
    if (owed > 0) effects.busyUntil = effects.now + owed
    this.blockedSince = -1
  }

  /** Behaviour 14, as far as it goes without waiting. */
  private finishSteps(): void {
    const { chain, coordinator, effects, input, mediator, writer } = this.parts
    if (effects.failure !== null || coordinator.isInSyncPart || this.isBlocked) return
    if (this.phase === 'running' && input.isEndOfData && effects.now >= effects.busyUntil) this.phase = 'finishing'
    if (this.phase === 'finishing') {
      const drain = input.isDrained
      if (!chain.finishOperators(drain) || this.isBlocked) return
      writer.broadcastEvent({ type: 'end-of-data', drain })
      mediator.onEndOfData()
      if (drain) {
        effects.event({ type: 'EndOfDataReached' })
        effects.toJobManager({ type: 'end-of-data', attempt: effects.attempt })
      }
      this.phase = 'after-end-of-data'
      const barrier = this.stopBarrier
      this.stopBarrier = null
      if (barrier !== null) mediator.performCheckpoint(barrier)
      if (effects.failure !== null || coordinator.isInSyncPart) return
    }
    if (this.phase === 'after-end-of-data') {
      if (chain.isWaiting || !writer.isAllDataProcessed) return
      // Flink: END_OF_INPUT. A task is never finished before those that feed it.
      if (this.parts.gates.channels.some((channel) => !channel.isFinished)) return
      // Flink: waitForPendingCheckpoints.
      if (coordinator.hasPendingParts) return
      if (this.needsFinalCheckpoint && !mediator.isFinalCheckpointCompleted) return
      chain.close()
      writer.broadcastEvent({ type: 'end-of-partition' })
      this.phase = 'closing'
    }
    if (this.phase === 'closing' && writer.isDrained) {
      this.phase = 'finished'
      this.clear()
      this.changeState('FINISHED')
    }
  }

  private get needsFinalCheckpoint(): boolean {
    const { checkpointingEnabled, afterTasksFinish } = this.deployment.settings
    return (checkpointingEnabled && afterTasksFinish) || this.parts.mediator.isInSynchronousSavepoint
  }

  private finalWait(): WaitingState {
    return this.parts.writer.isAllDataProcessed ? AWAITING_FINAL : INPUT_EMPTY
  }

  private release(): void {
    const wasOpen = this.isOpen || this.phase === 'opening' || this.phase === 'recovering'
    this.clear()
    if (wasOpen) this.parts.chain.close()
  }

  private clear(): void {
    this.parts.coordinator.close()
    this.parts.mailbox.clear()
    this.parts.writer.pending.clear()
    for (const timer of ['buffer-timeout', 'busy', 'storage-modelled', 'debloat']) this.parts.effects.clearTimer(timer)
  }

  private changeState(state: ExecutionState, failure?: FailureInfo): void {
    this.state = state
    const { attempt } = this.deployment
    this.parts.effects.toJobManager(
      failure === undefined ? { type: 'state', attempt, state } : { type: 'state', attempt, state, failure },
    )
  }
}

const READY: WaitingState = { kind: 'ready' }
const INPUT_EMPTY: WaitingState = { kind: 'inputEmpty' }
const OUTPUT_UNAVAILABLE: WaitingState = { kind: 'outputUnavailable' }
const ENDED: WaitingState = { kind: 'ended' }
const AWAITING_RESTORE: WaitingState = { kind: 'awaiting', effect: 'storage', phase: 'restore' }
const AWAITING_OPEN: WaitingState = { kind: 'awaiting', effect: 'outside', phase: 'restore' }
const AWAITING_RECORD: WaitingState = { kind: 'awaiting', effect: 'outside', phase: 'record' }
const AWAITING_SYNC: WaitingState = { kind: 'awaiting', effect: 'outside', phase: 'sync' }
const AWAITING_FINAL: WaitingState = { kind: 'awaiting', effect: 'checkpoint', phase: 'final' }
