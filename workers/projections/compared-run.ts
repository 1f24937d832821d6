/** Two runs of one job that differ in how barriers behave: what is asked of the worker that simulates them, and what it answers. */
import type { JobDocument } from '../model/job-document.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { Fault } from '../model/scenario-document.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointRecord } from './checkpoint-view.ts'

export type ComparedMode = 'aligned' | 'unaligned'

export interface CompareRequest {
  readonly document: JobDocument
  /** Where built-in data sets lie. */
  readonly base: string
  readonly seed: number
  /** Cost of a record at one operator, which puts what is above it under backpressure. */
  readonly cost: { readonly uid: string; readonly micros: EngineTime }
  readonly fault: { readonly fault: Fault; readonly at: EngineTime } | null
  /** A run ends when so many checkpoints have ended, or at `limit`. */
  readonly checkpoints: number
  readonly limit: EngineTime
}

export interface ComparedRun {
  readonly mode: ComparedMode
  readonly graph: JobGraph
  readonly runHash: string
  readonly endedAt: EngineTime
  readonly checkpoints: readonly CheckpointRecord[]
  readonly restarts: number
}

export type CompareAnswer =
  | { readonly type: 'progress'; readonly mode: ComparedMode; readonly at: EngineTime; readonly ended: number }
  | { readonly type: 'done'; readonly runs: readonly ComparedRun[] }
  | { readonly type: 'failed'; readonly message: string }

/** What a checkpoint cost, over its subtasks. Null: it has not completed, so there is no whole account. */
export interface CheckpointCosts {
  readonly durationMicros: EngineTime
  /** The longest of all subtasks. */
  readonly alignmentMicros: EngineTime
  readonly startDelayMicros: EngineTime
  /** Bytes in flight that became part of the snapshot, of all subtasks. */
  readonly persistedBytes: number
  readonly checkpointedBytes: number
}

export function checkpointCosts(record: CheckpointRecord): CheckpointCosts | null {
  if (record.status !== 'COMPLETED' || record.endedAt === null) return null
  const metrics = record.subtasks.flatMap((subtask) => (subtask.metrics === null ? [] : [subtask.metrics]))
  return {
    durationMicros: record.endedAt - record.triggeredAt,
    alignmentMicros: Math.max(0, ...metrics.map((one) => one.alignmentMicros)),
    startDelayMicros: Math.max(0, ...metrics.map((one) => one.startDelayMicros)),
    persistedBytes: metrics.reduce((sum, one) => sum + one.persistedBytes, 0),
    checkpointedBytes: record.checkpointedBytes,
  }
}
