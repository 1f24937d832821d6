/**
 * Mails that wait until the task is between two records. Flink: TaskMailbox. One mail is one action; notices of checkpoints go ahead of the
 * others (behaviour 7.3).
 */
import { Deque } from '../base/deque.ts'
import type { TaskCommand } from '../model/control.ts'
import type { CheckpointId } from '../model/ids.ts'

export type AbortNotice = Extract<TaskCommand, { readonly type: 'notify-checkpoint-aborted' }>

export type Mail =
  | Extract<TaskCommand, { readonly type: 'trigger-checkpoint' | 'notify-checkpoint-complete' | 'operator-event' }>
  /** These two come here only while the task is blocked inside of a record. */
  | AbortNotice
  | { readonly type: 'debloat' }
  | { readonly type: 'operator-timer'; readonly operator: number }
  /** Of the inputs, or of the outputs (behaviour 6.4). */
  | { readonly type: 'alignment-timeout'; readonly side: 'input' | 'output'; readonly checkpointId: CheckpointId }

/** Commands and timers that may wait in a task that is stuck; Flink has no bound. */
const MAILS_MAX = 65_536

export class Mailbox {
  /** Mails taken so far. */
  taken = 0
  private readonly mails = new Deque<Mail>('mailbox', MAILS_MAX)

  put(mail: Mail): void {
    if (mail.type === 'notify-checkpoint-complete' || mail.type === 'notify-checkpoint-aborted') this.mails.pushFront(mail)
    else this.mails.pushBack(mail)
  }

  get isEmpty(): boolean {
    return this.mails.isEmpty
  }

  get size(): number {
    return this.mails.size
  }

  take(): Mail | undefined {
    if (!this.mails.isEmpty) this.taken++
    return this.mails.popFront()
  }

  clear(): void {
    this.mails.clear()
  }
}
