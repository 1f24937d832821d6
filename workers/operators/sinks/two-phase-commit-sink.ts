/**
 * Writes into one open transaction, which is pre-committed in the synchronous part of a checkpoint and committed when that checkpoint is known to
 * be complete (behaviour 16.1). Flink: TwoPhaseCommitSinkFunction. Every step waits for the outside world's answer, as Flink's calls block the
 * task thread; only cancel and abort pass meanwhile.
 */
import { Deque } from '../../base/deque.ts'
import type { SnapshotPart } from '../../model/events.ts'
import type { OperatorDescription } from '../../model/job-graph.ts'
import { parseDuration } from '../../model/options/values.ts'
import type { OutsideOp, OutsideResult } from '../../model/outside.ts'
import type { Value } from '../../model/schema.ts'
import { MICROS_PER_SECOND, toMillis, type EngineTime } from '../../model/time.ts'
import { ProcessingBase } from '../operator-base.ts'
import type { Operator, OperatorContext, ProcessingOperator } from '../operator.ts'
import { lingerUntil, RowWriter } from './row-writer.ts'
import { decodeTransactionState, encodeTransactionState, TRANSACTION_STATE, type Transaction } from './transaction-state.ts'

const DEFAULT_TIMEOUT_MICROS: EngineTime = 900 * MICROS_PER_SECOND
/** Ours: transactions that wait for a completed checkpoint, each of an aborted one before it. Flink has no bound. */
const PENDING_MAX = 1024
/** Commits of all that is pending, also of what a restore with fewer subtasks hands to one of them. */
const STEPS_MAX = 65_536

type StepType = 'begin' | 'pre-commit' | 'commit' | 'abort'

interface Step {
  readonly type: StepType
  readonly transaction: Transaction
  /** Of a snapshot, which may be of another outside world. */
  readonly isRestored?: boolean
}

export class TwoPhaseCommitSinkOperator extends ProcessingBase implements ProcessingOperator {
  private readonly timeoutMicros: EngineTime
  private readonly writer = new RowWriter()
  private current: { id: string; rows: number; startedAtMillis: number } | null = null
  private pending: { readonly checkpointId: number; readonly transaction: Transaction }[] = []
  /** Steps to take one after another, each after the answer to the one before; the first is under way if `stepRequest` is set. */
  private steps = new Deque<Step>('transaction steps', STEPS_MAX)
  private stepRequest: number | null = null
  /** First commit that failed; reported when all have been tried. */
  private commitFailure: string | null = null
  private counter = 0
  private finished = false

  constructor(description: OperatorDescription) {
    super()
    const timeout = parseDuration(String(description.params['transactionTimeout'] ?? ''))
    this.timeoutMicros = timeout.ok ? timeout.value : DEFAULT_TIMEOUT_MICROS
  }

  /** Restored: commit what was pending, abort what was current at the snapshot; then begin a new transaction. */
  override open(context: OperatorContext, restoredCheckpoint: number | null): void {
    super.open(context, restoredCheckpoint)
    for (const element of context.operatorState.listState(TRANSACTION_STATE, 'SPLIT_DISTRIBUTE').get()) {
      const state = decodeTransactionState(element)
      if (this.steps.size + state.pending.length + 2 > STEPS_MAX) throw new RangeError(tooManyPending(context.description.name, STEPS_MAX))
      for (const transaction of state.pending) this.steps.pushBack({ type: 'commit', transaction, isRestored: true })
      if (state.current !== null) this.steps.pushBack({ type: 'abort', transaction: state.current })
    }
    this.begin()
    this.takeStep()
  }

  processElement(_input: number, value: Value, _timestamp: number): void {
    const current = this.current
    if (current === null) return this.ctx.fail(`${this.ctx.description.name}: a row came after the sink had finished`)
    current.rows++
    if (this.writer.add(value)) this.ctx.setTimer(lingerUntil(this.ctx.now()))
    if (this.writer.isDue) this.write()
  }

  override processWatermark(_watermark: number): void {}

  override isWaiting(): boolean {
    return !this.steps.isEmpty || this.writer.isFull
  }

  override onTimer(): void {
    this.writer.lingerIsOver()
    this.write()
  }

  override onOutsideReply(request: number, result: OutsideResult): void {
    if (this.writer.answered(request)) {
      if (!result.ok) return this.fail('write', this.current?.id ?? '?', result)
      if (this.writer.isDue || !this.steps.isEmpty) this.write()
      this.takeStep()
    } else if (request === this.stepRequest) {
      this.stepRequest = null
      const step = this.steps.popFront() as Step
      this.stepDone(step, result)
      this.takeStep()
    }
  }

  /** Pre-commits the current transaction, keeps it as pending for this checkpoint, begins the next one, and saves all three. */
  override snapshotState(checkpointId: number): void {
    if (this.current !== null) {
      if (this.pending.length >= PENDING_MAX) throw new RangeError(tooManyPending(this.ctx.description.name, PENDING_MAX))
      const transaction = { ...this.current }
      this.pending.push({ checkpointId, transaction })
      this.steps.pushBack({ type: 'pre-commit', transaction })
      this.current = null
      if (!this.finished) this.begin()
    }
    const state = { current: this.currentTransaction(), pending: this.pending.map((entry) => entry.transaction) }
    this.ctx.operatorState.listState(TRANSACTION_STATE, 'SPLIT_DISTRIBUTE').update([encodeTransactionState(state)])
    this.write()
    this.takeStep()
  }

