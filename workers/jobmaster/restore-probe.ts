/**
 * Opens the operators of a job with the state that a restore would give them, as a task does, and watches what they ask for. Nothing leaves it:
 * what an operator sends or writes while it opens goes nowhere. Flink has no such thing; its tasks find out one after another.
 */
import { Prng } from '../base/prng.ts'
import type { OperatorEvent } from '../model/control.ts'
import { fencingToken, jobId } from '../model/ids.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import type { OutsideOp } from '../model/outside.ts'
import type { Schema, Value } from '../model/schema.ts'
import type { OperatorContext, TaskEventBody, WordsInHand } from '../operators/operator.ts'
import type { BroadcastState, BroadcastStateDescriptor, KeyedStateBackend, OperatorListState, OperatorStateBackend, ValueState, ValueStateDescriptor } from '../state/backend.ts'
import { HeapKeyedStateBackend } from '../state/heap/heap-keyed-state-backend.ts'
import type { KeyedFileHeader } from '../state/heap/keyed-file-header.ts'
import { keyedBackendOptions } from '../state/keyed-backend-options.ts'
import type { KeyedBackendOptions } from '../state/keyed-backend-options.ts'
import { schemaSerializer } from '../state/serializers/serializer-snapshot.ts'
import type { SerializerType } from '../state/serializers/serializer-snapshot.ts'
import { HeapOperatorStateBackend } from '../state/operator-state.ts'
import type { ListStateMode } from '../state/operator-state.ts'
import type { OperatorStateHandle } from '../model/state-handles.ts'

export interface ProbedTask {
  readonly subtask: number
  readonly parallelism: number
  readonly maxParallelism: number
}

/** Keyed state of which the types alone are known. */
class ProbedKeyedState extends HeapKeyedStateBackend {
  readonly asked = new Map<string, Schema>()
  readonly keySchema: Schema

  constructor(options: KeyedBackendOptions) {
    super(options.keySchema, options.keyGroupRange, options.maxParallelism)
    this.keySchema = options.keySchema
  }

  override valueState(descriptor: ValueStateDescriptor): ValueState {
    this.asked.set(descriptor.name, descriptor.schema)
    return super.valueState(descriptor)
  }
}

class ProbedOperatorState implements OperatorStateBackend {
  readonly asked = new Map<string, ListStateMode>()
  readonly askedBroadcasts = new Map<string, Schema>()
  private readonly backend = new HeapOperatorStateBackend()

  listState(name: string, mode: ListStateMode): OperatorListState {
    this.asked.set(name, mode)
    return this.backend.listState(name, mode)
  }

  broadcastState(descriptor: BroadcastStateDescriptor): BroadcastState {
    this.askedBroadcasts.set(descriptor.name, descriptor.value)
    return this.backend.broadcastState(descriptor)
  }

  restore(handle: OperatorStateHandle, bytes: Uint8Array): void {
    this.backend.restore(handle, bytes)
  }

  snapshot(): null {
    return null
  }
}

const NO_WORDS: WordsInHand = { inHand: '', number: -1, numberOf: () => -1 }

export class OperatorProbe implements OperatorContext {
  readonly description: OperatorDescription
  readonly job = jobId('0'.repeat(32))
  readonly token = fencingToken(0)
  readonly subtask: number
  readonly parallelism: number
  readonly maxParallelism: number
  readonly attemptNumber = 0
  readonly checkpointingEnabled = true
  readonly random = new Prng(0)
  readonly words = NO_WORDS
  readonly rowsAreCopied = false
  readonly numbered = null
  /** What the operator failed its task with. */
  failure: string | null = null
  private readonly probedKeyed: ProbedKeyedState | null
  private readonly probedLists = new ProbedOperatorState()
  /** What it asked the outside world to read while it opened, by the number of the request. */
  readonly fetches = new Map<number, Extract<OutsideOp, { readonly type: 'fetch' }>>()
  private requests = 0

  constructor(description: OperatorDescription, task: ProbedTask) {
    this.description = description
    this.subtask = task.subtask
    this.parallelism = task.parallelism
    this.maxParallelism = task.maxParallelism
    const options = keyedBackendOptions(description, task)
    this.probedKeyed = options === null ? null : new ProbedKeyedState(options)
  }

  get keyed(): KeyedStateBackend | null {
    return this.probedKeyed
  }

  get operatorState(): OperatorStateBackend {
    return this.probedLists
  }

  /** Of the keys; null: it is not keyed. */
  get keySerializer(): SerializerType | null {
    return this.probedKeyed === null ? null : schemaSerializer(this.probedKeyed.keySchema)
  }

  /** Keyed states that the operator asked for, with the types that it wants. */
  get askedKeyed(): ReadonlyMap<string, Schema> {
    return this.probedKeyed?.asked ?? new Map()
  }

  get askedBroadcasts(): ReadonlyMap<string, Schema> {
    return this.probedLists.askedBroadcasts
  }

  get askedLists(): ReadonlyMap<string, ListStateMode> {
    return this.probedLists.asked
  }

  /** As a task does with a keyed file, entries apart. Throws as it does. */
  restoreKeyed(header: KeyedFileHeader): void {
    this.probedKeyed?.restoreHeader(header)
  }

  now(): number {
    return 0
  }

  emit(_value: Value, _timestamp: number): void {}
  emitWatermark(_watermark: number): void {}

  outside(op: OutsideOp): number {
    this.requests++
    if (op.type === 'fetch') this.fetches.set(this.requests, op)
    return this.requests
  }

  sendToCoordinator(_event: OperatorEvent): void {}
  event(_body: TaskEventBody): void {}
  reading(): void {}
  wroteNumbered(): void {}
  stateChanged(): void {}
  setTimer(): void {}

  fail(message: string): void {
    this.failure ??= message
  }
}
