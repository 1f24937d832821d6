/**
 * The outside world: what the job reads from and writes to, and what outlives every kill of the cluster. Counterpart: Kafka brokers and
 * external databases. Simplified: one machine for all systems; a transaction belongs to the sink and the id that its writer chose; the
 * timeout counts from `begin`, as Kafka's `transaction.timeout.ms`, and also ends what was pre-committed (behaviour 16.1).
 */
import { unreachable } from '../base/assert.ts'
import type { OutsideFailure, OutsideOp, OutsideRequest, OutsideResult, SinkView, TopicContent } from '../model/outside.ts'
import { noSuchPartition } from '../model/outside.ts'
import type { EngineTime } from '../model/time.ts'
import type { JournalRecord, OutsideSnapshot } from './journal.ts'
import type { OutsideFault, OutsideInput, OutsideOut } from './outside-io.ts'
import { OutsideState } from './outside-state.ts'
import type { Transaction } from './sink-store.ts'

const TIMEOUT_TIMER = 'transaction-timeout'

type Op<T extends OutsideOp['type']> = Extract<OutsideOp, { readonly type: T }>

export class OutsideWorld {
  private readonly state: OutsideState
  private unavailableUntil: EngineTime = -Infinity
  /** Of the timer that is set; Infinity: none is. */
  private timeoutAt: EngineTime = Infinity

  /** `topics`: what there is to read. `snapshot` and `records`: what was persisted before, if anything was. */
  constructor(topics: readonly TopicContent[], snapshot: OutsideSnapshot | null = null, records: readonly JournalRecord[] = []) {
    this.state = OutsideState.restore(snapshot, records)
    for (const topic of topics) this.state.loadTopic(topic)
  }

  handle(input: OutsideInput, now: EngineTime, out: OutsideOut): void {
    switch (input.type) {
      case 'start':
        break
      case 'request':
        out.reply(input.from, { requestId: input.request.requestId, result: this.answer(input.request, now, out) })
        break
      case 'timer':
        this.onTimer(input.timer, now, out)
        break
      case 'load-topic':
        this.state.loadTopic(input.topic)
        break
      case 'append-to-topic':
        if (input.rows.length > 0) {
          this.change({ type: 'topic-append', topic: input.topic, partition: input.partition, rows: input.rows }, out)
        }
        break
      case 'reset':
        this.change({ type: 'reset' }, out)
        break
      case 'fault':
        this.onFault(input.fault, now, out)
        break
      default:
        unreachable(input)
    }
    this.armTimeout(out)
  }

  /** What outside readers see of a sink: the newest `limit` rows of each kind, and totals. An unknown sink is an empty one. */
  view(sink: string, limit = Infinity): SinkView {
    const store = this.state.sink(sink)
    if (store !== null) return store.view(limit)
    return { sink, committed: [], committedTotal: 0, uncommitted: [], uncommittedTotal: 0, transactions: [] }
  }

  sinkNames(): string[] {
    return this.state.allSinks().map((sink) => sink.name)
  }

  /** Plain data, enough to go on from (with the topics loaded again). */
  snapshot(): OutsideSnapshot {
    return this.state.snapshot()
  }

  private answer(request: OutsideRequest, now: EngineTime, out: OutsideOut): OutsideResult {
    if (now < this.unavailableUntil) return failure('UNAVAILABLE', 'the external system is unavailable')
    const newest = this.state.newestToken(request.job)
    if (newest !== null && request.token < newest) {
      return failure('FENCED', `the token ${request.token} is older than ${newest}, the newest seen of this job`)
    }
    if (request.token !== newest) this.change({ type: 'fence', job: request.job, token: request.token }, out)
    return this.perform(request.op, now, out)
  }

  private perform(op: OutsideOp, now: EngineTime, out: OutsideOut): OutsideResult {
    switch (op.type) {
      case 'fetch':
        return this.fetch(op)
      case 'append':
        return this.append(op, out)
      case 'begin':
        return this.begin(op, now, out)
      case 'write':
        return this.write(op, out)
      case 'pre-commit':
        return this.preCommit(op, out)
      case 'commit':
        return this.commit(op, out)
      case 'abort':
        return this.abort(op, out)
      default:
        return unreachable(op)
    }
  }

  /** A topic is unbounded: at its end there are no rows, and the offset of the end says so. */
  private fetch(op: Op<'fetch'>): OutsideResult {
    const endOffset = this.state.endOffset(op.topic, op.partition)
    if (endOffset === null) return noSuchPartition(op.topic, op.partition)
    if (op.offset < 0 || op.offset > endOffset) {
      return failure('OFFSET_OUT_OF_RANGE', `offset ${op.offset} of partition ${op.partition} of "${op.topic}" is beyond its end, ${endOffset}`)
    }
    return { ok: true, fetched: { rows: this.state.rowsFrom(op.topic, op.partition, op), endOffset } }
  }

  private append(op: Op<'append'>, out: OutsideOut): OutsideResult {
    if (op.rows.length === 0) return OK
    const { sink, rows, upsertBy } = op
    return this.change(upsertBy === null ? { type: 'append', sink, rows } : { type: 'upsert', sink, by: upsertBy, rows }, out)
  }