  /** Commits everything pending up to that checkpoint, oldest first: also what an aborted checkpoint left behind. */
  override notifyCheckpointComplete(checkpointId: number): void {
    for (const { transaction } of this.pending.filter((entry) => entry.checkpointId <= checkpointId)) this.steps.pushBack({ type: 'commit', transaction })
    this.pending = this.pending.filter((entry) => entry.checkpointId > checkpointId)
    this.takeStep()
  }

  /** The tail is flushed; it is committed by the checkpoint that follows (behaviour 14). */
  override finish(): void {
    this.finished = true
    this.write()
  }

  override close(): void {
    if (this.current === null) return
    this.writer.drop()
    this.ctx.outside({ type: 'abort', sink: this.ctx.description.uid, transaction: this.current.id })
    this.current = null
  }

  override snapshotParts(): readonly SnapshotPart[] {
    return [{ operator: this.ctx.description.operatorId, kind: 'transactions', entries: this.pending.length + (this.current === null ? 0 : 1) }]
  }

  override report(): ReturnType<Operator['report']> {
    const pending = this.pending.map(({ transaction }) => ({ id: transaction.id, rows: transaction.rows, state: 'pre-committed' as const }))
    const open = this.current === null ? [] : [{ id: this.current.id, rows: this.current.rows, state: 'open' as const }]
    return { splits: null, transactions: [...pending, ...open] }
  }

  private begin(): void {
    const { job, token, subtask, attemptNumber, description } = this.ctx
    this.counter++
    const id = `${job.slice(0, 8)}-${description.uid}-${subtask}-${token}.${attemptNumber}-${this.counter}`
    this.current = { id, rows: 0, startedAtMillis: toMillis(this.ctx.now()) }
    this.steps.pushBack({ type: 'begin', transaction: { ...this.current } })
  }

  /** A copy: the rows of the original go on growing. */
  private currentTransaction(): Transaction | null {
    return this.current === null ? null : { ...this.current }
  }

  private write(): void {
    if (!this.writer.mayWrite) return
    // In the synchronous part the rows still belong to the transaction that is about to be pre-committed.
    const step = this.steps.toArray().find((candidate) => candidate.type === 'pre-commit')
    const transaction = step?.transaction.id ?? this.current?.id
    if (transaction === undefined) return
    const op = { type: 'write', sink: this.ctx.description.uid, transaction, rows: this.writer.take() } as const
    this.writer.sent(this.ctx.outside(op))
  }

  /** Sends the first step, unless one is under way. A pre-commit waits until every row has been answered. */
  private takeStep(): void {
    const step = this.steps.front()
    if (step === undefined || this.stepRequest !== null) return
    if (step.type === 'pre-commit' && !this.writer.isSettled) return
    this.stepRequest = this.ctx.outside(this.opOf(step))
  }

  private opOf({ type, transaction }: Step): OutsideOp {
    const sink = this.ctx.description.uid
    return type === 'begin' ? { type, sink, transaction: transaction.id, timeoutMicros: this.timeoutMicros } : { type, sink, transaction: transaction.id }
  }

  private stepDone(step: Step, result: OutsideResult): void {
    if (result.ok) this.tell(step)
    else if (step.isRestored === true && result.reason === 'UNKNOWN_TRANSACTION') this.tellUnknown(step.transaction)
    else if (step.type === 'commit') this.commitFailure ??= describeFailure('commit', step.transaction, result.message)
    else if (step.type !== 'abort' || !isGone(result.reason)) return this.fail(step.type, step.transaction.id, result)
    if (this.commitFailure !== null && this.steps.front()?.type !== 'commit') {
      this.ctx.fail(`${this.ctx.description.name}: ${this.commitFailure}`)
      this.commitFailure = null
    }
  }

  private tell({ type, transaction }: Step): void {
    const names = { begin: 'TransactionBegun', 'pre-commit': 'TransactionPreCommitted', commit: 'TransactionCommitted', abort: 'TransactionAborted' } as const
    this.ctx.event({ type: names[type], operator: this.ctx.description.operatorId, transaction: transaction.id, rows: transaction.rows })
  }

  /** A savepoint that was brought from another browser, or is older than the sink: nothing is there to be committed, and the job goes on. */
  private tellUnknown({ id, rows }: Transaction): void {
    this.ctx.event({ type: 'TransactionUnknown', operator: this.ctx.description.operatorId, transaction: id, rows })
  }

  private fail(what: string, transaction: string, result: Extract<OutsideResult, { ok: false }>): void {
    this.ctx.fail(`${this.ctx.description.name}: could not ${what} transaction ${transaction}: ${result.message}`, { detail: result.reason })
  }
}

const tooManyPending = (sink: string, max: number): string =>
  `${sink}: ${max} transactions wait for a completed checkpoint, and no more are kept: let a checkpoint complete, with a longer execution.checkpointing.timeout or less to do for it.`

const describeFailure = (what: string, transaction: Transaction, message: string): string =>
  `could not ${what} transaction ${transaction.id} with ${transaction.rows} rows: ${message}`

/** There is nothing left to abort: it has been aborted, or its job went on after the snapshot and committed it. */
const isGone = (reason: Extract<OutsideResult, { ok: false }>['reason']): boolean =>
  reason === 'UNKNOWN_TRANSACTION' || reason === 'TRANSACTION_ABORTED' || reason === 'INVALID_TXN_STATE'
