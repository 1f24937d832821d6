/** The inputs and effects of the outside world machine. Sans-IO like the task: a host calls `handle` and carries out what comes out. */
import type { EventBody } from '../model/events.ts'
import type { OutsideReply, OutsideRequest, TopicContent } from '../model/outside.ts'
import type { Value } from '../model/schema.ts'
import type { EngineTime } from '../model/time.ts'
import type { JournalRecord } from './journal.ts'

export type OutsideInput =
  /** First input, also after a restore: sets the timer for transactions that are still open. */
  | { readonly type: 'start' }
  /** `from` is where the answer goes: the host's name for the asking task. */
  | { readonly type: 'request'; readonly from: string; readonly request: OutsideRequest }
  | { readonly type: 'timer'; readonly timer: string }
  /** Makes a topic, or replaces what it began with. Rows appended since are kept. */
  | { readonly type: 'load-topic'; readonly topic: TopicContent }
  /** New rows at the end of a partition, as a producer outside the job writes them. */
  | { readonly type: 'append-to-topic'; readonly topic: string; readonly partition: number; readonly rows: readonly Value[] }
  /** Forgets every sink and every appended row, not the fencing tokens. */
  | { readonly type: 'reset' }
  | { readonly type: 'fault'; readonly fault: OutsideFault }

export type OutsideFault =
  /** Every request is answered UNAVAILABLE for so long in engine time; Infinity: until `available`. Timeouts go on. */
  | { readonly kind: 'unavailable'; readonly durationMicros: EngineTime }
  | { readonly kind: 'available' }
  /** The external system gives up one transaction by itself. */
  | { readonly kind: 'abort-transaction'; readonly sink: string; readonly transaction: string }

export interface OutsideOut {
  reply(to: string, reply: OutsideReply): void
  /** Replaces a timer of the same name. */
  setTimer(timer: string, at: EngineTime): void
  clearTimer(timer: string): void
  event(body: EventBody): void
  /**
   * What `handle` has just changed. A host that keeps the outside world durable writes the records of one input before it sends the replies
   * of that input; the simulator drops them.
   */
  persist(record: JournalRecord): void
}
