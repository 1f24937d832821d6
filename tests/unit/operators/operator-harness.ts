import { cloneGraph } from '../../../workers/base/clone.ts'
import { Prng } from '../../../workers/base/prng.ts'
import { findOperatorType } from '../../../workers/model/catalogue/catalogue.ts'
import type { OperatorEvent } from '../../../workers/model/control.ts'
import { fencingToken, jobId } from '../../../workers/model/ids.ts'
import type { OperatorDescription, TopicDescription } from '../../../workers/model/job-graph.ts'
import { operatorIdOfUid } from '../../../workers/model/operator-id-of-uid.ts'
import type { OutsideOp, OutsideResult, TopicContent } from '../../../workers/model/outside.ts'
import { keySchema, type Schema, type Value } from '../../../workers/model/schema.ts'
import { KeySelector } from '../../../workers/network/key-selector.ts'
import { createOperator } from '../../../workers/operators/create-operator.ts'
import { compileBuiltin } from '../../../workers/operators/functions/compile-builtin.ts'
import type { OperatorContext, ProcessingOperator, SourceOperator, SourceStatus, TaskEventBody } from '../../../workers/operators/operator.ts'
import { OutsideWorld } from '../../../workers/outside/outside-world.ts'
import type { KeyedStateBackend } from '../../../workers/state/backend.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'
import { HeapOperatorStateBackend } from '../../../workers/state/operator-state.ts'

export const JOB = jobId('0123456789abcdef0123456789abcdef')

export interface HarnessOptions {
  readonly type: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly inputs?: readonly Schema[]
  readonly keyFields?: readonly (readonly string[])[]
  readonly topics?: readonly TopicDescription[]
  readonly attemptNumber?: number
  readonly token?: number
  readonly subtask?: number
  readonly parallelism?: number
}

export function describeType(options: HarnessOptions): OperatorDescription {
  const type = findOperatorType(options.type)
  if (type === undefined) throw new Error(`no type ${options.type}`)
  const inputs = options.inputs ?? []
  const keyFields = inputs.map((_, i) => options.keyFields?.[i] ?? null)
  const params = options.params ?? {}
  const output = type.infer({ inputs, keyFields, params, topics: options.topics ?? [] })
  if (!output.ok) throw new Error(output.error.message)
  return {
    uid: 'op',
    operatorId: operatorIdOfUid('op'),
    type: options.type,
    name: 'Operator',
    params,
    inputs,
    keyFields,
    output: output.value,
    costMicros: 0,
    hasCoordinator: type.hasCoordinator,
  }
}

/** An outside world that many harnesses (attempts of one job) may share. */
export class Outside {
  readonly world: OutsideWorld
  now = 0
  /** Answers of the world are replaced by this while it is set. */
  broken: OutsideResult | null = null
  readonly asked: OutsideOp[] = []

  constructor(topics: readonly TopicContent[] = []) {
    this.world = new OutsideWorld(topics)
    this.handle({ type: 'start' })
  }

  ask(op: OutsideOp, token: number): OutsideResult {
    this.asked.push(op)
    if (this.broken !== null) return this.broken
    let answer: OutsideResult | null = null
    this.handle({ type: 'request', from: 'task', request: { requestId: 1, job: JOB, token: fencingToken(token), op } }, (result) => (answer = result))
    if (answer === null) throw new Error('not answered')
    return answer
  }

  handle(input: Parameters<OutsideWorld['handle']>[0], onReply: (result: OutsideResult) => void = () => {}): void {
    this.world.handle(input, this.now, {
      reply: (_to, reply) => onReply(reply.result),
      setTimer: () => {},
      clearTimer: () => {},
      event: () => {},
      persist: () => {},
    })
  }

  committed(): readonly Value[] {
    return this.world.view('op').committed
  }

  uncommitted(): readonly Value[] {
    return this.world.view('op').uncommitted
  }
}

/** One attempt of one operator with real state backends; answers of the outside world come when the test says so. */
export class OperatorHarness implements OperatorContext {
  readonly description: OperatorDescription
  readonly words = { inHand: '', number: -1, numberOf: () => -1 }
  readonly rowsAreCopied = false
  readonly numbered = null
  readonly job = JOB
  readonly token = fencingToken(1)
  readonly subtask: number
  readonly parallelism: number
  readonly maxParallelism = 128
  readonly attemptNumber: number
  readonly checkpointingEnabled = true
  readonly random = new Prng(1)
  readonly keyed: KeyedStateBackend | null
  readonly operatorState = new HeapOperatorStateBackend()
  operator: ProcessingOperator | SourceOperator
  time = 0
  readonly emitted: Value[] = []
  readonly watermarks: number[] = []
  readonly events: TaskEventBody[] = []
  readonly toCoordinator: OperatorEvent[] = []
  readonly requests: { readonly id: number; readonly op: OutsideOp }[] = []
  failure: { readonly message: string; readonly nonRecoverable: boolean } | null = null
  timer: number | null = null
  readonly changes: { readonly state: string; readonly value: Value }[] = []
  private requestId = 0
  private readonly selectors: readonly (KeySelector | null)[]
  private readonly world: Outside

