import type { OperatorId, VertexId } from './ids.ts'
import type { Ship } from './job-document.ts'
import type { SavepointRestoreSettings } from './restore.ts'
import type { Schema } from './schema.ts'
import type { EngineTime } from './time.ts'

/** A job document that was checked and compiled: operators with schemas, chained into vertices, joined by edges. */
export interface JobGraph {
  readonly name: string
  /** In topological order. */
  readonly vertices: readonly JobVertex[]
  readonly edges: readonly JobEdge[]
  readonly settings: JobSettings
  readonly topics: readonly TopicDescription[]
}

/** One task per subtask: a chain of one or more operators, head first (DESIGN 8, 7). */
export interface JobVertex {
  readonly id: VertexId
  readonly name: string
  readonly parallelism: number
  readonly maxParallelism: number
  /** Set by the user rather than derived: decides what happens at restore (behaviour 11.2). */
  readonly maxParallelismExplicit: boolean
  readonly chain: readonly OperatorDescription[]
  readonly isSource: boolean
}

export interface OperatorDescription {
  readonly uid: string
  readonly operatorId: OperatorId
  /** `operatorId` is generated; `uid` names the operator in its document only. */
  readonly isUidGenerated?: true
  /** Set by hand (`setUidHash`): state of a snapshot is found by it first. */
  readonly uidHash?: OperatorId
  readonly type: string
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
  /** By input number, from 0. A source has none. */
  readonly inputs: readonly Schema[]
  /** By input number: the key fields, where the input is keyed. */
  readonly keyFields: readonly (readonly string[] | null)[]
  /** Null at a sink. */
  readonly output: Schema | null
  readonly costMicros: EngineTime
  /** Of the synchronous part, by checkpoint id from 1, in turn. Absent: none. */
  readonly syncCosts?: readonly EngineTime[]
  readonly hasCoordinator: boolean
  /** Of a generator, where it was changed while the job ran; absent: as its parameter says. */
  readonly skew?: number
}

/** What each channel of an edge is like, beside the latency of links. */
export interface EdgeLink {
  /** In Flink's encoding, per second of engine time; absent: as much as comes. */
  readonly bytesPerSecond?: number
  /** What is sent takes so much longer on its way, in order; absent: no longer. */
  readonly delayMicros?: EngineTime
}

export interface JobEdge extends EdgeLink {
  /** Position in `edges`. */
  readonly index: number
  readonly from: VertexId
  readonly to: VertexId
  /** Input number at the head of `to`, from 0. */
  readonly input: number
  readonly ship: Ship
  /** Key fields of a hash edge, else empty. */
  readonly by: readonly string[]
  /** Every sender hashes keys in its own way. */
  readonly unstableHash?: true
  readonly schema: Schema
}

export interface TopicDescription {
  readonly name: string
  readonly partitions: number
  readonly schema: Schema
  readonly source: { readonly kind: 'data-set'; readonly name: string } | { readonly kind: 'rows' }
}

/** Options and playground settings, parsed: numbers with their units in the name. */
export interface JobSettings {
  readonly checkpointing: CheckpointingSettings
  readonly restartStrategy: RestartStrategySettings
  /** `full`: every failure restarts all tasks (behaviour 15.2). */
  readonly failoverStrategy: 'region' | 'full'
  readonly haEnabled: boolean
  readonly recovery: RecoverySettings
  /** 0: flush after each record; -1: a buffer leaves only when it is full (or before a barrier). */
  readonly bufferTimeoutMicros: EngineTime
  readonly segmentBytes: number
  readonly debloat: BufferDebloatSettings
  readonly chainingEnabled: boolean
  readonly linkLatencyMicros: EngineTime
  readonly syncCostMicros: EngineTime
  readonly storageLatencyMicros: EngineTime
  /** Null: not modelled. */
  readonly storageBytesPerSecond: number | null
  readonly detectionDelayMicros: EngineTime
  readonly taskManagers: number
  readonly slotsPerTaskManager: number
  /** `pekko.framesize`: the largest message between processes, which an acknowledgement is. */
  readonly frameBytes: number
  /** Of each stream of state, with JobManager storage. Flink: the argument of JobManagerCheckpointStorage. */
  readonly memoryStateLimitBytes: number
}

