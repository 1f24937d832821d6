/**
 * `/jobs/:jobid/checkpoints` and what is below it. Flink: CheckpointingStatisticsHandler, CheckpointStatistics, TaskCheckpointStatistics,
 * SubtaskCheckpointStatistics (behaviour 19.2). `alignment_buffered` is always 0, as in Flink.
 */
import { must } from '../../base/assert.ts'
import { durationMillis, totalsOf, totalsOfSubtasks } from '../../coordinator/statistics.ts'
import { isSavepoint } from '../../model/checkpoint.ts'
import type { CheckpointStatistics, CheckpointStats, SubtaskStats } from '../../coordinator/statistics.ts'
import { StatsSummary } from '../../coordinator/stats-summary.ts'
import type { VertexId } from '../../model/ids.ts'
import { millisBetween, toMillis } from '../../model/time.ts'
import { millisOr } from './rest-answers.ts'

const PERCENTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 } as const

export function checkpointsAnswer(statistics: CheckpointStatistics): unknown {
  const { summary, latestRestored } = statistics
  return {
    counts: {
      restored: statistics.restored,
      total: statistics.total,
      in_progress: statistics.inProgress,
      completed: statistics.completed,
      failed: statistics.failed,
    },
    summary: {
      checkpointed_size: summaryAnswer(summary.checkpointedSize),
      state_size: summaryAnswer(summary.stateSize),
      end_to_end_duration: summaryAnswer(summary.duration),
      alignment_buffered: { min: 0, max: 0, avg: 0, p50: 0, p90: 0, p95: 0, p99: 0, p999: 0 },
      processed_data: summaryAnswer(summary.processed),
      persisted_data: summaryAnswer(summary.persisted),
    },
    latest: {
      completed: statistics.latestCompleted === null ? null : checkpointAnswer(statistics.latestCompleted, false),
      savepoint: statistics.latestSavepoint === null ? null : checkpointAnswer(statistics.latestSavepoint, false),
      failed: statistics.latestFailed === null ? null : checkpointAnswer(statistics.latestFailed, false),
      restored:
        latestRestored === null
          ? null
          : {
              id: latestRestored.id,
              restore_timestamp: toMillis(latestRestored.restoredAt),
              is_savepoint: latestRestored.savepoint,
              external_path: latestRestored.externalPath,
            },
    },
    history: statistics.history.map((stats) => checkpointAnswer(stats, false)),
  }
}

export function checkpointAnswer(stats: CheckpointStats, withTasks: boolean): unknown {
  const totals = totalsOf(stats)
  return {
    className: stats.status.toLowerCase(),
    id: stats.id,
    status: stats.status,
    is_savepoint: isSavepoint(stats.type),
    savepointFormat: stats.format,
    trigger_timestamp: toMillis(stats.triggeredAt),
    latest_ack_timestamp: millisOr(stats.latestAckAt),
    checkpointed_size: totals.checkpointedBytes,
    state_size: totals.stateBytes,
    end_to_end_duration: durationMillis(stats) ?? -1,
    alignment_buffered: 0,
    processed_data: totals.processedBytes,
    persisted_data: totals.persistedBytes,
    num_subtasks: stats.numSubtasks,
    num_acknowledged_subtasks: totals.acknowledged,
    checkpoint_type: checkpointType(stats),
    tasks: withTasks ? Object.fromEntries([...stats.vertices.keys()].map((vertex) => [vertex, taskAnswer(stats, vertex)])) : {},
    ...(stats.status === 'COMPLETED' ? { external_path: stats.externalPath, discarded: stats.discarded } : {}),
    ...(stats.status === 'FAILED' ? { failure_timestamp: millisOr(stats.failedAt), failure_message: stats.failureMessage } : {}),
  }
}

/** Flink tells it by what was stored: an unaligned checkpoint of an idle pipeline is shown as aligned (behaviour 6.5). */
const isUnaligned = ({ metrics }: SubtaskStats): boolean => metrics.persistedBytes > 0

function checkpointType(stats: CheckpointStats): 'CHECKPOINT' | 'UNALIGNED_CHECKPOINT' | 'SAVEPOINT' | 'SYNC_SAVEPOINT' {
  if (stats.type === 'SAVEPOINT' || stats.type === 'SYNC_SAVEPOINT') return stats.type
  const subtasks = [...stats.vertices.values()].flatMap((vertex) => [...vertex.subtasks.values()])
  return subtasks.some(isUnaligned) ? 'UNALIGNED_CHECKPOINT' : 'CHECKPOINT'
}

