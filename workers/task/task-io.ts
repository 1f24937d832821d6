/**
 * The inputs and effects of the stream task machine (DESIGN 4: sans-IO). A host calls `handle` with inputs and `run` when the task may
 * work; the task answers by calling `out`. It never blocks, has no clock, and keeps nothing of the host.
 */
import type { TaskCommand, TaskMessage } from '../model/control.ts'
import type { EventBody } from '../model/events.ts'
import type { OutsideOp, OutsideReply } from '../model/outside.ts'
import type { StorageOp, StorageReply } from '../model/storage.ts'
import type { TraceEvent } from '../model/trace.ts'
import type { EngineTime } from '../model/time.ts'
import type { ChannelFeedback, ChannelMessage } from '../model/wire.ts'

export type TaskInput =
  /** First input of all: starts restoring (INITIALIZING). */
  | { readonly type: 'start' }
  /** A message on input channel `channel` (task-wide number). */
  | { readonly type: 'channel'; readonly channel: number; readonly message: ChannelMessage }
  /** Feedback on output `output` (task-wide number). */
  | { readonly type: 'feedback'; readonly output: number; readonly feedback: ChannelFeedback }
  | { readonly type: 'command'; readonly command: TaskCommand }
  | { readonly type: 'storage-reply'; readonly reply: StorageReply }
  | { readonly type: 'outside-reply'; readonly reply: OutsideReply }
  /** A timer that the task set has come. One timer fires per mail. */
  | { readonly type: 'timer'; readonly timer: string }

/** Effects. Every call happens during `handle`, `run` or `background` and is carried out by the host afterwards or at once. */
export interface TaskOut {
  /** On output number `output`; the payload may be transferred. */
  send(output: number, message: ChannelMessage): void
  feedback(channel: number, feedback: ChannelFeedback): void
  toJobManager(message: TaskMessage): void
  storage(requestId: number, op: StorageOp): void
  outside(requestId: number, op: OutsideOp): void
  /** Replaces a timer of the same name. */
  setTimer(timer: string, at: EngineTime): void
  clearTimer(timer: string): void
  event(body: EventBody): void
  trace(event: TraceEvent): void
}

/** Why a task does not work just now (DESIGN 8, 4). A host calls `run` again only when this is `ready`, or `at` has come. */
export type WaitingState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'inputEmpty' }
  | { readonly kind: 'outputUnavailable' }
  | { readonly kind: 'busyUntil'; readonly at: EngineTime }
  | { readonly kind: 'awaiting'; readonly effect: 'storage' | 'outside' | 'checkpoint'; readonly phase: 'restore' | 'record' | 'sync' | 'final' }
  | { readonly kind: 'ended' }
