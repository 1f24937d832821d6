/**
 * What comes to a task between two records: triggers, notices, events, timers. Flink: MailboxProcessor with StreamTask's and SourceOperatorStreamTask's
 * mails (behaviour 6.8, 7.3, 13.2).
 */
import { must, unreachable } from '../base/assert.ts'
import { Deque } from '../base/deque.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import type { TaskParts } from './build-task.ts'
import type { AbortNotice, Mail } from './mailbox.ts'

/** Far more than can be pending at once; the oldest have been aborted long ago, and are forgotten. */
const HELD_TRIGGERS_MAX = 10_000

/** The task in whose life mails are run. */
export interface MailHome {
  readonly times: { readonly idleMicros: EngineTime }
  /** Operators are open. */
  readonly isOpen: boolean
  /** Records are still to come. */
  readonly isRunning: boolean
  readonly mayRunMails: boolean
  /** Inside of a record. */
  readonly isBlocked: boolean
  /** The barrier follows the end of data. */
  stopFor(barrier: CheckpointBarrier): void
}

export class MailProcessor {
  private readonly home: MailHome
  private readonly parts: TaskParts
  /** Came while the source kept the checkpoint lock. Those of aborted checkpoints are recognised when they run. */
  private readonly heldTriggers = new Deque<Extract<Mail, { readonly type: 'trigger-checkpoint' }>>('triggers that wait for the checkpoint lock', HELD_TRIGGERS_MAX)

  constructor(home: MailHome, parts: TaskParts) {
    this.home = home
    this.parts = parts
  }

  /** As many as may run now: between two records only, not while an answer is awaited or a snapshot is in its synchronous part. */
  drain(): void {
    const { chain, coordinator, effects, input, mailbox, source } = this.parts
    while (source?.holdsCheckpointLock === false && !this.heldTriggers.isEmpty) mailbox.put(must(this.heldTriggers.popFront(), 'held trigger'))
    while (this.home.mayRunMails && effects.failure === null) {
      if (coordinator.isInSyncPart || chain.isWaiting || input.isRecordInHand || effects.now < effects.busyUntil) return
      const mail = mailbox.take()
      if (mail === undefined) return
      this.run(mail)
    }
  }

  /** Ahead of what is handled next if the task is between two records, else as soon as it is. Ignored by a task that does not run. */
  takeFirst(mail: Mail): void {
    if (!this.home.isOpen) return
    this.parts.mailbox.put(mail)
    this.drain()
  }

  /** From the JobManager. Passes whatever the task waits for (DESIGN 8, 4); inside of a record it waits as any mail. */
  checkpointAborted(notice: AbortNotice): void {
    const { chain, coordinator, effects, mailbox, mediator } = this.parts
    if (this.home.isBlocked) {
      mailbox.put(notice)
      return
    }
    const { checkpointId, latestCompleted } = notice
    if (latestCompleted !== null) this.takeFirst({ type: 'notify-checkpoint-complete', checkpointId: latestCompleted })
    mediator.onCheckpointAborted(checkpointId)
    coordinator.notifyCheckpointAborted(checkpointId)
    if (this.home.isOpen && effects.failure === null) chain.notifyCheckpointAborted(checkpointId)
  }

  private run(mail: Mail): void {
    const { chain, coordinator, source } = this.parts
    switch (mail.type) {
      case 'trigger-checkpoint':
        if (source?.holdsCheckpointLock === true) {
          if (this.heldTriggers.isFull) this.heldTriggers.popFront()
          this.heldTriggers.pushBack(mail)
          return
        }
        this.triggerCheckpoint({ type: 'barrier', checkpointId: mail.checkpointId, timestamp: mail.timestamp, options: mail.options })
        return
      case 'notify-checkpoint-complete':
        this.checkpointCompleted(mail.checkpointId)
        if (mail.lastSubsumed !== undefined) chain.notifyCheckpointSubsumed(mail.lastSubsumed)
        return
      case 'notify-checkpoint-aborted':
        this.checkpointAborted(mail)
        return
      case 'debloat':
        this.parts.debloating?.onTimer(this.home.times.idleMicros)
        return
      case 'operator-event':
        chain.onOperatorEvent(mail.operator, mail.event)
        source?.wake()
        return
      case 'alignment-timeout':
        if (mail.side === 'output') coordinator.timeOutOutputs(mail.checkpointId)
        else this.parts.handler?.processAlignmentTimeout(mail.checkpointId, this.parts.effects.now)
        return
      case 'operator-timer':
        chain.onTimer(mail.operator)
        source?.wake()
        return
      default:
        unreachable(mail)
    }
  }

  /** Seen when the notice is taken, whichever brings it: operators hear of a checkpoint once, and not of older ones afterwards (behaviour 7.3). */
  private checkpointCompleted(checkpointId: CheckpointId): void {
    const { chain, coordinator, effects, mediator } = this.parts
    if (!coordinator.notifyCheckpointComplete(checkpointId)) return
    effects.event({ type: 'CheckpointCompleteNotified', checkpointId })
    chain.notifyCheckpointComplete(checkpointId)
    mediator.onCheckpointComplete(checkpointId)
  }

  /** A source, or a task whose inputs have all finished, starts here; other inputs get the barrier where they have not ended (6.8). */
  private triggerCheckpoint(barrier: CheckpointBarrier): void {
    const { effects, gates, handler, mediator, source } = this.parts
    if (source !== null && this.stopSource(barrier)) return
    const unfinished = gates.channels.filter((channel) => !channel.isFinished)
    if (handler === null || unfinished.length === 0) {
      mediator.performCheckpoint(barrier)
      return
    }
    mediator.isTriggering = true
    for (const channel of unfinished) handler.processBarrier(channel.number, barrier, effects.now, true)
    mediator.isTriggering = false
  }

  /**
   * Stop with savepoint: the source stops, its operators finish if the job is drained, the end of data leaves, and only then the barrier (behaviour
   * 13.2). True: the barrier will follow. Flink: SourceOperatorStreamTask.triggerStopWithSavepointAsync.
   */
  private stopSource(barrier: CheckpointBarrier): boolean {
    const { coordinator, effects, mediator, source } = this.parts
    const { checkpointId, options } = barrier
    if (options.type !== 'SYNC_SAVEPOINT' || !this.home.isRunning || coordinator.isAborted(checkpointId)) return false
    const drain = options.drain === true
    mediator.enterSynchronousSavepoint(checkpointId)
    source?.stop(drain)
    effects.event({ type: 'SourceStopped', checkpointId, drain })
    this.home.stopFor(barrier)
    return true
  }
}
