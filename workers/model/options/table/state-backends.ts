/** Options of state backends and the changelog (behaviour 21.4). Flink: StateBackendOptions, StateChangelogOptions, FsStateChangelogOptions, RocksDBOptions, ForStOptions. */
import type { OptionType } from '../option-description.ts'
import { BOOLEAN, choice, DECIMAL, describeRows, DURATION, INTEGER, LONG, MEMORY, TEXT, type Row } from './rows.ts'

const NO_CHANGELOG = 'There is no changelog here.'
const NO_ROCKSDB = 'State is on the heap here.'
const LOG = 'Nothing without a changelog.'

const BACKEND: readonly Row[] = [
  {
    key: 'backend.type',
    type: TEXT,
    default: 'hashmap',
    old: ['state.backend'],
    effect: 'How keyed state is kept: hashmap, rocksdb, forst or the class of a factory.',
    picture: 'A table, or a tree of sorted files.',
    history: 'state.backend before 1.19. MemoryStateBackend, FsStateBackend and RocksDBStateBackend are hashmap or rocksdb plus a storage.',
    unused: 'State is on the heap here: hashmap.',
  },
  { key: 'changelog.enabled', type: BOOLEAN, default: 'false', old: ['state.backend.changelog.enabled'], effect: 'Writes each change of state to a log at once, so that checkpoints have little left to upload.', picture: 'Shorter asynchronous parts, and a log that grows.', unused: NO_CHANGELOG },
  { key: 'changelog.storage', type: TEXT, default: 'memory', old: ['state.backend.changelog.storage'], effect: 'Where the log is kept: memory or filesystem.', picture: LOG, unused: NO_CHANGELOG },
  { key: 'changelog.periodic-materialize.enabled', type: BOOLEAN, default: 'true', old: ['state.backend.changelog.periodic-materialize.enabled'], effect: 'Whether state is materialized from time to time, which shortens the log.', picture: LOG, unused: NO_CHANGELOG },
  { key: 'changelog.periodic-materialize.interval', type: DURATION, default: '10 min', old: ['state.backend.changelog.periodic-materialize.interval'], effect: 'Time between two materializations.', picture: LOG, unused: NO_CHANGELOG },
  { key: 'changelog.max-failures-allowed', type: INTEGER, default: '3', old: ['state.backend.changelog.max-failures-allowed'], effect: 'How many materializations may fail in a row.', picture: LOG, unused: NO_CHANGELOG },
]

const track = (key: string, type: OptionType, value: string, effect: string): Row => ({
  key: `latency-track.${key}`,
  type,
  default: value,
  old: [`state.backend.latency-track.${key}`],
  effect,
  picture: 'Nothing.',
  unused: 'The latency of state is not measured here.',
})
const TRACK: readonly Row[] = [
  track('keyed-state-enabled', BOOLEAN, 'false', 'Measures how long an access to keyed state takes.'),
  track('sample-interval', INTEGER, '100', 'Every how many accesses one is measured.'),
  track('history-size', INTEGER, '128', 'How many measurements are kept.'),
  track('state-name-as-variable', BOOLEAN, 'true', 'Whether the name of the state is a variable of the metric.'),
]

const dstl = (key: string, type: OptionType, value: string | null, effect: string): Row => ({ key, type, default: value, old: [`dstl.dfs.${key}`], effect, picture: LOG, unused: NO_CHANGELOG })
const DSTL: readonly Row[] = [
  dstl('base-path', TEXT, null, 'Directory of the log files.'),
  dstl('preemptive-persist-threshold', MEMORY, '5 mb', 'Changes above this are uploaded before a checkpoint asks for them.'),
  dstl('batch.persist-delay', DURATION, '10 ms', 'How long an upload waits for more changes.'),
  dstl('batch.persist-size-threshold', MEMORY, '10 mb', 'At this size an upload does not wait.'),
  dstl('upload.max-in-flight', MEMORY, '100 mb', 'Bytes being uploaded above which tasks are backpressured.'),
  dstl('upload.max-attempts', INTEGER, '3', 'How often an upload is tried.'),
  dstl('upload.timeout', DURATION, '1 s', 'Time after which an upload is tried again.'),
  dstl('upload.retry-policy', choice('none', 'fixed'), 'fixed', 'Whether a failed upload is tried again.'),
  dstl('upload.next-attempt-delay', DURATION, '500 ms', 'Wait before the next attempt.'),
  dstl('upload.num-threads', INTEGER, '5', 'Threads that upload.'),
  dstl('upload.buffer-size', MEMORY, '1 mb', 'Buffer of an upload.'),
  dstl('compression.enabled', BOOLEAN, 'false', 'Compresses the log.'),
  dstl('discard.num-threads', INTEGER, '1', 'Threads that delete files of the log.'),
  dstl('download.local-cache.idle-timeout-ms', DURATION, '10 min', 'How long a file of the log that was fetched for a recovery is kept unused.'),
]

