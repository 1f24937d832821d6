/**
 * The asynchronous part of one subtask's snapshot: walks the keyed views in slices, then names and hands over what is to be stored. Flink:
 * AsyncCheckpointRunnable with OperatorSnapshotFutures. If every stream goes into its handle (checkpoint-streams.ts), nothing is written.
 */
import type { Prng } from '../base/prng.ts'
import { isSavepoint } from '../model/checkpoint.ts'
import type { CheckpointOptions } from '../model/checkpoint.ts'
import type { TaskSettings } from '../model/deployment.ts'
import type { CheckpointId, OperatorId } from '../model/ids.ts'
import type { KeyGroupRange, KeyedStateHandle, OperatorSubtaskState, TaskStateSnapshot } from '../model/state-handles.ts'
import type { FileWrite } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import { CanonicalTranscoder } from '../savepoint/canonical-from-heap.ts'
import type { KeyedSnapshot, OperatorStateSnapshot } from '../state/backend.ts'
import type { AlignmentMetrics } from './barrier-handler.ts'
import { writeChannelState } from './channel-state.ts'
import type { ChannelState, WrittenChannelState } from './channel-state.ts'
import { CheckpointStreams } from './checkpoint-streams.ts'

/** One operator's captured views. */
export interface OperatorSnapshot {
  readonly operatorId: OperatorId
  readonly keyed: { readonly range: KeyGroupRange; readonly maxParallelism: number; readonly view: KeyedSnapshot } | null
  readonly operatorState: OperatorStateSnapshot | null
}

type KeyedView = NonNullable<OperatorSnapshot['keyed']>
type KeyedFile = ReturnType<KeyedSnapshot['result']>

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
  /** Of these, in the handles: they travel with the acknowledgement. */
  readonly inlineBytes: number
  /** Of all, in-flight data. */
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
  /** A canonical savepoint: what the operator being walked holds, in the backend's form, is put into the other one. */
  private transcoder: CanonicalTranscoder | null = null
  private readonly canonical = new Map<OperatorId, KeyedFile>()
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

  /** Of the keyed files, which are what takes time; 0 before the first slice, all bytes once they are known. */
  get totalBytes(): number {
    if (this.prepared !== null) return this.prepared.bytes
    return this.isReleased ? 0 : this.operators.reduce((sum, { keyed }) => sum + (keyed?.view.totalBytes ?? 0), 0)
  }

  /** As far as the walk has come. */
  get writtenBytes(): number {
    const { prepared, totalBytes, totalEntries, writtenEntries } = this
    if (prepared !== null) return prepared.bytes
    return totalEntries === 0 ? 0 : Math.floor((totalBytes * writtenEntries) / totalEntries)
  }

  /** Every view of state has been walked. */
  get areViewsWalked(): boolean {
    return this.walking >= this.operators.length
  }

  /** Nothing is left to walk. Without any state there never was anything, and there is no slice to wait for. */
  get isWalked(): boolean {
    return this.areViewsWalked && (this.channelState?.isEncoded ?? true)
  }

  /** All is there that is to be stored. */
  get isReady(): boolean {
    return this.isWalked && (this.channelState === null || this.channelState.isComplete)
  }

  /** Writes up to `budget` entries, or as many records in flight; true while there is more. */
  walk(budget: number): boolean {
    while (this.walking < this.operators.length) {
      const { keyed, operatorId } = this.operators[this.walking] as OperatorSnapshot
      if (keyed !== null && this.transcoder === null && keyed.view.advance(budget)) return true
      if (keyed !== null && this.options.format === 'CANONICAL' && this.transcode(operatorId, keyed, budget)) return true
      this.walking++
    }
    return this.channelState?.encode(budget) ?? false
  }

  /** True while there is more. */
  private transcode(operatorId: OperatorId, { range, maxParallelism, view }: KeyedView, budget: number): boolean {
    if (this.transcoder === null) {
      const { bytes, offsets } = view.result()
      this.transcoder = new CanonicalTranscoder(bytes, { range, offsets }, maxParallelism)
      return true
    }
    if (this.transcoder.advance(budget)) return true
    this.canonical.set(operatorId, this.transcoder.result())
    this.transcoder = null
    return false
  }

  /** After the walk: handles for the JobManager, and the files that must be stored first. Names come from the task's generator. */
  prepare(settings: TaskSettings, names: Prng): PreparedSnapshot {
    const { channelState, captured, checkpointId, options } = this
    // None of savepoints; and where in-flight data has to come from storage, keyed state does too.
    const isCopied = settings.localBackup === true && !isSavepoint(options.type) && (channelState?.bytes ?? 0) === 0
    const streams = new CheckpointStreams(settings, options.location, names, isCopied ? checkpointId : null)
    const operators = this.operators.map((operator) => ({ operatorId: operator.operatorId, state: writeOperator(operator, this.canonical.get(operator.operatorId) ?? null, streams, names) }))
    const inFlight = channelState === null ? null : writeChannelState(channelState, captured.subtask, streams)
    const snapshot = { operators: inFlight === null ? operators : withInFlight(operators, captured, inFlight) }
    const { writes, bytes, inlineBytes } = streams
    this.prepared = { snapshot, writes, bytes, inlineBytes, persistedBytes: inFlight?.bytes ?? 0 }
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

function writeOperator(
  { keyed, operatorState }: OperatorSnapshot, canonical: KeyedFile | null, streams: CheckpointStreams, names: Prng,
): OperatorSubtaskState {
  const managedOperator = operatorState === null ? null : operatorState.write()
  return {
    managedOperator: managedOperator === null ? null : { states: managedOperator.states, stream: streams.store(managedOperator.bytes) },
    managedKeyed: keyed === null ? null : writeKeyed(keyed, canonical, streams, names),
  }
}

/** A file of the heap backend, or the canonical one that was made of it. Flink: KeyGroupsStateHandle, KeyGroupsSavepointStateHandle. */
function writeKeyed({ range, view }: KeyedView, canonical: KeyedFile | null, streams: CheckpointStreams, names: Prng): KeyedStateHandle {
  const { bytes, offsets } = canonical ?? view.result()
  if (canonical !== null) return { kind: 'savepoint-key-groups', range, offsets, stream: streams.store(bytes) }
  return { kind: 'key-groups', range, offsets, stream: streams.storeKeyed(bytes), id: names.uuid() }
}
