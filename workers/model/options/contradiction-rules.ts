/** The rules of contradictions.ts, one function each, in the order in which they are shown. */
import { MICROS_PER_MS, MICROS_PER_SECOND } from '../time.ts'
import type { ConfigReader } from './config-reader.ts'
import type { ContradictionRule } from './contradiction.ts'
import { bufferDetails, localRecoveryWithUnaligned, otherStrategy, strategyNone } from './contradiction-rules-of-neighbours.ts'
import { parseRestartStrategy } from './parse-restart-strategy.ts'

const C = 'execution.checkpointing.'
const LEAST_INTERVAL = 10 * MICROS_PER_MS
const YEAR = 365 * 24 * 3600 * MICROS_PER_SECOND

const isSet = (config: ConfigReader, key: string): boolean => config.find(key) !== null
const written = (config: ConfigReader, key: string): string => String(config.find(key)?.raw ?? '')
/** 0: off. NaN: it cannot be read, which the parser says; no rule applies then. */
const intervalOf = (config: ConfigReader): number => config.duration(`${C}interval`) ?? (isSet(config, `${C}interval`) ? NaN : 0)
const unaligned = (config: ConfigReader): boolean => config.boolean(`${C}unaligned.enabled`) ?? false
const atLeastOnce = (config: ConfigReader): boolean => config.choice(`${C}mode`, ['EXACTLY_ONCE', 'AT_LEAST_ONCE']) === 'AT_LEAST_ONCE'

const unalignedWithConcurrent: ContradictionRule = (config) => {
  const concurrent = config.integer(`${C}max-concurrent-checkpoints`) ?? 1
  if (!unaligned(config) || atLeastOnce(config) || concurrent <= 1) return []
  return [
    {
      rule: 'unaligned with concurrent checkpoints',
      kind: 'refused',
      keys: [`${C}max-concurrent-checkpoints`, `${C}unaligned.enabled`],
      message: `Unaligned checkpoints cannot be used with ${concurrent} concurrent checkpoints.`,
      consequence: 'The job is refused when it is submitted.',
      cure: 'Set max-concurrent-checkpoints to 1, or switch unaligned off.',
    },
  ]
}

const backlogBelowInterval: ContradictionRule = (config) => {
  const key = `${C}interval-during-backlog`
  const backlog = config.duration(key)
  if (backlog === null) return []
  const interval = intervalOf(config)
  if (backlog < LEAST_INTERVAL) {
    if (backlog === 0) return []
    const found = { rule: 'interval during backlog below 10 ms', kind: 'changed', keys: [key] } as const
    return [{ ...found, message: 'An interval during a backlog below 10 ms means none.', consequence: 'No checkpoint is triggered while a source reports a backlog.', cure: 'Write "0 ms" if that is meant.' }]
  }
  if (Number.isNaN(interval) || (interval > 0 && backlog >= interval)) return []
  return [
    {
      rule: 'interval during backlog below the interval',
      kind: 'refused',
      keys: [key, `${C}interval`],
      message: interval === 0 ? 'There is an interval during a backlog, but no interval.' : 'The interval during a backlog is shorter than the interval.',
      consequence: 'Flink wants it at least as long as the interval (no interval is the longest of all), and refuses the job.',
      cure: interval === 0 ? 'Set execution.checkpointing.interval too.' : 'Give at least the interval, or "0 ms" for no periodic checkpoints during a backlog.',
    },
  ]
}

const approximateWithUnaligned: ContradictionRule = (config) => {
  const key = 'execution.state-recovery.approximate-local-recovery'
  if (!unaligned(config) || atLeastOnce(config) || config.boolean(key) !== true) return []
  return [
    {
      rule: 'approximate local recovery with unaligned',
      kind: 'refused',
      keys: [key, `${C}unaligned.enabled`],
      message: 'Approximate local recovery cannot be combined with unaligned checkpoints.',
      consequence: 'The job is refused when it is submitted.',
      cure: 'Switch one of the two off.',
    },
  ]
}

const unalignedAtLeastOnce: ContradictionRule = (config) => {
  if (!unaligned(config) || !atLeastOnce(config)) return []
  return [
    {
      rule: 'unaligned with at-least-once',
      kind: 'warned',
      keys: [`${C}unaligned.enabled`, `${C}mode`],
      message: 'Unaligned checkpoints work with EXACTLY_ONCE only: Flink logs a warning and switches them off.',
      consequence: 'Barriers are tracked, no channel is blocked, and no buffer is persisted.',
      cure: 'Set mode to EXACTLY_ONCE, or remove unaligned.enabled.',
    },
  ]
}

