/** How the barriers of a checkpoint align. Flink: CheckpointOptions.forConfig (behaviour 2.5). */
import { isSavepoint } from '../model/checkpoint.ts'
import type { CheckpointOptions, SnapshotType } from '../model/checkpoint.ts'
import type { CheckpointingSettings } from '../model/job-graph.ts'

export function checkpointOptionsOf(settings: CheckpointingSettings, type: SnapshotType, location: string): CheckpointOptions {
  if (!isExactlyOnce(settings)) return { alignment: 'AT_LEAST_ONCE', type, location }
  if (isSavepoint(type) || !settings.unalignedEnabled) return { alignment: 'ALIGNED', type, location }
  if (settings.alignedTimeoutMicros === 0) return { alignment: 'UNALIGNED', type, location }
  return { alignment: 'ALIGNED', alignedTimeoutMicros: settings.alignedTimeoutMicros, type, location }
}

/** Without periodic checkpoints tasks never block, whatever the mode says (behaviour 2.3). */
export const isExactlyOnce = (settings: CheckpointingSettings): boolean =>
  settings.intervalMicros !== null && settings.mode === 'EXACTLY_ONCE'
