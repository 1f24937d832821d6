import type { ChannelId, ExecutionAttemptId, FencingToken, JobId, SubtaskIndex, VertexId } from './ids.ts'
import type { BufferDebloatSettings, OperatorDescription } from './job-graph.ts'
import type { Ship } from './job-document.ts'
import type { OperatorRestoreState } from './state-handles.ts'
import type { Schema } from './schema.ts'
import type { EngineTime } from './time.ts'

/** All that a task needs to start: plain data, sent from the JobManager through a TaskManager. */
export interface TaskDeployment {
  readonly job: JobId
  readonly token: FencingToken
  readonly attempt: ExecutionAttemptId
  readonly attemptNumber: number
  readonly vertex: VertexId
  readonly name: string
  readonly subtask: SubtaskIndex
  readonly parallelism: number
  readonly maxParallelism: number
  readonly chain: readonly OperatorDescription[]
  /** One gate per input edge. The channels of all gates, in order, have the task's channel numbers 0, 1, 2 … */
  readonly gates: readonly GateDescription[]
  /** One partition per output edge. The subpartitions of all, in order, have the task's output numbers 0, 1, 2 … */
  readonly partitions: readonly PartitionDescription[]
  readonly settings: TaskSettings
  readonly restore: TaskRestore | null
  /** For the generators of this task. */
  readonly seed: number
  readonly traced: boolean
}

export interface GateDescription {
  readonly edge: number
  readonly input: number
  readonly schema: Schema
  readonly ship: Ship
  /** Key fields of a hash edge: recovered in-flight data is filtered by them. Absent: none. */
  readonly by?: readonly string[]
  /** `delayMicros`: what comes through it takes so much longer on its way; absent: no longer. */
  readonly channels: readonly { readonly id: ChannelId; readonly vertex: VertexId; readonly subtask: SubtaskIndex; readonly delayMicros?: EngineTime }[]
}

export interface PartitionDescription {
  readonly edge: number
  readonly schema: Schema
  readonly ship: Ship
  readonly by: readonly string[]
  /** Mixed into the hash of keys by this sender alone. Absent: the hash is the same everywhere. */
  readonly hashSalt?: number
  /** False: barriers on this edge always align (behaviour 6.6). Absent: true. */
  readonly unalignedSupported?: boolean
  /** Of the receiving vertex: for the key groups of a hash edge. */
  readonly maxParallelism: number
  /** `bytesPerSecond`: what the channel takes, in Flink's encoding; absent: as much as comes. */
  readonly subpartitions: readonly { readonly id: ChannelId; readonly vertex: VertexId; readonly subtask: SubtaskIndex; readonly bytesPerSecond?: number }[]
}

export interface TaskSettings {
  /** False: checkpointing is off or at-least-once, channels are never blocked (behaviour 2.3). */
  readonly exactlyOnce: boolean
  readonly checkpointingEnabled: boolean
  /** Barriers may turn unaligned: the handler knows both ways (behaviour 6.1). Absent: false. */
  readonly unalignedEnabled?: boolean
  readonly afterTasksFinish: boolean
  readonly bufferTimeoutMicros: EngineTime
  readonly segmentBytes: number
  /** Absent: off. */
  readonly debloat?: BufferDebloatSettings
  readonly inlineThresholdBytes: number
  /** JobManager storage: all state travels with the acknowledgement, and a stream of it may have so much. Absent: filesystem storage. */
  readonly memoryStateLimitBytes?: number
  /** Copies of keyed state stay with the TaskManager. Absent: none. */
  readonly localBackup?: boolean
  /** The largest message to the JobManager. Absent: no limit. */
  readonly frameBytes?: number
  readonly syncCostMicros: EngineTime
  /** On top of it, of each operator of the chain: by checkpoint id from 1, in turn. Absent: none. */
  readonly syncCosts?: readonly (readonly EngineTime[])[]
  readonly storageLatencyMicros: EngineTime
  readonly storageBytesPerSecond: number | null
  readonly linkLatencyMicros: EngineTime
}

export interface TaskRestore {
  readonly checkpointId: number
  /** Directory of `_metadata`: relative handles are resolved against it. */
  readonly location: string
  readonly operators: readonly OperatorRestoreState[]
  /** The TaskManager's copies of keyed state are read where it has them. Absent: no. */
  readonly fromLocal?: true
  /** All operators of the chain had finished: nothing is emitted but the maximum watermark and the end of data (behaviour 14). */
  readonly isFinished?: boolean
}
