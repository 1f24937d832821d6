/**
 * What the transport needs of its task: the time, a way out, and the record in work (for the trace). The task has one such object, which all
 * of its parts share; it is filled at the start of every `handle` and `run`.
 */
import type { EngineTime } from '../model/time.ts'
import type { TraceEvent } from '../model/trace.ts'
import type { ChannelFeedback, ChannelMessage, Lineage } from '../model/wire.ts'
import type { TaskWords } from './task-words.ts'

export interface TransportEffects {
  readonly now: EngineTime
  readonly traced: boolean
  readonly words: TaskWords
  send(output: number, message: ChannelMessage): void
  feedback(channel: number, feedback: ChannelFeedback): void
  trace(event: TraceEvent): void
  setTimer(timer: string, at: EngineTime): void
  /** Lineage for a record that is emitted now: that of the record in work, with the next branch number. */
  nextLineage(): Lineage
}

/** Of a record that was sent before tracing began. */
export const UNKNOWN_LINEAGE: Lineage = { partition: -1, offset: -1, branch: 0, replayed: false }
