import type { ChannelId, CheckpointId, ExecutionAttemptId, OperatorId, VertexId } from './ids.ts'
import type { Value } from './schema.ts'
import type { TaskMetrics } from './task-metrics.ts'
import type { EngineTime } from './time.ts'

/** Flow level: cumulative figures of one task, latest wins. Made by `StreamTask.report`; hosts send it a few times a second. */
export interface TaskReport {
  readonly attempt: ExecutionAttemptId
  readonly vertex: VertexId
  readonly subtask: number
  readonly at: EngineTime
  /** In words of the design: what the subtask is doing. */
  readonly activity: TaskActivity
  readonly recordsIn: number
  readonly recordsOut: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Cumulative engine time. busy + idle + backpressured = time since RUNNING. */
  readonly busyMicros: EngineTime
  readonly idleMicros: EngineTime
  readonly backpressuredMicros: EngineTime
  /** What of `backpressuredMicros` was hard (behaviour 8.4); the rest was soft. */
  readonly hardBackpressuredMicros: EngineTime
  readonly inputs: readonly InputChannelReport[]
  readonly outputs: readonly OutputChannelReport[]
  readonly inPoolUsage: number
  /** More than 1 while the overdraft is in use. */
  readonly outPoolUsage: number
  readonly operators: readonly OperatorReport[]
  readonly checkpoint: TaskCheckpointReport | null
  readonly metrics: TaskMetrics
}

export type TaskActivity =
  | 'restoring'
  | 'processing'
  | 'idle'
  | 'backpressured'
  | 'aligning'
  | 'sync'
  | 'waiting-outside'
  | 'waiting-for-final-checkpoint'
  /** Its part of a savepoint that stops the job is taken. */
  | 'waiting-for-savepoint'
  | 'finished'
  | 'canceled'
  | 'failed'

export interface InputChannelReport {
  readonly channel: ChannelId
  /** Size of the sender's new buffers: the segment size, or what buffer debloating made of it. */
  readonly bufferBytes?: number
  readonly blocked: boolean
  readonly buffers: number
  readonly records: number
  readonly bytes: number
  /** All that has come from the sender, from its first buffer on; restored in-flight data has not. */
  readonly receivedBuffers?: number
  readonly receivedRecords?: number
  /** The barrier waiting in this queue and how much stands before it, if one does. */
  readonly barrier: { readonly checkpointId: CheckpointId; readonly buffersAhead: number; readonly recordsAhead: number } | null
}

export interface OutputChannelReport {
  readonly channel: ChannelId
  readonly buffers: number
  readonly records: number
  readonly bytes: number
  readonly credits: number
  /** Stopped since its barrier was taken by the receiver. */
  readonly stopped: boolean
  /** All that has left, from the first buffer on. */
  readonly sentRecords: number
  readonly sentBuffers: number
  /** The last barriers of the channel, oldest first, wherever they are now. */
  readonly barriers?: readonly BarrierPosition[]
}

/** Where in the channel's stream of buffers a barrier stands. */
export interface BarrierPosition {
  readonly checkpointId: CheckpointId
  /** How many buffers and records of the channel leave before it, from the first one on. */
  readonly buffersBefore: number
  readonly recordsBefore: number
  /** It has left the sender. */
  readonly hasLeft: boolean
  /** It does not wait in the receiver's queue either. */
  readonly overtakes: boolean
}

export interface OperatorReport {
  readonly operator: OperatorId
  readonly uid: string
  /** Null: the operator keeps no such state ("no state" on the page). */
  readonly keyed: KeyedStateReport | null
  /** `first`: where the split begins, `end`: behind its last record; null: so far away that nobody gets there. */
  readonly splits: readonly { readonly split: string; readonly partition: number; readonly offset: number; readonly first: number; readonly end: number | null }[] | null
  readonly transactions: readonly { readonly id: string; readonly rows: number; readonly state: 'open' | 'pre-committed' }[] | null
}

export interface KeyedStateReport {
  readonly keys: number
  /** Column names after the key: the fields of the state values. */
  readonly columns: readonly string[]
  /** At most `REPORTED_ROWS_MAX` rows, in key-group order, the most recently changed ones among them. */
  readonly rows: readonly { readonly key: Value; readonly keyGroup: number; readonly value: Value; readonly changedAt: EngineTime }[]
}

export const REPORTED_ROWS_MAX = 200

export interface TaskCheckpointReport {
  readonly checkpointId: CheckpointId
  readonly phase: 'aligning' | 'sync' | 'async' | 'acknowledged'
  readonly since: EngineTime
  readonly writtenBytes: number
  readonly totalBytes: number
}
