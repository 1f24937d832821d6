import type { FieldType, Scalar } from './schema.ts'

/** The job document `weir/job@1`: what is drawn, saved, shared and started. Its JSON Schema is `public/schema/job.schema.json`. */
export interface JobDocument {
  readonly weir: 'job@1'
  readonly name: string
  /** Flink option keys with Flink's value syntax. */
  readonly config?: Readonly<Record<string, string | number | boolean>>
  /** Settings of the playground itself, in engine time; no Flink option says these. */
  readonly playground?: PlaygroundSettings
  readonly topics?: readonly TopicDocument[]
  readonly operators: readonly OperatorDocument[]
  readonly edges: readonly EdgeDocument[]
}

export interface PlaygroundSettings {
  /** Durations in Flink's syntax ("20 ms"). */
  readonly linkLatency?: string
  readonly syncCost?: string
  readonly storageLatency?: string
  /** Bytes per second of engine time that a task uploads ("1 mb"); absent: not modelled. */
  readonly storageBandwidth?: string
  readonly detectionDelay?: string
  /** What one stream of state may have with JobManager storage ("5 mb"); in Flink an argument of `JobManagerCheckpointStorage`, no option. */
  readonly maxMemoryStateSize?: string
  readonly taskManagers?: number
  readonly slotsPerTaskManager?: number
}

export interface TopicDocument {
  readonly name: string
  readonly partitions: number
  /** One of: a built-in data set, rows in the document, a generator. */
  readonly data?: string
  readonly rows?: readonly (readonly Scalar[] | Scalar)[]
  /** Required with `rows`. A built-in data set brings its own. */
  readonly schema?: SchemaDocument
}

export interface SchemaDocument {
  readonly kind?: 'bare' | 'tuple' | 'row'
  readonly fields: Readonly<Record<string, FieldType>>
}

export interface OperatorDocument {
  /** Names the operator in this document, and in Flink (`uid`) unless `generatedUid` says otherwise. */
  readonly uid: string
  /** The program sets no uid: the operator's id is generated from its place in the graph, and changes with the graph (behaviour 12.1). */
  readonly generatedUid?: boolean
  /** Id that the operator had in an earlier job, 32 hexadecimal digits: its state is found by it first (`setUidHash`). */
  readonly uidHash?: string
  readonly type: string
  readonly name?: string
  readonly parallelism?: number
  readonly maxParallelism?: number
  readonly params?: Readonly<Record<string, unknown>>
  /** The schema of the output, where it cannot be inferred. */
  readonly output?: SchemaDocument
  /** Cost of one record in engine time ("14 ms"). */
  readonly cost?: string
  /** Engine time of the synchronous part of checkpoints 1, 2, 3 …, from the beginning again at the end of the list. */
  readonly syncCosts?: readonly string[]
  /** Where it stands on the canvas, in world units. Means nothing to the engine. */
  readonly position?: { readonly x: number; readonly y: number }
}

export type Ship = 'forward' | 'rebalance' | 'hash' | 'broadcast' | 'rescale'

export interface EdgeDocument {
  readonly from: string
  readonly to: string
  /** How records are shipped; `hash` needs `by`. Default: forward at equal parallelism, else rebalance, as in Flink. */
  readonly ship?: Ship
  readonly by?: readonly string[]
  /** Of a hash edge: every sending subtask hashes keys in its own way, as keys do whose `hashCode` is that of the object. */
  readonly unstableHash?: boolean
  /** What each of its channels takes, in bytes of Flink's encoding per second of engine time ("64 kb"). Absent: as much as comes. */
  readonly rate?: string
  /** What is sent through it takes so much longer on its way, in order ("200 ms"). Absent: no longer than the latency of links. */
  readonly delay?: string
  /** Input number at `to`, from 1. */
  readonly input?: number
}
