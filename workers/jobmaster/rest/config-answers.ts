/** `/jobs/:jobid/checkpoints/config` and `/jobs/:jobid/config`. Flink: CheckpointConfigHandler, JobConfigHandler. */
import { toMillis } from '../../model/time.ts'
import type { JobMaster } from '../job-master.ts'

/** Java's largest long, as near as a JSON number is read: periodic checkpoints are off. */
const LONG_MAX = 2 ** 63

export function checkpointConfigAnswer(master: JobMaster): unknown {
  const { checkpointing } = master.graph.settings
  return {
    mode: checkpointing.mode.toLowerCase(),
    interval: checkpointing.intervalMicros === null ? LONG_MAX : toMillis(Math.max(checkpointing.intervalMicros, checkpointing.minPauseMicros)),
    timeout: toMillis(checkpointing.timeoutMicros),
    min_pause: toMillis(checkpointing.minPauseMicros),
    max_concurrent: checkpointing.maxConcurrent,
    externalization: {
      enabled: checkpointing.retention !== 'NO_EXTERNALIZED_CHECKPOINTS',
      delete_on_cancellation: checkpointing.retention !== 'RETAIN_ON_CANCELLATION',
    },
    state_backend: 'HashMapStateBackend',
    checkpoint_storage: 'FileSystemCheckpointStorage',
    unaligned_checkpoints: checkpointing.unalignedEnabled,
    tolerable_failed_checkpoints: checkpointing.tolerableFailed,
    aligned_checkpoint_timeout: toMillis(checkpointing.alignedTimeoutMicros),
    checkpoints_after_tasks_finish: checkpointing.afterTasksFinish,
    state_changelog_enabled: false,
    changelog_storage: null,
    changelog_periodic_materialization_interval: null,
  }
}

export function jobConfigAnswer(master: JobMaster): unknown {
  const { vertices, settings } = master.graph
  return {
    jid: master.job,
    name: master.graph.name,
    'execution-config': {
      'restart-strategy': settings.restartStrategy.type,
      'job-parallelism': Math.max(...vertices.map((vertex) => vertex.parallelism)),
      'object-reuse-mode': false,
      'user-config': master.document.config ?? {},
    },
  }
}
