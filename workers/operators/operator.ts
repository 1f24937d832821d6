/**
 * What an operator is, and what it may ask of its task. Flink: StreamOperator, SourceOperator. Operators are plain machines: no clock,
 * no promises, no `#private` fields, no stored closure over state (base/clone.ts says why).
 */
import type { Prng } from '../base/prng.ts'
import type { EventBody } from '../model/events.ts'
import type { FencingToken, JobId } from '../model/ids.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import type { OutsideOp, OutsideResult } from '../model/outside.ts'
import type { OperatorEvent } from '../model/control.ts'
import type { OperatorReport } from '../model/report.ts'
import type { SnapshotPart } from '../model/events.ts'
import type { Value } from '../model/schema.ts'
import type { EngineTime } from '../model/time.ts'
import type { KeyedStateBackend, OperatorStateBackend } from '../state/backend.ts'
import type { NumberedOutput, RecordRun } from './record-run.ts'

/**
 * Numbers of words, the same word always with the same one. A source that draws its keys from a fixed list numbers them once and puts each in
 * hand before it emits: partitioner and dictionary then find it by its number. Optional to use.
 */
export interface WordsInHand {
  inHand: string
  number: number
  /** Negative: there are too many words, this one goes without. */
  numberOf(word: string): number
}

export interface OperatorContext {
  readonly description: OperatorDescription
  /** Job and leader: with subtask, attempt and a counter they make the ids of transactions unique. */
  readonly job: JobId
  readonly token: FencingToken
  readonly subtask: number
  readonly parallelism: number
  readonly maxParallelism: number
  readonly attemptNumber: number
  readonly checkpointingEnabled: boolean
  /** Of this operator alone, derived from the job's seed. */
  readonly random: Prng
  /** Present when an input is keyed. The task has set the current key before `processElement`. */
  readonly keyed: KeyedStateBackend | null
  readonly operatorState: OperatorStateBackend
  readonly words: WordsInHand
  /** What is emitted is written into buffers before `emit` returns, and nobody else sees it: an operator may use a row again. */
  readonly rowsAreCopied: boolean
  /** The short way out (record-run.ts); null where every record has to go through `emit`: traced, with a cost, or to somewhere else. */
  readonly numbered: NumberedOutput | null
  /** The engine time of the input being handled. */
  now(): EngineTime
  /** To the next operator of the chain, or to the outputs of the task. A plain call. */
  emit(value: Value, timestamp: number): void
  emitWatermark(watermark: number): void
  /** Asks the outside world; the answer arrives at `onOutsideReply` with the returned id. */
  outside(op: OutsideOp): number
  sendToCoordinator(event: OperatorEvent): void
  /** Reports a protocol event; the task adds where it happened. */
  event(body: TaskEventBody): void
  /** A source, before it emits a record: names it for the record trace (its place in the topic). Costs nothing while untraced. */
  reading(partition: number, offset: number, replayed: boolean): void
  /** A source: so many records have been written to `numbered`. */
  wroteNumbered(count: number): void
  /** Tells the record trace that the current key's state changed. Costs nothing while untraced. */
  stateChanged(state: string, value: Value): void
  /** Engine time at which `onTimer` of this operator is wanted; a second call replaces the first. */
  setTimer(at: EngineTime): void
  /** Fails the task: the job's restart strategy decides what follows. */
  fail(message: string, options?: { readonly detail?: string; readonly nonRecoverable?: boolean }): void
}

/** The task's own events carry attempt, vertex and subtask; an operator leaves them out. */
export type TaskEventBody = DistributiveOmit<Extract<EventBody, { readonly attempt: unknown; readonly vertex: unknown }>, 'attempt' | 'vertex' | 'subtask'>
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

export interface Operator {
  /** State is restored by then; tail to head (behaviour 12.5). `restoredCheckpoint` is null at a fresh start. */
  open(context: OperatorContext, restoredCheckpoint: number | null): void
  /**
   * While true the task takes no further record and ends no phase: an answer is awaited (a commit during recovery, a pre-commit in the
   * synchronous part, a full window of unanswered writes). Cancel and abort still pass.
   */
  isWaiting(): boolean
  onOutsideReply(request: number, result: OutsideResult): void
  onTimer(): void
  /** Behaviour 7.1, 1: head to tail, before the barrier; may emit. */
  prepareSnapshotPreBarrier(checkpointId: number): void
  /** Behaviour 7.1, 5: tail to head, after the barrier: writes what it holds into its operator state. */
  snapshotState(checkpointId: number): void
  notifyCheckpointComplete(checkpointId: number): void
  notifyCheckpointAborted(checkpointId: number): void
  /** What it contributes to the snapshot matrix, apart from keyed state, which the task adds. */
  snapshotParts(): readonly SnapshotPart[]
  report(): Pick<OperatorReport, 'splits' | 'transactions'>
  /** All records of the task have been seen (behaviour 14): flush. */
  finish(): void
  close(): void
}

/** An operator with inputs. */
export interface ProcessingOperator extends Operator {
  processElement(input: number, value: Value, timestamp: number): void
  /**
   * Optional: takes as many records of the run as it can the short way (record-run.ts). The task gives it runs only while nothing is traced
   * and records cost nothing, sets no key, and lets the record at which it stops go the general way.
   */
  processRun?(input: number, run: RecordRun): void
  processWatermark(watermark: number): void
  endInput(input: number): void
}

/** The head of a source task. */
export interface SourceOperator extends Operator {
  /**
   * Emits up to `budget` records. Resumable: it returns as soon as the budget is used, input has run dry, or `mayEmit` says no (the outputs
   * are full, or the cost of the last record is not over).
   */
  poll(budget: number, mayEmit: () => boolean): SourceStatus
  onCoordinatorEvent(event: OperatorEvent): void
  /** Of a generator: how unevenly it draws its keys from the next record on, 0 = evenly. */
  setSkew?(skew: number): void
  /** True: there is no safe position now, and a trigger waits. Flink: a source with its own thread that keeps the checkpoint lock. */
  readonly holdsCheckpointLock?: boolean
}

/** `idle`: nothing to read now (a reply, a timer or a coordinator event will come). `ended`: bounded, and read to the end. */
export type SourceStatus = 'more' | 'idle' | 'ended'