  /** Ids are never used twice; asking again for one that is open and empty is a repeated request. */
  private begin(op: Op<'begin'>, now: EngineTime, out: OutsideOut): OutsideResult {
    const { sink, transaction } = op
    const known = this.transaction(op)
    if (known !== null) return known.state === 'OPEN' && known.count === 0 ? OK : wrongState(known, 'begun')
    return this.change({ type: 'begin', sink, transaction, deadline: now + op.timeoutMicros }, out)
  }

  private write(op: Op<'write'>, out: OutsideOut): OutsideResult {
    const known = this.transaction(op)
    if (known === null) return unknown(op)
    if (known.state !== 'OPEN') return wrongState(known, 'written to')
    return op.rows.length === 0 ? OK : this.change({ type: 'write', sink: op.sink, transaction: op.transaction, rows: op.rows }, out)
  }

  private preCommit(op: Op<'pre-commit'>, out: OutsideOut): OutsideResult {
    const known = this.transaction(op)
    if (known === null) return unknown(op)
    if (known.state === 'PRE_COMMITTED') return OK
    if (known.state !== 'OPEN') return wrongState(known, 'pre-committed')
    return this.change({ type: 'pre-commit', sink: op.sink, transaction: op.transaction }, out)
  }

  /** Idempotent: after a restore every pending transaction of the checkpoint is committed once more (behaviour 16.1). */
  private commit(op: Op<'commit'>, out: OutsideOut): OutsideResult {
    const known = this.transaction(op)
    if (known === null) return unknown(op)
    if (known.state === 'COMMITTED') return OK
    if (known.state !== 'PRE_COMMITTED') return wrongState(known, 'committed')
    return this.change({ type: 'commit', sink: op.sink, transaction: op.transaction }, out)
  }

  /** Aborting what is aborted already, or not known (any more), succeeds. */
  private abort(op: Op<'abort'>, out: OutsideOut): OutsideResult {
    const known = this.transaction(op)
    if (known === null || known.state === 'ABORTED') return OK
    if (known.state === 'COMMITTED') return wrongState(known, 'aborted')
    return this.change({ type: 'abort', sink: op.sink, transaction: op.transaction }, out)
  }

  private transaction(op: { readonly sink: string; readonly transaction: string }): Transaction | null {
    return this.state.sink(op.sink)?.transaction(op.transaction) ?? null
  }

  private onTimer(timer: string, now: EngineTime, out: OutsideOut): void {
    if (timer !== TIMEOUT_TIMER) return
    this.timeoutAt = Infinity
    for (const sink of this.state.allSinks()) {
      for (const { id, deadline } of sink.pending()) {
        if (deadline > now) continue
        this.change({ type: 'abort', sink: sink.name, transaction: id }, out)
        out.event({ type: 'TransactionTimedOut', sink: sink.name, transaction: id })
      }
    }
  }

  private onFault(fault: OutsideFault, now: EngineTime, out: OutsideOut): void {
    switch (fault.kind) {
      case 'unavailable':
        this.unavailableUntil = now + fault.durationMicros
        out.event({ type: 'FaultInjected', fault: 'outside-unavailable', target: 'outside' })
        return
      case 'available':
        this.unavailableUntil = -Infinity
        return
      case 'abort-transaction': {
        const known = this.transaction(fault)
        if (known === null || known.state === 'COMMITTED' || known.state === 'ABORTED') return
        out.event({ type: 'FaultInjected', fault: 'abort-transaction', target: `${fault.sink}/${fault.transaction}` })
        this.change({ type: 'abort', sink: fault.sink, transaction: fault.transaction }, out)
        return
      }
      default:
        unreachable(fault)
    }
  }

  private change(record: JournalRecord, out: OutsideOut): OutsideResult {
    this.state.apply(record)
    out.persist(record)
    return OK
  }

  /** One timer, at the earliest deadline of all transactions that have not ended. */
  private armTimeout(out: OutsideOut): void {
    let earliest = Infinity
    for (const sink of this.state.allSinks()) {
      for (const { deadline } of sink.pending()) earliest = Math.min(earliest, deadline)
    }
    if (earliest === this.timeoutAt) return
    this.timeoutAt = earliest
    if (earliest === Infinity) out.clearTimer(TIMEOUT_TIMER)
    else out.setTimer(TIMEOUT_TIMER, earliest)
  }
}

const OK: OutsideResult = { ok: true }

const failure = (reason: OutsideFailure, message: string): OutsideResult => ({ ok: false, reason, message })

const unknown = (op: { readonly sink: string; readonly transaction: string }): OutsideResult =>
  failure('UNKNOWN_TRANSACTION', `there is no transaction "${op.transaction}" at sink "${op.sink}"`)

const wrongState = (transaction: Transaction, attempted: string): OutsideResult =>
  transaction.state === 'ABORTED'
    ? failure('TRANSACTION_ABORTED', `transaction "${transaction.id}" cannot be ${attempted}: it is aborted`)
    : failure('INVALID_TXN_STATE', `transaction "${transaction.id}" cannot be ${attempted}: it is ${transaction.state}`)
