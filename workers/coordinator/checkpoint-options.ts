/** How the barriers of a checkpoint align. Flink: CheckpointOptions.forConfig (behaviour 2.5). */
import { isSavepoint } from '../model/checkpoint.ts'
import type { CheckpointOptions } from '../model/checkpoint.ts'
import type { CheckpointingSettings } from '../model/job-graph.ts'

/** What is asked for, whatever the job's options say. */
export type SnapshotWish = Omit<CheckpointOptions, 'alignment' | 'alignedTimeoutMicros'>

/** A savepoint always aligns and never times out, also where checkpoints are unaligned (behaviour 13.1). */
export function checkpointOptionsOf(settings: CheckpointingSettings, wish: SnapshotWish): CheckpointOptions {
  if (!isExactlyOnce(settings)) return { alignment: 'AT_LEAST_ONCE', ...wish }
  if (isSavepoint(wish.type) || !settings.unalignedEnabled) return { alignment: 'ALIGNED', ...wish }
  if (settings.alignedTimeoutMicros === 0) return { alignment: 'UNALIGNED', ...wish }
  return { alignment: 'ALIGNED', alignedTimeoutMicros: settings.alignedTimeoutMicros, ...wish }
}

/** Without periodic checkpoints tasks never block, whatever the mode says (behaviour 2.3). */
export const isExactlyOnce = (settings: CheckpointingSettings): boolean =>
  settings.intervalMicros !== null && settings.mode === 'EXACTLY_ONCE'
