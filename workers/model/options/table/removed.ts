/** Options that current Flink no longer reads, and what stands in their place (behaviour 8.1, 22). */
export interface RemovedOption {
  readonly key: string
  /** One sentence: since when, and what to do. */
  readonly note: string
}

const FIXED = (value: string): string => `Removed in 2.0: fixed at ${value}.`

export const REMOVED_OPTIONS: readonly RemovedOption[] = [
  { key: 'taskmanager.network.memory.buffers-per-channel', note: FIXED('2 exclusive buffers per channel') },
  { key: 'taskmanager.network.memory.floating-buffers-per-gate', note: FIXED('8 floating buffers per gate') },
  { key: 'taskmanager.network.memory.max-buffers-per-channel', note: FIXED('10 buffers per outgoing channel') },
  { key: 'taskmanager.network.memory.max-overdraft-buffers-per-gate', note: FIXED('20 overdraft buffers (older documentation says 5)') },
  { key: 'execution.checkpointing.prefer-checkpoint-for-recovery', note: 'Removed: savepoints are not used for recovery since 1.15.' },
  { key: 'taskmanager.network.numberOfBuffers', note: 'No longer read: taskmanager.memory.network.fraction, .min and .max say how much memory buffers have.' },
  { key: 'state.backend.rocksdb.checkpointdir', note: 'No longer read: state.backend.rocksdb.localdir stands for it.' },
  { key: 'state.backend.async', note: 'Removed: snapshots of the heap are always asynchronous.' },
]