const PREDEFINED = 'Four sets exist; the name FLASH_SSD_OPTIMIZED_HIGH_MEM of older texts does not.'
const NO_PICTURE = 'Nothing while state is on the heap.'
const lsm = (unused: string, key: string, type: OptionType, value: string | null, effect: string, history?: string): Row => ({
  key,
  type,
  default: value,
  effect,
  picture: NO_PICTURE,
  unused,
  ...(history === undefined ? {} : { history }),
})
const r = (key: string, type: OptionType, value: string | null, effect: string, history?: string): Row => lsm(NO_ROCKSDB, key, type, value, effect, history)

const ROCKSDB: readonly Row[] = [
  r('memory.managed', BOOLEAN, 'true', 'Whether RocksDB shares the managed memory of its slot.'),
  r('memory.fixed-per-slot', MEMORY, null, 'Memory for RocksDB per slot, instead of managed memory.'),
  r('memory.fixed-per-tm', MEMORY, null, 'Memory for RocksDB per TaskManager, instead of managed memory.'),
  r('memory.write-buffer-ratio', DECIMAL, '0.5', 'Share of the memory for write buffers: 2·M·r/3 bytes, and (3 − r)·M/3 for the cache.'),
  r('memory.high-prio-pool-ratio', DECIMAL, '0.1', 'Share of the cache kept for indexes and filters.'),
  r('memory.partitioned-index-filters', BOOLEAN, 'false', 'Splits indexes and filters so that not all must be in memory.'),
  r('predefined-options', choice('DEFAULT', 'SPINNING_DISK_OPTIMIZED', 'SPINNING_DISK_OPTIMIZED_HIGH_MEM', 'FLASH_SSD_OPTIMIZED'), 'DEFAULT', 'A set of values for one kind of disk.', PREDEFINED),
  r('options-factory', TEXT, null, 'Class that sets options in code.'),
  r('localdir', TEXT, null, 'Directory of the working files; not set: the working directory of the TaskManager.'),
  r('timer-service.factory', choice('ROCKSDB', 'HEAP'), 'ROCKSDB', 'Where timers are kept.', 'Timers on the heap are not snapshotted asynchronously.'),
  r('timer-service.cache-size', INTEGER, '128', 'Timers of one key group that are cached.'),
  r('checkpoint.transfer.thread.num', INTEGER, '4', 'Threads that upload and download.'),
  r('thread.num', INTEGER, '2', 'Threads that flush and compact.'),
  r('files.open', INTEGER, '-1', 'Files that may be open; -1: any number.'),
  r('compaction.style', choice('LEVEL', 'UNIVERSAL', 'FIFO', 'NONE'), 'LEVEL', 'How sorted files are merged.'),
  r('compaction.level.use-dynamic-size', BOOLEAN, 'false', 'Sizes levels from the last one upwards.'),
  r('compaction.level.target-file-size-base', MEMORY, '64 mb', 'Size of a file of level 1.'),
  r('compaction.level.max-size-level-base', MEMORY, '256 mb', 'Size of level 1.'),
  r('compression.per.level', TEXT, 'SNAPPY_COMPRESSION', 'Compression of each level.'),
  r('writebuffer.size', MEMORY, '64 mb', 'Size of a write buffer.'),
  r('writebuffer.count', INTEGER, '2', 'Write buffers at most.'),
  r('writebuffer.number-to-merge', INTEGER, '1', 'Write buffers merged before a flush.'),
  r('write-batch-size', MEMORY, '2 mb', 'Size of a batch of writes.'),
  r('block.blocksize', MEMORY, '4 kb', 'Size of a data block.'),
  r('block.metadata-blocksize', MEMORY, '4 kb', 'Size of a block of a partitioned index.'),
  r('block.cache-size', MEMORY, '8 mb', 'Size of the block cache, where memory is not managed.'),
  r('use-bloom-filter', BOOLEAN, 'false', 'Whether new files have bloom filters.'),
  r('bloom-filter.bits-per-key', DECIMAL, '10', 'Bits of a bloom filter for each key.'),
  r('bloom-filter.block-based-mode', BOOLEAN, 'false', 'One filter for each block instead of one for each file.'),
  r('compaction.filter.query-time-after-num-entries', LONG, '1000', 'How often the filter that drops expired state asks for the time.'),
  r('compaction.filter.periodic-compaction-time', DURATION, '30 d', 'Files older than this are compacted, so that expired state goes.'),
  r('log.level', TEXT, 'INFO', "Level of RocksDB's own log."),
  r('log.file-num', INTEGER, '4', 'Log files kept.'),
  r('log.max-file-size', MEMORY, '25 mb', 'Size of a log file.'),
  r('log.dir', TEXT, null, 'Directory of the log files.'),
  r('restore-overlap-fraction-threshold', DECIMAL, '0.0', 'How much of its key range a restored database must overlap to be used as the first one.'),
  r('use-ingest-db-restore-mode', BOOLEAN, 'false', 'Restores a rescaled job by taking over files.'),
  r('incremental-restore-async-compact-after-rescale', BOOLEAN, 'false', 'Compacts in the background after a rescaling.'),
  r('rescaling.use-delete-files-in-range', BOOLEAN, 'false', 'Drops whole files of foreign key groups at a rescaling.'),
]