const pauseAboveInterval: ContradictionRule = (config) => {
  const interval = intervalOf(config)
  const written = config.duration(`${C}min-pause`) ?? 0
  const pause = Math.min(written, YEAR)
  if (!(interval > 0) || pause <= interval) return []
  const inForce = written > YEAR ? 'one year (the cap of min-pause)' : String(config.find(`${C}min-pause`)?.raw ?? '')
  return [
    {
      rule: 'min-pause above the interval',
      kind: 'changed',
      keys: [`${C}min-pause`, `${C}interval`],
      message: `min-pause is longer than the interval, which is raised to ${inForce} without a word.`,
      consequence: 'The period is the larger of the two, and a checkpoint starts at the earliest a min-pause after the one before has completed.',
      cure: 'Lower min-pause, or set the interval to what is in force anyway.',
    },
  ]
}

const pauseAboveYear: ContradictionRule = (config) => {
  if ((config.duration(`${C}min-pause`) ?? 0) <= YEAR) return []
  const found = { rule: 'min-pause above a year', kind: 'changed', keys: [`${C}min-pause`] } as const
  return [{ ...found, message: 'min-pause is capped at one year.', consequence: 'A longer one is one year.', cure: 'Give a shorter min-pause, or remove the interval to switch periodic checkpoints off.' }]
}

const alignedTimeout: ContradictionRule = (config) => {
  const key = `${C}aligned-checkpoint-timeout`
  const timeout = config.duration(key) ?? 0
  if (timeout === 0) return []
  if (!unaligned(config)) {
    return [
      {
        rule: 'aligned timeout without unaligned',
        kind: 'no effect',
        keys: [key, `${C}unaligned.enabled`],
        message: 'aligned-checkpoint-timeout belongs to unaligned checkpoints, which are off.',
        consequence: 'Barriers stay aligned however long they wait.',
        cure: 'Set execution.checkpointing.unaligned.enabled to true.',
      },
    ]
  }
  const expires = config.duration(`${C}timeout`) ?? 600 * MICROS_PER_SECOND
  if (atLeastOnce(config) || timeout < expires) return []
  return [
    {
      rule: 'aligned timeout not below the timeout',
      kind: 'no effect',
      keys: [key, `${C}timeout`],
      message: 'aligned-checkpoint-timeout is not shorter than the timeout of the checkpoint.',
      consequence: 'The checkpoint expires before its barriers turn unaligned.',
      cure: 'Make it much shorter than the timeout, such as "30 s".',
    },
  ]
}

const WITH_UNALIGNED = [`${C}unaligned.forced`, `${C}unaligned.max-subtasks-per-channel-state-file`, `${C}unaligned.interruptible-timers.enabled`]
const unalignedDetails: ContradictionRule = (config) => {
  if (unaligned(config)) return []
  return WITH_UNALIGNED.filter((key) => isSet(config, key) && written(config, key) !== 'false').map((key) => ({
    rule: 'unaligned details without unaligned',
    kind: 'no effect',
    keys: [key, `${C}unaligned.enabled`],
    message: `${key.slice(C.length)} belongs to unaligned checkpoints, which are off.`,
    consequence: 'It changes nothing.',
    cure: 'Set execution.checkpointing.unaligned.enabled to true, or remove it.',
  }))
}

const NEED_INTERVAL = ['mode', 'min-pause', 'max-concurrent-checkpoints', 'tolerable-failed-checkpoints', 'unaligned.enabled', 'aligned-checkpoint-timeout', 'externalized-checkpoint-retention'].map((key) => C + key)
const noInterval: ContradictionRule = (config) => {
  if (intervalOf(config) !== 0) return []
  const first = NEED_INTERVAL.find((key) => isSet(config, key))
  const restarts = parseRestartStrategy(config, false).type !== 'none'
  const consequence = restarts
    ? 'At the first failure the job restarts EMPTY, unless a checkpoint was triggered by hand; tasks never block a channel.'
    : 'The default restart strategy is then none: the first failure makes the job FAILED. Savepoints and checkpoints by hand still work; tasks never block a channel.'
  return [
    {
      rule: 'no interval',
      kind: first === undefined ? 'accepted' : 'no effect',
      keys: first === undefined ? [`${C}interval`] : [first, `${C}interval`],
      message: first === undefined ? 'Checkpointing is off: there is no interval.' : `${first.slice(C.length)} is set, but checkpointing is off: there is no interval.`,
      consequence,
      cure: 'Set execution.checkpointing.interval.',
    },
  ]
}

