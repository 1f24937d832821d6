/**
 * Options and playground settings of a job document → numbers. Flink: CheckpointConfig, CheckpointCoordinatorConfiguration,
 * RestartBackoffTimeStrategyFactoryLoader. Defaults are Flink's, except where docs/FIDELITY.md says otherwise (chaining, high availability,
 * a checkpoint directory).
 */
import type { JobDocument } from '../job-document.ts'
import type { CheckpointingSettings, JobSettings, Problem } from '../job-graph.ts'
import { jsonPointer } from '../json-pointer.ts'
import { MICROS_PER_MS, MICROS_PER_SECOND } from '../time.ts'
import { ConfigReader } from './config-reader.ts'
import { parseRestartStrategy } from './parse-restart-strategy.ts'
import { parseDuration, parseMemory } from './values.ts'

const C = 'execution.checkpointing.'
const MINUTE = 60 * MICROS_PER_SECOND
const AT_LEAST_ONE = { min: 1, text: '1 and more' } as const
const NOT_NEGATIVE = { min: 0, text: '0 and more' } as const

/** Where checkpoints go when the document names no directory. */
const DEFAULT_CHECKPOINT_DIR = '/checkpoints'
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
    haEnabled: ha !== 'NONE',
    bufferTimeoutMicros: config.duration('execution.buffer-timeout.interval') ?? 100 * MICROS_PER_MS,
    segmentBytes: config.memory('taskmanager.memory.segment-size', { min: 256, max: 1 << 24, text: '256 bytes to 16 mb' }) ?? 32 * 1024,
    chainingEnabled: config.boolean('pipeline.operator-chaining.enabled') ?? false,
    linkLatencyMicros: playground.duration('linkLatency', 0),
    syncCostMicros: playground.duration('syncCost', 0),
    storageLatencyMicros: playground.duration('storageLatency', 0),
    storageBytesPerSecond: playground.bytesPerSecond('storageBandwidth'),
    detectionDelayMicros: playground.duration('detectionDelay', DEFAULT_DETECTION_DELAY_MICROS),
    taskManagers: playground.integer('taskManagers', Math.min(TASK_MANAGERS_MAX, Math.ceil(parallelism / slotsPerTaskManager))),
    slotsPerTaskManager,
  }
  if (slots !== null && slots !== slotsPerTaskManager) {
    config.warn('taskmanager.numberOfTaskSlots', 'playground.slotsPerTaskManager says otherwise, and wins.', 'Remove one of the two.')
  }
  const problems = [...config.problems, ...playground.problems]
  const failed = problems.some((problem) => problem.severity === 'error')
  return { settings: failed ? null : settings, problems, maxParallelism: maxParallelism > 0 ? maxParallelism : null }
}

function parseCheckpointing(config: ConfigReader): CheckpointingSettings {
  const interval = config.duration(`${C}interval`)
  if (interval !== null && interval > 0 && interval < 10 * MICROS_PER_MS) {
    config.error(`${C}interval`, 'The checkpoint interval is below 10 ms, the least that Flink takes.', 'Give "10 ms" or more.')
  }
  const mode = config.choice(`${C}mode`, ['EXACTLY_ONCE', 'AT_LEAST_ONCE']) ?? 'EXACTLY_ONCE'
  const minPauseMicros = config.duration(`${C}min-pause`) ?? 0
  if (interval !== null && interval > 0 && interval < minPauseMicros) {
    config.warn(`${C}interval`, 'The interval is shorter than min-pause, which then sets the period.', 'Raise the interval or lower min-pause.')
  }
  const timeoutMicros = config.duration(`${C}timeout`) ?? 10 * MINUTE
  if (timeoutMicros < 10 * MICROS_PER_MS) config.error(`${C}timeout`, 'The checkpoint timeout is below 10 ms, the least that Flink takes.', 'Give "10 ms" or more.')
  return {
    intervalMicros: interval === 0 ? null : interval,
    mode,
    timeoutMicros,
    minPauseMicros,
    maxConcurrent: config.integer(`${C}max-concurrent-checkpoints`, AT_LEAST_ONE) ?? 1,
    tolerableFailed: config.integer(`${C}tolerable-failed-checkpoints`, NOT_NEGATIVE) ?? 0,
    retention:
      config.choice(`${C}externalized-checkpoint-retention`, ['NO_EXTERNALIZED_CHECKPOINTS', 'DELETE_ON_CANCELLATION', 'RETAIN_ON_CANCELLATION']) ??
      'NO_EXTERNALIZED_CHECKPOINTS',
    numRetained: config.integer(`${C}num-retained`, AT_LEAST_ONE) ?? 1,
    dir: parseDirectory(config),
    inlineThresholdBytes: config.memory(`${C}data-inline-threshold`, { min: 0, max: 1 << 20, text: '0 to 1 mb' }) ?? 20 * 1024,
    unalignedEnabled: config.boolean(`${C}unaligned.enabled`) ?? false,
    alignedTimeoutMicros: config.duration(`${C}aligned-checkpoint-timeout`) ?? 0,
    afterTasksFinish: config.boolean(`${C}checkpoints-after-tasks-finish`) ?? true,
  }
}

/** An absolute path without a trailing slash; a scheme and host ("s3://bucket/x") are dropped with a warning. */
function parseDirectory(config: ConfigReader): string {
  const text = config.text(`${C}dir`)
  if (text === null) return DEFAULT_CHECKPOINT_DIR
  const path = text.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  if (path !== text) config.warn(`${C}dir`, `There is one file system here: "${text}" is read as "${path}".`, 'Nothing needs to be done.')
  const clean = path.replace(/\/+$/, '')
  if (!/^(\/[^/]+)+$/.test(clean) || clean.split('/').includes('..')) {
    config.error(`${C}dir`, `"${text}" is not an absolute path.`, 'Give a path such as "/checkpoints".')
    return DEFAULT_CHECKPOINT_DIR
  }
  return clean
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

  integer(name: string, otherwise: number): number {
    const raw = this.values[name]
    return typeof raw === 'number' ? raw : otherwise
  }

  private error(name: string, message: string, cure: string): void {
    this.problems.push({ severity: 'error', path: jsonPointer('playground', name), message: `Could not read ${name}: ${message}.`, cure })
  }
}
