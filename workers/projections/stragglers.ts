/**
 * Subtasks that took much longer than their fellows: total ≥ max(p95, 1.5 × median), within one operator (Flink's Timeline has the same
 * bound over all subtasks; what stands downstream is late by nature, so operators are not compared with each other here).
 */
import type { EngineTime } from '../model/time.ts'
import { subtaskDuration } from './checkpoint-phases.ts'
import type { CheckpointRecord, SubtaskCheckpoint } from './checkpoint-view.ts'

export const STRAGGLER_RULE = 'at least max(p95, 1.5 × median) of its operator'
const MEDIAN_FACTOR = 1.5

/** Of those that have acknowledged. One alone is no straggler. */
export function stragglers(record: CheckpointRecord): SubtaskCheckpoint[] {
  const found: SubtaskCheckpoint[] = []
  for (const vertex of new Set(record.subtasks.map((subtask) => subtask.vertex))) {
    const fellows = record.subtasks.filter((subtask) => subtask.vertex === vertex)
    const totals = fellows.map((subtask) => subtaskDuration(record, subtask)).filter((total) => total !== null)
    if (totals.length < 2) continue
    const bound = stragglerBound(totals)
    found.push(...fellows.filter((subtask) => (subtaskDuration(record, subtask) ?? -1) >= bound))
  }
  return found
}

export function stragglerBound(totals: readonly EngineTime[]): number {
  const sorted = totals.toSorted((a, b) => a - b)
  return Math.max(percentile(sorted, 0.95), MEDIAN_FACTOR * percentile(sorted, 0.5))
}

/** Between the two nearest, as Flink's DescriptiveStatisticsHistogram estimates it. */
function percentile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length + 1)
  const below = Math.min(sorted.length, Math.max(1, Math.floor(place)))
  const low = sorted[below - 1] ?? 0
  const high = sorted[Math.min(sorted.length, below + 1) - 1] ?? low
  return place < 1 ? low : low + (place - below) * (high - low)
}
