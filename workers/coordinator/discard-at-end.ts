/** What the retention policy leaves of a job's checkpoints when it has ended for good (behaviour 5.1). Flink: CompletedCheckpointStore.shutdown. */
import { OF_CHECKPOINTS } from './checkpoint-directory.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'
import type { CoordinatorParts } from './coordinator-parts.ts'
import { filesOf } from './operator-states.ts'

/** Empties the store but for what is kept; what nothing uses any more is deleted. */
export function discardAtEnd({ cleaner, memory, port, registry, statistics, store }: CoordinatorParts, isKept: (checkpoint: CompletedCheckpoint) => boolean): void {
  for (const checkpoint of store.shutdown(isKept)) {
    statistics.discarded(checkpoint.checkpointId)
    cleaner.discard(checkpoint, port.haSnapshotPath(checkpoint.checkpointId))
  }
  cleaner.deleteFiles(0, registry.unregisterUnused(store.lowestId).files)
  memory.update(store.all)
}

/**
 * What tasks were still writing when the job ended. Only in a directory that is this job's alone; what is task-owned (behaviour 10.3), and a
 * savepoint that was put there, is never deleted.
 */
export function sweepDirectory({ graph, port, registry, store }: CoordinatorParts, jobDirectory: string | null): void {
  if (jobDirectory === null || !graph.settings.checkpointing.createSubdir) return
  const kept = store.all.flatMap((checkpoint) => filesOf(checkpoint).map((file) => file.path))
  const keep = [...kept, ...registry.files]
  port.storage({ type: 'delete-below', directory: jobDirectory, keep, only: OF_CHECKPOINTS }, { kind: 'cleaned', checkpointId: 0 })
}