const f = (key: string, type: OptionType, value: string | null, effect: string): Row => lsm('There is no ForSt backend here.', key, type, value, effect)
const FORST: readonly Row[] = [
  f('primary-dir', TEXT, 'checkpoint-dir', 'Directory of the files of state.'),
  f('sync.enforce-local', BOOLEAN, 'true', 'Whether state of the synchronous API stays on the local disk.'),
  f('cache.size-based-limit', MEMORY, '0 bytes', 'Size of the file cache; 0: no limit.'),
  f('cache.reserve-size', MEMORY, '256 mb', 'Disk space that the cache leaves free.'),
  f('cache.dir', TEXT, null, 'Directory of the file cache.'),
  f('executor.read-io-parallelism', INTEGER, '3', 'Threads that read.'),
  f('executor.write-io-parallelism', INTEGER, '1', 'Threads that write.'),
  f('executor.inline-write', BOOLEAN, 'true', 'Writes in the thread of the coordinator.'),
  f('executor.inline-coordinator', BOOLEAN, 'false', 'Coordinates in the thread of the task.'),
  f('memory.managed', BOOLEAN, 'true', 'Whether ForSt shares the managed memory of its slot.'),
  f('memory.fixed-per-slot', MEMORY, null, 'Memory for ForSt per slot.'),
  f('memory.fixed-per-tm', MEMORY, null, 'Memory for ForSt per TaskManager.'),
  f('memory.write-buffer-ratio', DECIMAL, '0.5', 'Share of the memory for write buffers.'),
  f('memory.high-prio-pool-ratio', DECIMAL, '0.1', 'Share of the cache kept for indexes and filters.'),
  f('memory.partitioned-index-filters', BOOLEAN, 'true', 'Splits indexes and filters so that not all must be in memory.'),
  f('timer-service.factory', choice('ForStDB', 'HEAP'), 'ForStDB', 'Where timers are kept.'),
]

export const STATE_BACKEND_OPTIONS = [
  ...describeRows('state-backend', 'state.', [...BACKEND, ...TRACK]),
  ...describeRows('state-backend', 'state.changelog.dstl.dfs.', DSTL),
  ...describeRows('rocksdb', 'state.backend.rocksdb.', ROCKSDB),
  ...describeRows('forst', 'state.backend.forst.', FORST),
]
