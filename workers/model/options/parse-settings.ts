/**
 * Options and playground settings of a job document → numbers. Flink: CheckpointConfig, CheckpointCoordinatorConfiguration,
 * RestartBackoffTimeStrategyFactoryLoader. Defaults are Flink's, except where docs/FIDELITY.md says otherwise (chaining, high
 * availability).
 */
import type { JobDocument } from '../job-document.ts'
import type { BufferDebloatSettings, CheckpointingSettings, JobSettings, Problem, RecoverySettings } from '../job-graph.ts'
import { jsonPointer } from '../json-pointer.ts'
import { CLAIM_MODES } from '../restore.ts'
import { storagePathOf } from '../storage-path.ts'
import { MICROS_PER_MS, MICROS_PER_SECOND } from '../time.ts'
import { ConfigReader } from './config-reader.ts'
import { contradictionProblems } from './contradictions.ts'
import { parseRestartStrategy } from './parse-restart-strategy.ts'
import { parseSegmentSize } from './parse-segment-size.ts'
import { isNever, parseDuration, parseMemory } from './values.ts'

const C = 'execution.checkpointing.'
const MINUTE = 60 * MICROS_PER_SECOND
/** Flink: CheckpointCoordinatorConfiguration.MINIMAL_CHECKPOINT_TIME. */
const LEAST_INTERVAL = 10 * MICROS_PER_MS
/** Flink: CheckpointCoordinator, "max 1 year". */
const MIN_PAUSE_CAP = 365 * 24 * 60 * MINUTE
const RETENTIONS = ['NO_EXTERNALIZED_CHECKPOINTS', 'DELETE_ON_CANCELLATION', 'RETAIN_ON_CANCELLATION'] as const
const AT_LEAST_ONE = { min: 1, text: '1 and more' } as const
const NOT_NEGATIVE = { min: 0, text: '0 and more' } as const

/** Flink: JobManagerCheckpointStorage.DEFAULT_MAX_STATE_SIZE. */
const DEFAULT_MEMORY_STATE_LIMIT = 5 * 1024 * 1024
const DEFAULT_FRAME_BYTES = 10 * 1024 * 1024
/** A killed worker's connection is reset, which Flink notices at once; this is the time on the wire. */
const DEFAULT_DETECTION_DELAY_MICROS = 50 * MICROS_PER_MS
const TASK_MANAGERS_MAX = 32

export interface ParsedSettings {
  /** Null when a problem is an error. */
  readonly settings: JobSettings | null
  readonly problems: readonly Problem[]
  /** `pipeline.max-parallelism`, or null: derived from the parallelism of each operator. */
  readonly maxParallelism: number | null
}

/** Reads `config` and `playground` of a document whose shape has been checked. */
export function parseSettings(document: JobDocument): ParsedSettings {
  const config = new ConfigReader(document.config ?? {})
  const playground = new PlaygroundReader(document)
  const checkpointing = parseCheckpointing(config)
  const slots = config.integer('taskmanager.numberOfTaskSlots', AT_LEAST_ONE)
  const maxParallelism = config.integer('pipeline.max-parallelism', { min: -1, max: 32768, text: '1 to 32768 (or -1)' }) ?? -1
  if (maxParallelism === 0) config.error('pipeline.max-parallelism', 'The maximum parallelism cannot be 0.', 'Give 1 to 32768, or -1 to derive it.')
  const ha = config.choice('high-availability.type', ['NONE', 'indexeddb', 'zookeeper', 'kubernetes'])
  const parallelism = Math.max(1, ...document.operators.map((operator) => operator.parallelism ?? 1))
  const slotsPerTaskManager = playground.integer('slotsPerTaskManager', slots ?? 1)
  const settings: JobSettings = {
    checkpointing,
    restartStrategy: parseRestartStrategy(config, checkpointing.intervalMicros !== null),
    failoverStrategy: config.choice('jobmanager.execution.failover-strategy', ['region', 'full']) ?? 'region',
    haEnabled: ha !== 'NONE',
    recovery: parseRecovery(config),
    bufferTimeoutMicros: parseBufferTimeout(config),
    segmentBytes: parseSegmentSize(config),
    debloat: parseDebloat(config),
    chainingEnabled: config.boolean('pipeline.operator-chaining.enabled') ?? false,
    linkLatencyMicros: playground.duration('linkLatency', 0),
    syncCostMicros: playground.duration('syncCost', 0),
    storageLatencyMicros: playground.duration('storageLatency', 0),
    storageBytesPerSecond: playground.bytesPerSecond('storageBandwidth'),
    detectionDelayMicros: playground.duration('detectionDelay', DEFAULT_DETECTION_DELAY_MICROS),
    taskManagers: playground.integer('taskManagers', Math.min(TASK_MANAGERS_MAX, Math.ceil(parallelism / slotsPerTaskManager))),
    slotsPerTaskManager,
    frameBytes: config.memory('pekko.framesize', { min: 1024, max: 2 ** 31 - 1, text: '1 kb to 2 gb' }) ?? DEFAULT_FRAME_BYTES,
    memoryStateLimitBytes: playground.bytes('maxMemoryStateSize', DEFAULT_MEMORY_STATE_LIMIT),
  }
  if (slots !== null && slots !== slotsPerTaskManager) {
    config.warn('taskmanager.numberOfTaskSlots', 'playground.slotsPerTaskManager says otherwise, and wins.', 'Remove one of the two.')
  }
  const problems = [...config.problems, ...contradictionProblems(document.config ?? {}), ...playground.problems]
  const failed = problems.some((problem) => problem.severity === 'error')
  return { settings: failed ? null : settings, problems, maxParallelism: maxParallelism > 0 ? maxParallelism : null }
}