const retentionWithoutDir: ContradictionRule = (config) => {
  const key = `${C}externalized-checkpoint-retention`
  const retention = config.choice(key, ['NO_EXTERNALIZED_CHECKPOINTS', 'DELETE_ON_CANCELLATION', 'RETAIN_ON_CANCELLATION'])
  if (retention === null || retention === 'NO_EXTERNALIZED_CHECKPOINTS' || isSet(config, `${C}dir`)) return []
  return [
    {
      rule: 'retention without a directory',
      kind: 'no effect',
      keys: [key, `${C}dir`],
      message: 'Checkpoints are to be retained, but no directory is named.',
      consequence: 'They are kept by the JobManager and end with the job.',
      cure: 'Set execution.checkpointing.dir.',
    },
  ]
}

const jobManagerStorage: ContradictionRule = (config) => {
  if (config.text(`${C}storage`)?.toLowerCase() !== 'jobmanager' || !isSet(config, `${C}dir`)) return []
  return [
    {
      rule: 'jobmanager storage with a directory',
      kind: 'changed',
      keys: [`${C}dir`, `${C}storage`],
      message: 'With storage jobmanager the directory receives _metadata only.',
      consequence: 'All state lies in that file, at most 5 mb for each stream of state.',
      cure: 'Remove storage, or set it to filesystem.',
    },
  ]
}

const incrementalOnHeap: ContradictionRule = (config) => {
  const backend = config.text('state.backend.type') ?? 'hashmap'
  if (config.boolean(`${C}incremental`) !== true || backend !== 'hashmap') return []
  const found = { rule: 'incremental on the heap', kind: 'no effect', keys: [`${C}incremental`, 'state.backend.type'] } as const
  return [{ ...found, message: 'The hashmap backend has no incremental checkpoints.', consequence: 'Every checkpoint uploads all state.', cure: 'Remove incremental, or set state.backend.type to rocksdb.' }]
}

const pauseWithConcurrent: ContradictionRule = (config) => {
  const concurrent = config.integer(`${C}max-concurrent-checkpoints`) ?? 1
  if ((config.duration(`${C}min-pause`) ?? 0) === 0 || concurrent <= 1) return []
  return [
    {
      rule: 'min-pause with concurrent checkpoints',
      kind: 'accepted',
      keys: [`${C}min-pause`, `${C}max-concurrent-checkpoints`],
      message: 'The prose documentation says that min-pause implies one concurrent checkpoint; the code does not.',
      consequence: 'A second checkpoint may start while the first is running, if a min-pause has passed since the last completion.',
      cure: 'Nothing needs to be changed.',
    },
  ]
}

const timeoutBelowInterval: ContradictionRule = (config) => {
  const interval = intervalOf(config)
  const timeout = config.duration(`${C}timeout`)
  if (timeout === null || !(interval > 0) || timeout >= interval) return []
  return [
    {
      rule: 'timeout below the interval',
      kind: 'accepted',
      keys: [`${C}timeout`, `${C}interval`],
      message: 'Flink does not mind a timeout shorter than the interval.',
      consequence: 'A slow checkpoint expires before the next one is due; it counts against tolerable-failed-checkpoints, which is 0 by default.',
      cure: 'Nothing needs to be changed, if checkpoints are that fast under backpressure too.',
    },
  ]
}

const concurrentExactlyOnce: ContradictionRule = (config) => {
  const concurrent = config.integer(`${C}max-concurrent-checkpoints`) ?? 1
  if (concurrent <= 1 || unaligned(config) || atLeastOnce(config)) return []
  return [
    {
      rule: 'concurrent exactly-once checkpoints',
      kind: 'accepted',
      keys: [`${C}max-concurrent-checkpoints`, `${C}mode`],
      message: `Up to ${concurrent} checkpoints may be pending, but an exactly-once task aligns one at a time.`,
      consequence: 'A newer barrier that comes during an alignment declines the older checkpoint (CHECKPOINT_DECLINED_SUBSUMED), which is not counted as a failure.',
      cure: 'Nothing needs to be changed; with AT_LEAST_ONCE several are really tracked at once.',
    },
  ]
}

export const RULES: readonly ContradictionRule[] = [
  unalignedWithConcurrent,
  backlogBelowInterval,
  approximateWithUnaligned,
  unalignedAtLeastOnce,
  pauseAboveInterval,
  pauseAboveYear,
  localRecoveryWithUnaligned,
  alignedTimeout,
  unalignedDetails,
  noInterval,
  retentionWithoutDir,
  jobManagerStorage,
  incrementalOnHeap,
  otherStrategy,
  bufferDetails,
  strategyNone,
  pauseWithConcurrent,
  timeoutBelowInterval,
  concurrentExactlyOnce,
]