function taskAnswer(stats: CheckpointStats, vertex: VertexId): Record<string, unknown> {
  const { tasks, subtasks } = must(stats.vertices.get(vertex), `statistics of ${vertex}`)
  const acknowledged = [...subtasks.values()]
  const totals = totalsOfSubtasks(acknowledged)
  const latest = acknowledged.length === 0 ? null : Math.max(...acknowledged.map((subtask) => subtask.ackAt))
  return {
    id: stats.id,
    status: stats.status,
    latest_ack_timestamp: millisOr(latest),
    checkpointed_size: totals.checkpointedBytes,
    state_size: totals.stateBytes,
    end_to_end_duration: latest === null ? -1 : millisBetween(stats.triggeredAt, latest),
    alignment_buffered: 0,
    processed_data: totals.processedBytes,
    persisted_data: totals.persistedBytes,
    num_subtasks: tasks,
    num_acknowledged_subtasks: totals.acknowledged,
  }
}

/** `…/details/:id/subtasks/:vertex`; null: no such vertex. */
export function subtasksAnswer(stats: CheckpointStats, vertex: VertexId): unknown {
  const known = stats.vertices.get(vertex)
  if (known === undefined) return null
  const indexes = Array.from({ length: known.tasks }, (_, index) => index)
  return {
    ...taskAnswer(stats, vertex),
    summary: subtaskSummary(stats, [...known.subtasks.values()]),
    subtasks: indexes.map((index) => subtaskAnswer(stats, index, known.subtasks.get(index) ?? null)),
  }
}

function subtaskAnswer(stats: CheckpointStats, index: number, subtask: SubtaskStats | null): unknown {
  if (subtask === null) return { className: 'pending', index, status: 'pending_or_failed' }
  const { metrics } = subtask
  return {
    className: 'completed',
    index,
    status: 'completed',
    ack_timestamp: toMillis(subtask.ackAt),
    end_to_end_duration: millisBetween(stats.triggeredAt, subtask.ackAt),
    checkpointed_size: metrics.checkpointedBytes,
    state_size: metrics.stateBytes,
    checkpoint: { sync: toMillis(metrics.syncMicros), async: toMillis(metrics.asyncMicros) },
    alignment: {
      buffered: 0,
      processed: metrics.processedBytes,
      persisted: metrics.persistedBytes,
      duration: toMillis(metrics.alignmentMicros),
    },
    start_delay: toMillis(metrics.startDelayMicros),
    unaligned_checkpoint: isUnaligned(subtask),
    aborted: subtask.aborted,
  }
}

function subtaskSummary(stats: CheckpointStats, subtasks: readonly SubtaskStats[]): unknown {
  const of = (pick: (subtask: SubtaskStats) => number): unknown => {
    const summary = new StatsSummary()
    for (const subtask of subtasks) summary.add(pick(subtask))
    return withoutPercentiles(summary)
  }
  return {
    checkpointed_size: of(({ metrics }) => metrics.checkpointedBytes),
    state_size: of(({ metrics }) => metrics.stateBytes),
    end_to_end_duration: withAckPercentiles(stats, subtasks),
    checkpoint_duration: { sync: of(({ metrics }) => toMillis(metrics.syncMicros)), async: of(({ metrics }) => toMillis(metrics.asyncMicros)) },
    alignment: {
      buffered: of(() => 0),
      processed: of(({ metrics }) => metrics.processedBytes),
      persisted: of(({ metrics }) => metrics.persistedBytes),
      duration: of(({ metrics }) => toMillis(metrics.alignmentMicros)),
    },
    start_delay: of(({ metrics }) => toMillis(metrics.startDelayMicros)),
  }
}

/** Flink's quirk: these percentiles are computed on the times of the acknowledgements themselves (behaviour 19.1). */
function withAckPercentiles(stats: CheckpointStats, subtasks: readonly SubtaskStats[]): unknown {
  const acks = new StatsSummary()
  for (const { ackAt } of subtasks) acks.add(toMillis(ackAt))
  const since = (ack: number): number => Math.max(0, ack - toMillis(stats.triggeredAt))
  return { min: since(acks.min), max: since(acks.max), avg: since(acks.average), ...percentilesOf(acks) }
}

/** Summaries over subtasks have no percentiles in Flink (behaviour 19.1). */
const withoutPercentiles = (summary: StatsSummary): unknown => ({ ...minMaxAvg(summary), ...percentilesOf(new StatsSummary()) })

const summaryAnswer = (summary: StatsSummary): unknown => ({ ...minMaxAvg(summary), ...percentilesOf(summary) })

const minMaxAvg = (summary: StatsSummary) => ({ min: summary.min, max: summary.max, avg: summary.average })

function percentilesOf(summary: StatsSummary): Record<string, number | 'NaN'> {
  const values = summary.percentiles(Object.values(PERCENTILES))
  return Object.fromEntries(Object.keys(PERCENTILES).map((name, index) => [name, orText(values[index] ?? Number.NaN)]))
 }

/** JSON has no NaN: Flink writes it as text. */
const orText = (value: number): number | 'NaN' => (Number.isNaN(value) ? 'NaN' : value)