function parseCheckpointing(config: ConfigReader): CheckpointingSettings {
  const mode = config.choice(`${C}mode`, ['EXACTLY_ONCE', 'AT_LEAST_ONCE']) ?? 'EXACTLY_ONCE'
  const unaligned = config.boolean(`${C}unaligned.enabled`) ?? false
  const localRecovery = config.boolean('execution.state-recovery.from-local') ?? false
  return {
    ...parseIntervals(config),
    mode,
    maxConcurrent: config.integer(`${C}max-concurrent-checkpoints`, AT_LEAST_ONE) ?? 1,
    tolerableFailed: config.integer(`${C}tolerable-failed-checkpoints`, NOT_NEGATIVE) ?? 0,
    retention: config.choice(`${C}externalized-checkpoint-retention`, RETENTIONS) ?? 'NO_EXTERNALIZED_CHECKPOINTS',
    numRetained: config.integer(`${C}num-retained`, AT_LEAST_ONE) ?? 1,
    ...parseStorage(config),
    savepointDir: parseDirectory(config, 'savepoint-dir'),
    inlineThresholdBytes: config.memory(`${C}data-inline-threshold`, { min: 0, max: 1 << 20, text: '0 to 1 mb' }) ?? 20 * 1024,
    localBackup: config.boolean(`${C}local-backup.enabled`) ?? localRecovery,
    localRecovery,
    // StreamingJobGraphGenerator switches it off with a warning.
    unalignedEnabled: unaligned && mode === 'EXACTLY_ONCE',
    alignedTimeoutMicros: config.duration(`${C}aligned-checkpoint-timeout`) ?? 0,
    unalignedForced: config.boolean(`${C}unaligned.forced`) ?? false,
    unalignedInterruptibleTimers: config.boolean(`${C}unaligned.interruptible-timers.enabled`) ?? false,
    maxSubtasksPerChannelStateFile: config.integer(`${C}unaligned.max-subtasks-per-channel-state-file`, AT_LEAST_ONE) ?? 5,
    afterTasksFinish: config.boolean(`${C}checkpoints-after-tasks-finish`) ?? true,
    historySize: config.integer('web.checkpoints.history', NOT_NEGATIVE) ?? 10,
  }
}

type Intervals = Pick<CheckpointingSettings, 'intervalMicros' | 'intervalDuringBacklogMicros' | 'timeoutMicros' | 'minPauseMicros'>

/** The least that Flink takes is 10 ms; an interval of 0 means off, as if it were not set. */
function parseIntervals(config: ConfigReader): Intervals {
  const interval = config.duration(`${C}interval`) ?? 0
  if (interval > 0 && interval < LEAST_INTERVAL) {
    config.error(`${C}interval`, 'The checkpoint interval is below 10 ms, the least that Flink takes.', 'Give "10 ms" or more.')
  }
  const timeoutMicros = config.duration(`${C}timeout`) ?? 10 * MINUTE
  if (timeoutMicros < LEAST_INTERVAL) config.error(`${C}timeout`, 'The checkpoint timeout is below 10 ms, the least that Flink takes.', 'Give "10 ms" or more.')
  const duringBacklog = config.duration(`${C}interval-during-backlog`)
  return {
    intervalMicros: interval === 0 ? null : interval,
    intervalDuringBacklogMicros: duringBacklog !== null && duringBacklog < LEAST_INTERVAL ? 0 : duringBacklog,
    timeoutMicros,
    minPauseMicros: Math.min(config.duration(`${C}min-pause`) ?? 0, MIN_PAUSE_CAP),
  }
}

/** Flink: SavepointRestoreSettings.fromConfiguration. Without a path the others mean nothing. */
function parseRecovery(config: ConfigReader): RecoverySettings {
  const R = 'execution.state-recovery.'
  const path = config.text(`${R}path`)
  const allowNonRestoredState = config.boolean(`${R}ignore-unclaimed-state`) ?? false
  const claimMode = config.choice(`${R}claim-mode`, CLAIM_MODES) ?? 'NO_CLAIM'
  const withoutChannelStateOf = config.long(`${R}without-channel-state.checkpoint-id`) ?? -1
  return {
    restore: path === null || path === '' ? null : { path, allowNonRestoredState, claimMode },
    withoutChannelStateOf: withoutChannelStateOf < 0 ? null : withoutChannelStateOf,
  }
}

