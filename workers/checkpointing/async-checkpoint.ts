/**
 * The asynchronous part of one subtask's snapshot: walks the keyed views in slices, then names and hands over what is to be stored. Flink:
 * AsyncCheckpointRunnable with OperatorSnapshotFutures. Streams of at most the threshold go inline into the handle
 * (FsCheckpointStreamFactory); if all do, nothing is written.
 */
import { must } from '../base/assert.ts'
import type { Prng } from '../base/prng.ts'
import type { CheckpointOptions } from '../model/checkpoint.ts'
import type { CheckpointId, OperatorId } from '../model/ids.ts'
import type { KeyGroupRange, OperatorSubtaskState, StreamHandle, TaskStateSnapshot } from '../model/state-handles.ts'
import type { FileWrite } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import type { KeyedSnapshot, OperatorStateSnapshot } from '../state/backend.ts'
import type { AlignmentMetrics } from './barrier-handler.ts'
import { writeChannelState } from './channel-state.ts'
import type { ChannelState, WrittenChannelState } from './channel-state.ts'

/** One operator's captured views. */
export interface OperatorSnapshot {
  readonly operatorId: OperatorId
  readonly keyed: { readonly range: KeyGroupRange; readonly view: KeyedSnapshot } | null
  readonly operatorState: OperatorStateSnapshot | null
}

/** What came before the asynchronous part, for the metrics. */
export interface SyncMetrics extends AlignmentMetrics {
  readonly syncMicros: EngineTime
  readonly syncEndedAt: EngineTime
  readonly processedBytes: number
}

export interface PreparedSnapshot {
  readonly snapshot: TaskStateSnapshot
  readonly writes: readonly FileWrite[]
  readonly bytes: number
  /** Of these, in-flight data. */
  readonly persistedBytes: number
}

/** What is being captured. `channelState` is null where no in-flight data can become part of it. */
export interface CapturedSnapshot {
  /** Head and tail of the chain: in-flight data of the inputs and of the outputs belongs to them. */
  readonly head: OperatorId
  readonly tail: OperatorId
  readonly subtask: number
  readonly operators: readonly OperatorSnapshot[]
  readonly channelState: ChannelState | null
}

export class AsyncCheckpoint {
  readonly checkpointId: CheckpointId
  readonly options: CheckpointOptions
  readonly metrics: SyncMetrics
  readonly totalEntries: number
  /** Set when the walk is over: the request that stores the files, and when the modelled storage is done. */
  prepared: PreparedSnapshot | null = null
  requestId: number | null = null
  modelledDoneAt: EngineTime = 0
  readonly channelState: ChannelState | null
  private readonly captured: CapturedSnapshot
  private readonly operators: readonly OperatorSnapshot[]
  /** Operator whose view is being walked. */
  private walking = 0
  private isReleased = false

  constructor(checkpointId: CheckpointId, options: CheckpointOptions, metrics: SyncMetrics, captured: CapturedSnapshot) {
    this.checkpointId = checkpointId
    this.options = options
    this.metrics = metrics
    this.captured = captured
    this.channelState = captured.channelState
    const { operators } = captured
    this.operators = operators
    let total = 0
    for (const operator of operators) total += (operator.keyed?.view.totalEntries ?? 0) + (operator.operatorState?.totalEntries ?? 0)
    this.totalEntries = total
  }

  get writtenEntries(): number {
    if (this.isReleased) return this.totalEntries
    let written = 0
    for (const operator of this.operators) written += operator.keyed?.view.writtenEntries ?? 0
    return written
  }

  /** Nothing is left to walk. Without any state there never was anything, and there is no slice to wait for. */
  get isWalked(): boolean {
    return this.walking >= this.operators.length
  }

  /** All is there that is to be stored. */
  get isReady(): boolean {
    return this.isWalked && (this.channelState === null || this.channelState.isComplete)
  }

  /** Writes up to `budget` entries; true while there is more. */
  walk(budget: number): boolean {
    while (this.walking < this.operators.length) {
      const view = (this.operators[this.walking] as OperatorSnapshot).keyed?.view
      if (view !== undefined && view.advance(budget)) return true
      this.walking++
    }
    return false
  }

  /** After the walk: handles for the JobManager, and the files that must be stored first. Names come from the task's generator. */
  prepare(inlineThresholdBytes: number, names: Prng): PreparedSnapshot {
    const writes: FileWrite[] = []
    let bytesInAll = 0
    const store = (bytes: Uint8Array): StreamHandle => {
      bytesInAll += bytes.length
      const name = names.uuid()
      const path = `${this.options.location}/${name}`
      if (bytes.length <= inlineThresholdBytes) return { kind: 'bytes', name: path, bytes }
      writes.push({ path, bytes, createNew: true })
      return { kind: 'relative', name, size: bytes.length }
    }
    const operators = this.operators.map((operator) => ({ operatorId: operator.operatorId, state: writeOperator(operator, store, names) }))
    const { channelState, captured } = this
    const inFlight = channelState === null ? null : writeChannelState(channelState, captured.subtask, inlineThresholdBytes, store)
    const snapshot = { operators: inFlight === null ? operators : withInFlight(operators, captured, inFlight) }
    this.prepared = { snapshot, writes, bytes: bytesInAll, persistedBytes: inFlight?.bytes ?? 0 }
    this.release()
    return this.prepared
  }

  /** Ends copying on write, finished or not. */
  release(): void {
    if (this.isReleased) return
    this.isReleased = true
    for (const operator of this.operators) operator.keyed?.view.release()
  }
}

type Part = TaskStateSnapshot['operators'][number]

/** The head and the tail may have no other state. */
function withInFlight(parts: readonly Part[], { head, tail }: CapturedSnapshot, { inputs, outputs }: WrittenChannelState): readonly Part[] {
  const result = [...parts]
  const add = (operatorId: OperatorId, more: Partial<OperatorSubtaskState>): void => {
    const at = result.findIndex((part) => part.operatorId === operatorId)
    const state = result[at]?.state ?? { managedOperator: null, managedKeyed: null }
    const part = { operatorId, state: { ...state, ...more } }
    if (at < 0) result.push(part)
    else result[at] = part
  }
  if (inputs.length > 0) add(head, { inputChannel: inputs })
  if (outputs.length > 0) add(tail, { resultSubpartition: outputs })
  return result
}

function writeOperator(operator: OperatorSnapshot, store: (bytes: Uint8Array) => StreamHandle, names: Prng): OperatorSubtaskState {
  const managedOperator = operator.operatorState === null ? null : operator.operatorState.write()
  const managedKeyed = operator.keyed === null ? null : operator.keyed.view.result()
  return {
    managedOperator: managedOperator === null ? null : { states: managedOperator.states, stream: store(managedOperator.bytes) },
    managedKeyed:
      managedKeyed === null
        ? null
        : {
            kind: 'key-groups',
            range: must(operator.keyed, 'keyed snapshot').range,
            offsets: managedKeyed.offsets,
            stream: store(managedKeyed.bytes),
            id: names.uuid(),
          },
  }
}
