/** The phases of one subtask's checkpoint as bars on a time axis (Flink: start delay, alignment, sync, async). */
import type { EngineTime } from '../model/time.ts'
import type { CheckpointRecord, SubtaskCheckpoint } from './checkpoint-view.ts'

export type PhaseName = 'start-delay' | 'alignment' | 'sync' | 'async'

export interface PhaseBar {
  readonly phase: PhaseName
  /** Engine time since the trigger. */
  readonly from: EngineTime
  readonly to: EngineTime
  /** Still going on: `to` is now. */
  readonly open: boolean
}

/** Bars that touch each other and add up from the trigger to the end of the subtask's work, or to now. */
export function phaseBars(record: CheckpointRecord, subtask: SubtaskCheckpoint, now: EngineTime): PhaseBar[] {
  const end = Math.max(record.triggeredAt, record.endedAt ?? now)
  const bounds: [PhaseName, EngineTime | null][] = [
    ['start-delay', subtask.startedAt],
    ['alignment', subtask.syncStartedAt ?? subtask.alignedAt],
    ['sync', subtask.syncEndedAt],
    ['async', subtask.asyncEndedAt ?? subtask.acknowledgedAt],
  ]
  const bars: PhaseBar[] = []
  let from = record.triggeredAt
  for (const [phase, at] of bounds) {
    const open = at === null
    // What a subtask went on doing after the checkpoint had ended (its abort was still on its way) belongs to no checkpoint any more.
    const to = Math.max(from, open ? end : Math.min(at, end))
    if (to > from || (open && record.endedAt === null)) bars.push({ phase, from: from - record.triggeredAt, to: to - record.triggeredAt, open: open && record.endedAt === null })
    if (open) break
    from = to
  }
  return bars.filter((bar) => bar.phase !== 'alignment' || subtask.expectedBarriers > 0)
}

/** From the trigger to the end of this subtask's part; null while it is under way. */
export const subtaskDuration = (record: CheckpointRecord, subtask: SubtaskCheckpoint): EngineTime | null =>
  subtask.acknowledgedAt === null ? null : subtask.acknowledgedAt - record.triggeredAt
