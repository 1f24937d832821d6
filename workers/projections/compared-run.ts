/** Two runs of one job that differ in how barriers behave: what is asked of the worker that simulates them, and what it answers. */
import type { JobDocument } from '../model/job-document.ts'
import type { CheckpointingSettings, JobGraph } from '../model/job-graph.ts'
import type { Fault } from '../model/scenario-document.ts'
import type { EngineTime } from '../model/time.ts'
import { inFlightBytes } from './checkpoint-view.ts'
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

/** Taken where a job has no interval: without one there would be nothing to compare. */
export const ASSUMED_INTERVAL_MICROS = 10_000_000

/** How often both runs trigger a checkpoint. */
export interface ComparedInterval {
  readonly intervalMicros: EngineTime
  /** The job itself has no interval. */
  readonly assumed: boolean
  /** The larger of the interval and min-pause: what is in force. */
  readonly periodMicros: EngineTime
}

/** `settings` are the job's own, as it would run live. */
export function comparedInterval(settings: Pick<CheckpointingSettings, 'intervalMicros' | 'minPauseMicros'>): ComparedInterval {
  const intervalMicros = settings.intervalMicros ?? ASSUMED_INTERVAL_MICROS
  return { intervalMicros, assumed: settings.intervalMicros === null, periodMicros: Math.max(intervalMicros, settings.minPauseMicros) }
}

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

/** Bytes in flight that a checkpoint persisted, and how it failed, if it did. */
export interface PersistedInFlight {
  readonly bytes: number
  readonly failed: 'expired' | 'failed' | null
}

/**
 * Aligned, nothing in flight is ever persisted, however the checkpoint ends. Unaligned, only one that has completed has a whole account: null
 * until then.
 */
export function persistedInFlight(mode: ComparedMode, record: CheckpointRecord): PersistedInFlight | null {
  const costs = checkpointCosts(record)
  if (costs !== null) return { bytes: costs.persistedBytes, failed: null }
  if (mode === 'unaligned') return null
  const reason = record.reason === 'CHECKPOINT_EXPIRED' ? 'expired' : 'failed'
  return { bytes: inFlightBytes(record), failed: record.status === 'FAILED' ? reason : null }
}