/** `execution.buffer-timeout.enabled` false, or an interval of -1: only full buffers leave (behaviour 8.1). Flink: ExecutionOptions. */
function parseBufferTimeout(config: ConfigReader): number {
  const enabled = config.boolean('execution.buffer-timeout.enabled') ?? true
  const raw = config.find('execution.buffer-timeout.interval')
  const never = raw !== null && isNever(raw.raw)
  const timeout = never ? -1 : (config.duration('execution.buffer-timeout.interval') ?? 100 * MICROS_PER_MS)
  return enabled ? timeout : -1
}

function parseDebloat(config: ConfigReader): BufferDebloatSettings {
  const D = 'taskmanager.network.memory.buffer-debloat.'
  return {
    enabled: config.boolean(`${D}enabled`) ?? false,
    targetMicros: config.duration(`${D}target`, { min: 1, text: 'durations above 0' }) ?? MICROS_PER_SECOND,
    periodMicros: config.duration(`${D}period`, { min: MICROS_PER_MS, text: '1 ms and more' }) ?? 200 * MICROS_PER_MS,
    samples: config.integer(`${D}samples`, AT_LEAST_ONE) ?? 20,
    thresholdPercent: config.integer(`${D}threshold-percentages`, { min: 0, max: 100, text: '0 to 100' }) ?? 25,
  }
}

type Storage = Pick<CheckpointingSettings, 'storage' | 'dir' | 'createSubdir'>

/** Flink: CheckpointStorageLoader (behaviour 10.1). Without a choice a directory means filesystem storage. */
function parseStorage(config: ConfigReader): Storage {
  const dir = parseDirectory(config, 'dir')
  const text = config.text(`${C}storage`)
  const chosen = text === null ? null : storageOf(text)
  if (text !== null && chosen === null) {
    config.error(`${C}storage`, `"${text}" is no checkpoint storage that is known here.`, 'Write jobmanager or filesystem.')
  }
  if (chosen === 'filesystem' && dir === null) {
    config.error(`${C}storage`, 'Filesystem storage needs a directory.', `Set ${C}dir, as in "file:///checkpoints".`)
  }
  const storage = chosen ?? (dir === null ? 'jobmanager' : 'filesystem')
  return { storage, dir, createSubdir: config.boolean(`${C}create-subdir`) ?? true }
}

/** A short name in any case, or the name of the factory (or storage) class. */
function storageOf(text: string): CheckpointingSettings['storage'] | null {
  const name = text.slice(text.lastIndexOf('.') + 1).toLowerCase()
  if (/^jobmanager(checkpointstorage(factory)?)?$/.test(name)) return 'jobmanager'
  return /^filesystem(checkpointstorage(factory)?)?$/.test(name) ? 'filesystem' : null
}

/** Null: none is set. */
function parseDirectory(config: ConfigReader, name: 'dir' | 'savepoint-dir'): string | null {
  const text = config.text(`${C}${name}`)
  if (text === null) return null
  const path = storagePathOf(text)
  if (!path.ok) {
    const example = name === 'dir' ? 'checkpoints' : 'savepoints'
    config.error(`${C}${name}`, path.error, `Give a directory such as "file:///${example}" or "/${example}".`)
    return null
  }
  if (!/^(file:|\/)/i.test(text)) config.warn(`${C}${name}`, `There is one file system here: "${text}" lies at ${path.value} in it.`, 'Nothing needs to be done.')
  return path.value
}

class PlaygroundReader {
  readonly problems: Problem[] = []
  private readonly values: Readonly<Record<string, unknown>>

  constructor(document: JobDocument) {
    this.values = { ...document.playground }
  }

  duration(name: string, otherwise: number): number {
    const raw = this.values[name]
    if (raw === undefined) return otherwise
    const parsed = parseDuration(String(raw))
    if (!parsed.ok) this.error(name, parsed.error, 'Write a whole number and a unit, as in "20 ms".')
    return parsed.ok ? parsed.value : otherwise
  }

  bytesPerSecond(name: string): number | null {
    const raw = this.values[name]
    if (raw === undefined) return null
    const parsed = parseMemory(String(raw))
    if (!parsed.ok || parsed.value === 0) {
      this.error(name, parsed.ok ? 'a bandwidth of 0 stores nothing' : parsed.error, 'Write bytes per second, as in "1 mb", or leave it out.')
      return null
    }
    return parsed.value
  }

  bytes(name: string, otherwise: number): number {
    const raw = this.values[name]
    if (raw === undefined) return otherwise
    const parsed = parseMemory(String(raw))
    if (!parsed.ok) this.error(name, parsed.error, 'Write a size, as in "5 mb".')
    return parsed.ok ? parsed.value : otherwise
  }

  integer(name: string, otherwise: number): number {
    const raw = this.values[name]
    return typeof raw === 'number' ? raw : otherwise
  }

  private error(name: string, message: string, cure: string): void {
    this.problems.push({ severity: 'error', path: jsonPointer('playground', name), message: `Could not read ${name}: ${message}.`, cure })
  }
}
