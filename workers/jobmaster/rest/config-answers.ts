/** `/jobs/:jobid/checkpoints/config` and `/jobs/:jobid/config`. Flink: CheckpointConfigHandler, JobConfigHandler. */
import { unreachable } from '../../base/assert.ts'
import { isExactlyOnce } from '../../coordinator/checkpoint-options.ts'
import { MICROS_PER_SECOND, toMillis } from '../../model/time.ts'
import type { EngineTime } from '../../model/time.ts'
import type { JobMaster } from '../job-master.ts'

/** Java's largest long, as near as a JSON number is read: periodic checkpoints are off. */
const LONG_MAX = 2 ** 63

export function checkpointConfigAnswer(master: JobMaster): unknown {
  const { checkpointing } = master.graph.settings
  return {
    mode: isExactlyOnce(checkpointing) ? 'exactly_once' : 'at_least_once',
    interval: checkpointing.intervalMicros === null ? LONG_MAX : toMillis(checkpointing.intervalMicros),
    timeout: toMillis(checkpointing.timeoutMicros),
    min_pause: toMillis(checkpointing.minPauseMicros),
    max_concurrent: checkpointing.maxConcurrent,
    externalization: {
      enabled: checkpointing.retention !== 'NO_EXTERNALIZED_CHECKPOINTS',
      delete_on_cancellation: checkpointing.retention !== 'RETAIN_ON_CANCELLATION',
    },
    state_backend: 'HashMapStateBackend',
    checkpoint_storage: checkpointing.storage === 'jobmanager' ? 'JobManagerCheckpointStorage' : 'FileSystemCheckpointStorage',
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
  const { vertices } = master.graph
  return {
    jid: master.job,
    name: master.graph.name,
    'execution-config': {
      'restart-strategy': restartDescription(master),
      'job-parallelism': Math.max(...vertices.map((vertex) => vertex.parallelism)),
      'object-reuse-mode': false,
      'user-config': master.document.config ?? {},
    },
  }
}

/** Flink: RestartStrategyDescriptionUtils. Java prints durations as ISO 8601 and %f with six digits. */
function restartDescription({ document, graph }: JobMaster): string {
  const config: Readonly<Record<string, unknown>> = document.config ?? {}
  if (config['restart-strategy.type'] === undefined && config['restart-strategy'] === undefined) return 'Cluster level default restart strategy'
  const strategy = graph.settings.restartStrategy
  switch (strategy.type) {
    case 'none':
      return 'Restart deactivated.'
    case 'fixed-delay':
      return `Restart with fixed delay (${isoDuration(strategy.delayMicros)}). #${strategy.attempts} restart attempts.`
    case 'failure-rate':
      return (
        `Failure rate restart with maximum of ${strategy.maxFailuresPerInterval} failures within interval ` +
        `${isoDuration(strategy.intervalMicros)} and fixed delay ${isoDuration(strategy.delayMicros)}.`
      )
    case 'exponential-delay':
      return (
        `Restart with exponential delay: starting at ${isoDuration(strategy.initialBackoffMicros)}, increasing by ` +
        `${strategy.multiplier.toFixed(6)}, with maximum ${isoDuration(strategy.maxBackoffMicros)}. Delay resets after ` +
        `${isoDuration(strategy.resetThresholdMicros)} with jitter ${strategy.jitterFactor.toFixed(6)}`
      )
    default:
      return unreachable(strategy)
  }
}

function isoDuration(micros: EngineTime): string {
  const seconds = micros / MICROS_PER_SECOND
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = seconds % 60
  const text = `${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${rest > 0 ? `${rest}S` : ''}`
  return `PT${text === '' ? '0S' : text}`
}
