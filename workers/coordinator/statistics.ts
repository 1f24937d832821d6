/**
 * What is remembered of checkpoints for REST and the page. Flink: CheckpointStatsTracker, CheckpointStatsHistory, CheckpointStatsCounts
 * (behaviour 19.1). Lives in the JobManager's process: kept over restarts of tasks, lost with the JobManager.
 */
import { isSavepoint } from '../model/checkpoint.ts'
import type { CheckpointMetrics, SavepointFormat, SnapshotType } from '../model/checkpoint.ts'
import type { CheckpointId, VertexId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import { millisBetween } from '../model/time.ts'
import { StatsSummary } from './stats-summary.ts'

export interface SubtaskStats {
  readonly ackAt: EngineTime
  readonly metrics: CheckpointMetrics
  /** Of a task that had finished before: sizes are zero. */
  readonly finished: boolean
  /** Reported after the checkpoint had been aborted. */
  readonly aborted: boolean
}

export interface CheckpointStats {
  readonly id: CheckpointId
  readonly type: SnapshotType
  /** Null: a checkpoint. */
  readonly format: SavepointFormat | null
  readonly triggeredAt: EngineTime
  readonly numSubtasks: number
  status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'
  latestAckAt: EngineTime | null
  failedAt: EngineTime | null
  failureMessage: string | null
  externalPath: string | null
  discarded: boolean
  readonly vertices: Map<VertexId, { readonly tasks: number; readonly subtasks: Map<number, SubtaskStats> }>
}

export interface RestoredStats {
  readonly id: CheckpointId
  readonly restoredAt: EngineTime
  readonly externalPath: string
  readonly savepoint: boolean
}

export const NO_METRICS: CheckpointMetrics = {
  startDelayMicros: 0,
  alignmentMicros: 0,
  syncMicros: 0,
  asyncMicros: 0,
  processedBytes: 0,
  persistedBytes: 0,
  checkpointedBytes: 0,
  stateBytes: 0,
  measured: false,
}

export interface CheckpointTotals {
  readonly checkpointedBytes: number
  readonly stateBytes: number
  readonly processedBytes: number
  readonly persistedBytes: number
  readonly acknowledged: number
}

export class CheckpointStatistics {
  total = 0
  completed = 0
  failed = 0
  restored = 0
  latestCompleted: CheckpointStats | null = null
  latestSavepoint: CheckpointStats | null = null
  latestFailed: CheckpointStats | null = null
  latestRestored: RestoredStats | null = null
  readonly summary = {
    checkpointedSize: new StatsSummary(),
    stateSize: new StatsSummary(),
    duration: new StatsSummary(),
    processed: new StatsSummary(),
    persisted: new StatsSummary(),
  }
  /** Newest first, those in progress included. */
  private list: CheckpointStats[] = []
  /** In progress, also those that newer ones have pushed out of the history. */
  private readonly open = new Map<CheckpointId, CheckpointStats>()
  private readonly limit: number

  /** @param limit `web.checkpoints.history`; 0: none. */
  constructor(limit: number) {
    this.limit = limit
  }

  get inProgress(): number {
    return this.total - this.completed - this.failed
  }

  get history(): readonly CheckpointStats[] {
    return this.list
  }

  /** As long as anything shows it: the history, or one of the latest. */
  find(id: CheckpointId): CheckpointStats | null {
    const known = [...this.list, this.latestCompleted, this.latestSavepoint, this.latestFailed]
    return known.find((stats) => stats?.id === id) ?? null
  }

  /** Details answer for what the history holds alone. */
  inHistory(id: CheckpointId): CheckpointStats | null {
    return this.list.find((stats) => stats.id === id) ?? null
  }

  triggered(
    id: CheckpointId,
    type: SnapshotType,
    now: EngineTime,
    vertices: readonly { readonly id: VertexId; readonly tasks: number; readonly finished: readonly number[] }[],
    format: SavepointFormat | null = null,
  ): void {
    const numSubtasks = vertices.reduce((sum, vertex) => sum + vertex.tasks, 0)
    const stats: CheckpointStats = {
      id, type, format, triggeredAt: now, numSubtasks, status: 'IN_PROGRESS', latestAckAt: null, failedAt: null, failureMessage: null,
      externalPath: null, discarded: false, vertices: new Map(),
    }
    for (const vertex of vertices) {
      const finished = vertex.finished.map((subtask): [number, SubtaskStats] => [
        subtask,
        { ackAt: now, metrics: NO_METRICS, finished: true, aborted: false },
      ])
      stats.vertices.set(vertex.id, { tasks: vertex.tasks, subtasks: new Map(finished) })
    }
    this.total++
    this.list = [stats, ...this.list].slice(0, this.limit)
    this.open.set(id, stats)
  }

  /** Late ones fill in too, marked as aborted. */
  acknowledged(id: CheckpointId, vertex: VertexId, subtask: number, metrics: CheckpointMetrics, now: EngineTime): void {
    const stats = this.open.get(id) ?? this.find(id)
    const known = stats?.vertices.get(vertex)
    if (stats === null || stats === undefined || known === undefined || known.subtasks.has(subtask)) return
    known.subtasks.set(subtask, { ackAt: now, metrics, finished: false, aborted: stats.status === 'FAILED' })
    stats.latestAckAt = now
  }

  completedCheckpoint(id: CheckpointId, externalPath: string): CheckpointTotals {
    const stats = this.open.get(id)
    if (stats === undefined) throw new RangeError(`checkpoint ${id} is not in progress`)
    this.open.delete(id)
    stats.status = 'COMPLETED'
    stats.externalPath = externalPath
    this.completed++
    if (isSavepoint(stats.type)) this.latestSavepoint = stats
    else this.latestCompleted = stats
    const totals = totalsOf(stats)
    this.summary.checkpointedSize.add(totals.checkpointedBytes)
    this.summary.stateSize.add(totals.stateBytes)
    this.summary.duration.add(durationMillis(stats) ?? 0)
    this.summary.processed.add(totals.processedBytes)
    this.summary.persisted.add(totals.persistedBytes)
    return totals
  }

  failedCheckpoint(id: CheckpointId, message: string, now: EngineTime): void {
    const stats = this.open.get(id)
    if (stats === undefined) return
    this.open.delete(id)
    stats.status = 'FAILED'
    stats.failedAt = now
    stats.failureMessage = message
    this.failed++
    this.latestFailed = stats
  }

  /** A failure before there was a pending checkpoint: counted, but no row. */
  failedPreFlight(): void {
    this.total++
    this.failed++
  }

  discarded(id: CheckpointId): void {
    const stats = this.find(id)
    if (stats !== null) stats.discarded = true
  }

  restoredFrom(id: CheckpointId, externalPath: string, now: EngineTime, savepoint = false): void {
    this.restored++
    this.latestRestored = { id, restoredAt: now, externalPath, savepoint }
  }
}

export function totalsOf(stats: CheckpointStats): CheckpointTotals {
  const all = [...stats.vertices.values()].flatMap((vertex) => [...vertex.subtasks.values()])
  return totalsOfSubtasks(all)
}

export function totalsOfSubtasks(subtasks: readonly SubtaskStats[]): CheckpointTotals {
  const sum = (pick: (metrics: CheckpointMetrics) => number): number => subtasks.reduce((total, { metrics }) => total + pick(metrics), 0)
  return {
    checkpointedBytes: sum((m) => m.checkpointedBytes),
    stateBytes: sum((m) => m.stateBytes),
    processedBytes: sum((m) => m.processedBytes),
    persistedBytes: sum((m) => m.persistedBytes),
    acknowledged: subtasks.length,
  }
}

/** End to end in milliseconds (behaviour 19.1); null: in progress without any acknowledgement. */
export function durationMillis({ status, failedAt, latestAckAt, triggeredAt }: CheckpointStats): number | null {
  const end = status === 'FAILED' ? (failedAt ?? triggeredAt) : latestAckAt
  return end === null ? null : millisBetween(triggeredAt, end)
}