  constructor(options: HarnessOptions, world = new Outside()) {
    this.description = describeType(options)
    this.subtask = options.subtask ?? 0
    this.parallelism = options.parallelism ?? 1
    this.attemptNumber = options.attemptNumber ?? 0
    this.world = world
    this.selectors = this.description.inputs.map((schema, i) => {
      const fields = this.description.keyFields[i]
      return fields === null || fields === undefined ? null : new KeySelector(schema, fields)
    })
    const first = this.description.inputs[0]
    const keys = this.description.keyFields[0]
    this.keyed = first === undefined || keys === null || keys === undefined ? null : new HeapKeyedStateBackend(keySchema(first, keys), { start: 0, end: 127 }, 128)
    this.operator = createOperator(this.description, compileBuiltin)
  }

  /** Operator state of an earlier attempt comes back. */
  restoreFrom(other: ReadonlyMap<string, readonly Uint8Array[]>): this {
    for (const [name, elements] of other) this.operatorState.listState(name, 'SPLIT_DISTRIBUTE').update(elements)
    return this
  }

  open(restored: number | null = null): this {
    this.operator.open(this, restored)
    return this
  }

  /** Snapshot of the named list state after the synchronous part; answers until the operator no longer waits. */
  checkpoint(id: number, ...names: readonly string[]): Map<string, readonly Uint8Array[]> {
    this.operator.snapshotState(id)
    const state = new Map(names.map((name) => [name, this.operatorState.listState(name, 'SPLIT_DISTRIBUTE').get().map((bytes) => bytes.slice())]))
    this.answerAll()
    if (this.operator.isWaiting()) throw new Error('the synchronous part does not end')
    return state
  }

  feed(value: Value, input = 0): void {
    const operator = this.operator as ProcessingOperator
    const selector = this.selectors[input] ?? null
    if (selector !== null) this.keyed?.setCurrentKey(selector.keyOf(value))
    operator.processElement(input, value, NaN)
  }

  poll(budget: number, mayEmit: () => boolean = () => true): SourceStatus {
    return (this.operator as SourceOperator).poll(budget, mayEmit)
  }

  /** Answers the oldest request; false without one. */
  answer(result?: OutsideResult): boolean {
    const request = this.requests.shift()
    if (request === undefined) return false
    this.operator.onOutsideReply(request.id, result ?? this.world.ask(request.op, this.token))
    return true
  }

  answerAll(): void {
    for (let left = 10_000; this.answer(); left--) if (left === 0) throw new Error('endless requests')
  }

  /** Lets time pass to the timer that was set, and fires it. */
  fireTimer(): void {
    if (this.timer === null) throw new Error('no timer')
    this.time = Math.max(this.time, this.timer)
    this.timer = null
    this.operator.onTimer()
  }

  /** The operator goes on as a copy of itself: no state may hide in a closure. */
  becomeCopy(): void {
    const context = this as unknown as { operator: unknown }
    const { operator } = this
    ;(operator as unknown as { context: unknown }).context = null
    context.operator = cloneGraph(operator)
    ;(this.operator as unknown as { context: unknown }).context = this
  }

  eventsOf(type: TaskEventBody['type']): TaskEventBody[] {
    return this.events.filter((event) => event.type === type)
  }

  now(): number {
    return this.time
  }

  emit(value: Value, _timestamp: number): void {
    this.emitted.push(value)
  }

  emitWatermark(watermark: number): void {
    this.watermarks.push(watermark)
  }

  outside(op: OutsideOp): number {
    this.requests.push({ id: ++this.requestId, op })
    return this.requestId
  }

  sendToCoordinator(event: OperatorEvent): void {
    this.toCoordinator.push(event)
  }

  event(body: TaskEventBody): void {
    this.events.push(body)
  }

  readings: { partition: number; offset: number }[] = []

  wroteNumbered(): void {}

  reading(partition: number, offset: number, _replayed: boolean): void {
    this.readings.push({ partition, offset })
  }

  stateChanged(state: string, value: Value): void {
    this.changes.push({ state, value })
  }

  setTimer(at: number): void {
    this.timer = at
  }

  fail(message: string, options?: { readonly nonRecoverable?: boolean }): void {
    this.failure ??= { message, nonRecoverable: options?.nonRecoverable ?? false }
  }
}
