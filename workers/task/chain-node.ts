/** One operator of a chain with its state and its context. Flink: StreamOperatorWrapper, ChainingOutput and the operator's runtime context. */
import { Prng, deriveSeed } from '../base/prng.ts'
import type { SnapshotParticipant } from '../checkpointing/snapshot-participants.ts'
import type { OperatorEvent } from '../model/control.ts'
import type { TaskDeployment } from '../model/deployment.ts'
import type { FencingToken, JobId, OperatorId } from '../model/ids.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import type { OutsideOp } from '../model/outside.ts'
import type { Value } from '../model/schema.ts'
import type { EngineTime } from '../model/time.ts'
import { KeySelector, label } from '../network/key-selector.ts'
import type { RecordWriter } from '../network/record-writer.ts'
import type { NumberedOutput } from '../operators/record-run.ts'
import type { Operator, OperatorContext, ProcessingOperator, TaskEventBody, WordsInHand } from '../operators/operator.ts'
import type { KeyedStateBackend, OperatorStateBackend } from '../state/backend.ts'
import type { TaskEffects } from './task-effects.ts'

export const OPERATOR_TIMER = 'operator:'

export interface ChainNodeOptions {
  readonly index: number
  readonly description: OperatorDescription
  readonly deployment: TaskDeployment
  readonly operator: Operator
  readonly keyed: KeyedStateBackend | null
  readonly operatorState: OperatorStateBackend
  /** The next operator of the chain; null at the tail. */
  readonly next: ChainNode | null
  readonly writer: RecordWriter
  readonly effects: TaskEffects
}

export class ChainNode implements OperatorContext, SnapshotParticipant {
  readonly index: number
  readonly description: OperatorDescription
  readonly operatorId: OperatorId
  readonly job: JobId
  readonly token: FencingToken
  readonly subtask: number
  readonly parallelism: number
  readonly maxParallelism: number
  readonly attemptNumber: number
  readonly checkpointingEnabled: boolean
  readonly random: Prng
  readonly operator: Operator
  readonly keyed: KeyedStateBackend | null
  readonly operatorState: OperatorStateBackend
  readonly words: WordsInHand
  readonly rowsAreCopied: boolean
  /** By input number; null: not keyed. */
  readonly selectors: readonly (KeySelector | null)[]
  /** Outside requests without an answer. */
  readonly pending = new Set<number>()
  /** Of a source: records read. */
  emitted = 0
  /** Of one record in this operator alone. */
  costMicros: EngineTime
  /** A record of a source costs the whole chain's time after it was read; 0 for others, whose cost is paid when a record is taken. */
  costAfterEmit: EngineTime = 0
  private readonly isSource: boolean
  private readonly next: ChainNode | null
  private readonly writer: RecordWriter
  private readonly effects: TaskEffects

  constructor(options: ChainNodeOptions) {
    const { description, deployment } = options
    this.index = options.index
    this.description = description
    this.operatorId = description.operatorId
    this.job = deployment.job
    this.token = deployment.token
    this.subtask = deployment.subtask
    this.parallelism = deployment.parallelism
    this.maxParallelism = deployment.maxParallelism
    this.attemptNumber = deployment.attemptNumber
    this.checkpointingEnabled = deployment.settings.checkpointingEnabled
    this.random = new Prng(deriveSeed(deployment.seed, description.uid))
    this.operator = options.operator
    this.costMicros = description.costMicros
    this.keyed = options.keyed
    this.operatorState = options.operatorState
    this.words = options.effects.words
    this.rowsAreCopied = options.next === null
    this.selectors = description.inputs.map((schema, input) => {
      const fields = description.keyFields[input] ?? null
      return fields === null ? null : new KeySelector(schema, fields)
    })
    this.isSource = description.inputs.length === 0
    this.next = options.next
    this.writer = options.writer
    this.effects = options.effects
  }

  now(): EngineTime {
    return this.effects.now
  }

  get numbered(): NumberedOutput | null {
    return this.next !== null || this.costAfterEmit > 0 ? null : this.writer.numbered
  }

  emit(value: Value, timestamp: number): void {
    if (this.isSource) this.beforeSourceRecord(value)
    if (this.next === null) this.writer.emit(value, timestamp)
    else this.next.processElement(0, value, timestamp)
    if (this.costAfterEmit > 0) this.effects.busyUntil = this.effects.now + this.costAfterEmit
  }

  processElement(input: number, value: Value, timestamp: number): void {
    const selector = this.selectors[input] ?? null
    if (selector !== null && this.keyed !== null) this.keyed.setCurrentKey(selector.keyOf(value))
    ;(this.operator as ProcessingOperator).processElement(input, value, timestamp)
  }

  emitWatermark(watermark: number): void {
    if (this.next === null) this.writer.emitWatermark(watermark)
    else (this.next.operator as ProcessingOperator).processWatermark(watermark)
  }

  outside(op: OutsideOp): number {
    const request = this.effects.outside(op)
    this.pending.add(request)
    return request
  }

  sendToCoordinator(event: OperatorEvent): void {
    this.effects.toJobManager({ type: 'operator-event', attempt: this.effects.attempt, operator: this.operatorId, event })
  }

  event(body: TaskEventBody): void {
    this.effects.event(body)
  }

  reading(partition: number, offset: number, replayed: boolean): void {
    if (this.effects.traced) this.effects.beginRecord({ partition, offset, branch: 0, replayed })
  }

  wroteNumbered(count: number): void {
    this.emitted += count
  }

  stateChanged(state: string, value: Value): void {
    const { effects, keyed } = this
    if (!effects.traced || keyed === null || keyed.currentKey === null) return
    const key = keyed.currentKey
    effects.trace({
      type: 'state',
      at: effects.now,
      attempt: effects.attempt,
      operator: this.operatorId,
      state,
      key,
      keyGroup: keyed.currentKeyGroup,
      value,
      record: effects.origin === null ? null : { ...effects.origin, label: label(key), checkpoint: effects.lastBarrier + 1 },
    })
  }

  setTimer(at: EngineTime): void {
    this.effects.setTimer(`${OPERATOR_TIMER}${this.index}`, at)
  }

  fail(message: string, options?: { readonly detail?: string; readonly nonRecoverable?: boolean }): void {
    this.effects.failure ??= {
      message,
      detail: options?.detail ?? `operator ${this.description.name} (${this.description.uid}), subtask ${this.subtask}`,
      nonRecoverable: options?.nonRecoverable ?? false,
    }
  }

  private beforeSourceRecord(value: Value): void {
    this.emitted++
    const { effects } = this
    if (!effects.traced || effects.origin === null) return
    effects.trace({
      type: 'read',
      at: effects.now,
      attempt: effects.attempt,
      record: { ...effects.origin, label: label(value), checkpoint: effects.lastBarrier + 1 },
    })
  }
}