/** Behaviour 21.2. Flink: StateRecoveryOptions. */
export interface RecoverySettings {
  /** What the job starts from, unless its start says otherwise. */
  readonly restore: SavepointRestoreSettings | null
  /** In-flight data of the checkpoint with that id is left behind, on purpose. Null: of none. */
  readonly withoutChannelStateOf: number | null
}

/** Behaviour 8.3. Flink: BufferDebloatConfiguration. */
export interface BufferDebloatSettings {
  readonly enabled: boolean
  /** The data in flight in front of a gate should take this long to process. */
  readonly targetMicros: EngineTime
  readonly periodMicros: EngineTime
  /** Weight of a new measurement in the moving average: 2 / (samples + 1). */
  readonly samples: number
  /** A new size is announced only if it differs from the old one by this much. */
  readonly thresholdPercent: number
}

/** What is in force: options that Flink switches off or raises silently are so here already (options/contradictions.ts says it). */
export interface CheckpointingSettings {
  /** Null: periodic checkpointing is off. The period is the larger of this and `minPauseMicros`. */
  readonly intervalMicros: EngineTime | null
  /** Null: not set, the interval holds during a backlog too. 0: no periodic checkpoints while a source reports a backlog. */
  readonly intervalDuringBacklogMicros: EngineTime | null
  readonly mode: 'EXACTLY_ONCE' | 'AT_LEAST_ONCE'
  readonly timeoutMicros: EngineTime
  readonly minPauseMicros: EngineTime
  readonly maxConcurrent: number
  readonly tolerableFailed: number
  readonly retention: 'NO_EXTERNALIZED_CHECKPOINTS' | 'DELETE_ON_CANCELLATION' | 'RETAIN_ON_CANCELLATION'
  readonly numRetained: number
  /** `jobmanager`: state travels with the acknowledgements, and at most `_metadata` goes to `dir` (behaviour 10.1, 10.2). */
  readonly storage: 'jobmanager' | 'filesystem'
  /** Null: none is set; checkpoints cannot be found from outside then. */
  readonly dir: string | null
  /** False: no directory for each job below `dir`. */
  readonly createSubdir: boolean
  /** Where savepoints go whose request names no directory. Null: such requests are refused. */
  readonly savepointDir: string | null
  readonly inlineThresholdBytes: number
  /** Tasks leave copies of their keyed state with their TaskManagers; and read them when they are restarted there. */
  readonly localBackup: boolean
  readonly localRecovery: boolean
  /** False with AT_LEAST_ONCE, whatever the option says (behaviour 2.3). */
  readonly unalignedEnabled: boolean
  /** 0: unaligned from the start. Means nothing unless `unalignedEnabled`. */
  readonly alignedTimeoutMicros: EngineTime
  /** Unaligned also where it is unsafe (behaviour 2.3). */
  readonly unalignedForced: boolean
  /** A barrier may come between the timers of one watermark, at operators that agree. */
  readonly unalignedInterruptibleTimers: boolean
  readonly maxSubtasksPerChannelStateFile: number
  readonly afterTasksFinish: boolean
  /** `web.checkpoints.history`: how many checkpoints the statistics remember. */
  readonly historySize: number
}

export type RestartStrategySettings =
  | { readonly type: 'none' }
  | { readonly type: 'fixed-delay'; readonly attempts: number; readonly delayMicros: EngineTime }
  | {
      readonly type: 'failure-rate'
      readonly maxFailuresPerInterval: number
      readonly intervalMicros: EngineTime
      readonly delayMicros: EngineTime
    }
  | {
      readonly type: 'exponential-delay'
      readonly initialBackoffMicros: EngineTime
      readonly maxBackoffMicros: EngineTime
      readonly multiplier: number
      readonly resetThresholdMicros: EngineTime
      readonly jitterFactor: number
      /** Infinity: no limit. */
      readonly attemptsBeforeReset: number
    }

/** A mistake in a document, marked where it is, with the cure. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  /** JSON pointer into the document, "/operators/3/uid". */
  readonly path: string
  readonly message: string
  readonly cure: string
}
