import { describe, expect, it } from 'vitest'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { JobSettings } from '../../../workers/model/job-graph.ts'
import { OPTIONS } from '../../../workers/model/options/option-table.ts'
import { parseSettings } from '../../../workers/model/options/parse-settings.ts'
import { parseBoolean, parseDecimal, parseDuration, parseInteger, parseMemory } from '../../../workers/model/options/values.ts'

const C = 'execution.checkpointing.'

const document = (config: JobDocument['config'], rest: Partial<JobDocument> = {}): JobDocument => ({
  weir: 'job@1',
  name: 'job',
  config: config ?? {},
  operators: [{ uid: 'a', type: 'generator', parallelism: 3 }],
  edges: [],
  ...rest,
})

function settings(config: JobDocument['config'], rest: Partial<JobDocument> = {}): JobSettings {
  const parsed = parseSettings(document(config, rest))
  if (parsed.settings === null) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

const problems = (config: JobDocument['config']) => parseSettings(document(config)).problems.map(({ severity, path, message }) => `${severity} ${path}: ${message}`)

describe('defaults are Flink’s', () => {
  it('of checkpointing', () => {
    expect(settings({}).checkpointing).toEqual({
      intervalMicros: null,
      intervalDuringBacklogMicros: null,
      mode: 'EXACTLY_ONCE',
      timeoutMicros: 600_000_000,
      minPauseMicros: 0,
      maxConcurrent: 1,
      tolerableFailed: 0,
      retention: 'NO_EXTERNALIZED_CHECKPOINTS',
      numRetained: 1,
      storage: 'jobmanager',
      dir: null,
      createSubdir: true,
      inlineThresholdBytes: 20 * 1024,
      localBackup: false,
      localRecovery: false,
      unalignedEnabled: false,
      alignedTimeoutMicros: 0,
      unalignedForced: false,
      unalignedInterruptibleTimers: false,
      maxSubtasksPerChannelStateFile: 5,
      afterTasksFinish: true,
      savepointDir: null,
      historySize: 10,
    })
  })

  it('of the network, and ours of chaining and high availability', () => {
    const { bufferTimeoutMicros, segmentBytes, chainingEnabled, haEnabled } = settings({})
    expect({ bufferTimeoutMicros, segmentBytes, chainingEnabled, haEnabled }).toEqual({
      bufferTimeoutMicros: 100_000,
      segmentBytes: 32 * 1024,
      chainingEnabled: false,
      haEnabled: true,
    })
  })

  it('of the restart strategy: none without checkpointing, exponential-delay with it', () => {
    expect(settings({}).restartStrategy).toEqual({ type: 'none' })
    expect(settings({ [`${C}interval`]: '10 s' }).restartStrategy).toEqual({
      type: 'exponential-delay',
      initialBackoffMicros: 1_000_000,
      maxBackoffMicros: 60_000_000,
      multiplier: 1.5,
      resetThresholdMicros: 3_600_000_000,
      jitterFactor: 0.1,
      attemptsBeforeReset: Infinity,
    })
  })

  it('of every option in the table can be read by its own type', () => {
    for (const option of OPTIONS) {
      if (option.default === null || option.default === 'infinite') continue
      const parsed = {
        duration: parseDuration,
        memory: parseMemory,
        boolean: parseBoolean,
        integer: parseInteger,
        decimal: parseDecimal,
        text: () => ({ ok: true }),
        choice: (raw: string) => ({ ok: option.type.kind === 'choice' && option.type.choices.includes(raw) }),
      }[option.type.kind](option.default)
      expect(parsed.ok, option.key).toBe(true)
    }
  })
})

describe('options', () => {
  it('are read', () => {
    const parsed = settings({
      [`${C}interval`]: '2 s',
      [`${C}mode`]: 'AT_LEAST_ONCE',
      [`${C}timeout`]: '1 min',
      [`${C}min-pause`]: '500 ms',
      [`${C}max-concurrent-checkpoints`]: 2,
      [`${C}tolerable-failed-checkpoints`]: '3',
      [`${C}externalized-checkpoint-retention`]: 'RETAIN_ON_CANCELLATION',
      [`${C}num-retained`]: 4,
      [`${C}dir`]: 'file:///data/chk/',
      [`${C}data-inline-threshold`]: '0 b',
      [`${C}checkpoints-after-tasks-finish`]: false,
      'execution.buffer-timeout.interval': '10 ms',
      'taskmanager.memory.segment-size': '4 kb',
      'pipeline.operator-chaining.enabled': true,
      'high-availability.type': 'NONE',
      'taskmanager.numberOfTaskSlots': 2,
    })
    expect(parsed).toMatchObject({
      checkpointing: {
        intervalMicros: 2_000_000,
        mode: 'AT_LEAST_ONCE',
        timeoutMicros: 60_000_000,
        minPauseMicros: 500_000,
        maxConcurrent: 2,
        tolerableFailed: 3,
        retention: 'RETAIN_ON_CANCELLATION',
        numRetained: 4,
        dir: '/data/chk',
        inlineThresholdBytes: 0,
        afterTasksFinish: false,
      },
      bufferTimeoutMicros: 10_000,
      segmentBytes: 4096,
      chainingEnabled: true,
      failoverStrategy: 'region',
      haEnabled: false,
      slotsPerTaskManager: 2,
      taskManagers: 2,
    })
  })

  it('of triggering and barriers are read', () => {
    const parsed = settings({
      [`${C}interval`]: '10 ms',
      [`${C}timeout`]: '10 ms',
      [`${C}interval-during-backlog`]: '1 min',
      [`${C}unaligned.enabled`]: true,
      [`${C}unaligned.forced`]: true,
      [`${C}aligned-checkpoint-timeout`]: '5 ms',
      [`${C}unaligned.max-subtasks-per-channel-state-file`]: 2,
      'web.checkpoints.history': 20,
      'taskmanager.network.memory.buffer-debloat.enabled': true,
      'taskmanager.network.memory.buffer-debloat.target': '2 s',
      'taskmanager.network.memory.buffer-debloat.samples': 4,
    })
    expect(parsed).toMatchObject({
      checkpointing: { intervalMicros: 10_000, timeoutMicros: 10_000, intervalDuringBacklogMicros: 60_000_000, unalignedEnabled: true, unalignedForced: true, alignedTimeoutMicros: 5000, maxSubtasksPerChannelStateFile: 2, historySize: 20 },
      debloat: { enabled: true, targetMicros: 2_000_000, periodMicros: 200_000, samples: 4, thresholdPercent: 25 },
    })
  })

  it.each([
    ['hdfs:///flink/chk', '/hdfs/flink/chk'],
    ['hdfs://name-node:8020/flink', '/hdfs/name-node:8020/flink'],
    ['s3://bucket/chk/', '/s3/bucket/chk'],
    ['S3://bucket', '/s3/bucket'],
    ['file:///data/chk', '/data/chk'],
    ['file:/data//chk/', '/data/chk'],
    ['/plain', '/plain'],
  ])('of the directory %s are mapped to %s of the one file system', (dir, path) => {
    const parsed = parseSettings(document({ [`${C}dir`]: dir }))
    expect(parsed.settings?.checkpointing.dir).toBe(path)
    expect(parsed.problems.map(({ severity }) => severity)).toEqual(/^(file:|\/)/.test(dir) ? [] : ['warning'])
  })

  it.each(['relative/path', 'file:///', 's3://bucket/../other', ''])('of the directory "%s" are a mistake', (dir) => {
    expect(parseSettings(document({ [`${C}dir`]: dir })).problems).toMatchObject([{ severity: 'error' }])
  })

  it.each<[Record<string, string>, string, string | null]>([
    [{}, 'jobmanager', null],
    [{ [`${C}dir`]: 'file:///x' }, 'filesystem', '/x'],
    [{ [`${C}storage`]: 'jobmanager' }, 'jobmanager', null],
    [{ [`${C}storage`]: 'JobManager', [`${C}dir`]: '/x' }, 'jobmanager', '/x'],
    [{ [`${C}storage`]: 'filesystem', [`${C}dir`]: '/x' }, 'filesystem', '/x'],
    [{ 'state.checkpoint-storage': 'org.apache.flink.runtime.state.storage.JobManagerCheckpointStorageFactory' }, 'jobmanager', null],
    [{ [`${C}storage`]: 'org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage', 'state.checkpoints.dir': '/x' }, 'filesystem', '/x'],
  ])('of storage: %j is %s with directory %s (behaviour 10.1)', (config, storage, dir) => {
    expect(settings(config).checkpointing).toMatchObject({ storage, dir })
  })

  it.each([
    [{ [`${C}storage`]: 'filesystem' }, /needs a directory/],
    [{ [`${C}storage`]: 'com.example.Own' }, /no checkpoint storage/],
  ])('of storage: %j is a mistake', (config, message) => {
    expect(parseSettings(document(config)).problems).toMatchObject([{ severity: 'error', message: expect.stringMatching(message) }])
  })

  it.each<[Record<string, boolean>, boolean, boolean]>([
    [{ 'state.backend.local-recovery': true }, true, true],
    [{ 'execution.state-recovery.from-local': true }, true, true],
    [{ [`${C}local-backup.enabled`]: true }, true, false],
    [{ [`${C}local-backup.enabled`]: false, 'execution.state-recovery.from-local': true }, false, true],
  ])('of local recovery: %j keeps copies %s and reads them %s', (config, localBackup, localRecovery) => {
    expect(settings(config).checkpointing).toMatchObject({ localBackup, localRecovery })
  })

  it('of sizes: the frame is 10 mb, a stream of state in the JobManager 5 mb', () => {
    expect(settings({})).toMatchObject({ frameBytes: 10_485_760, memoryStateLimitBytes: 5_242_880, checkpointing: { createSubdir: true } })
    expect(settings({ 'akka.framesize': '20971520b', [`${C}create-subdir`]: false })).toMatchObject({ frameBytes: 20_971_520, checkpointing: { createSubdir: false } })
  })

  it('of an interval of 0 mean off', () => {
    expect(settings({ [`${C}interval`]: '0 ms' }).checkpointing.intervalMicros).toBeNull()
  })

  it('of an interval during backlog below 10 ms mean none during a backlog', () => {
    expect(settings({ [`${C}interval`]: '1 s', [`${C}interval-during-backlog`]: '9 ms' }).checkpointing.intervalDuringBacklogMicros).toBe(0)
  })

  it('of min-pause are capped at a year', () => {
    expect(settings({ [`${C}min-pause`]: '400 d' }).checkpointing.minPauseMicros).toBe(365 * 86_400e6)
  })

  it('of unaligned are off with at-least-once', () => {
    expect(settings({ [`${C}unaligned.enabled`]: true, [`${C}mode`]: 'AT_LEAST_ONCE' }).checkpointing.unalignedEnabled).toBe(false)
  })

  it.each<[Record<string, string | number | boolean>, number]>([
    [{ 'execution.buffer-timeout.interval': '-1' }, -1],
    [{ 'execution.buffer-timeout.interval': -1 }, -1],
    [{ 'execution.buffer-timeout.interval': '-1 ms' }, -1],
    [{ 'execution.buffer-timeout.interval': '0 ms' }, 0],
    [{ 'execution.buffer-timeout.enabled': false }, -1],
  ])('of the buffer timeout %j are %i', (config, micros) => {
    expect(settings(config).bufferTimeoutMicros).toBe(micros)
  })

  it('are read by their old keys', () => {
    expect(settings({ 'state.checkpoints.num-retained': 5, 'state.checkpoints.dir': '/old' }).checkpointing).toMatchObject({ numRetained: 5, dir: '/old' })
  })

  it.each<[Record<string, string | number>, object]>([
    [{ 'restart-strategy.type': 'none' }, { type: 'none' }],
    [{ 'restart-strategy': 'off' }, { type: 'none' }],
    [{ 'restart-strategy.type': 'fixed-delay' }, { type: 'fixed-delay', attempts: 1, delayMicros: 1_000_000 }],
    [
      { 'restart-strategy.type': 'fixeddelay', 'restart-strategy.fixed-delay.attempts': 3, 'restart-strategy.fixed-delay.delay': '5 s' },
      { type: 'fixed-delay', attempts: 3, delayMicros: 5_000_000 },
    ],
    [{ 'restart-strategy.type': 'failure-rate' }, { type: 'failure-rate', maxFailuresPerInterval: 1, intervalMicros: 60_000_000, delayMicros: 1_000_000 }],
    [{ 'restart-strategy.type': 'exponential-delay', 'restart-strategy.exponential-delay.attempts-before-reset-backoff': 4 }, { attemptsBeforeReset: 4 }],
  ])('of the restart strategy %j', (config, expected) => {
    expect(settings(config).restartStrategy).toMatchObject(expected)
  })
})

describe('a mistake in an option', () => {
  it.each<[Record<string, string | number | boolean>, string]>([
    [{ [`${C}interval`]: 'often' }, `/config/${C}interval`],
    [{ [`${C}interval`]: '5 ms' }, `/config/${C}interval`],
    [{ [`${C}mode`]: 'TWICE' }, `/config/${C}mode`],
    [{ [`${C}timeout`]: '1 ms' }, `/config/${C}timeout`],
    [{ [`${C}num-retained`]: 0 }, `/config/${C}num-retained`],
    [{ [`${C}max-concurrent-checkpoints`]: 0 }, `/config/${C}max-concurrent-checkpoints`],
    [{ [`${C}tolerable-failed-checkpoints`]: -1 }, `/config/${C}tolerable-failed-checkpoints`],
    [{ [`${C}data-inline-threshold`]: '2 mb' }, `/config/${C}data-inline-threshold`],
    [{ [`${C}interval`]: '9 ms' }, `/config/${C}interval`],
    [{ [`${C}timeout`]: '9 ms' }, `/config/${C}timeout`],
    [{ [`${C}unaligned.max-subtasks-per-channel-state-file`]: 0 }, `/config/${C}unaligned.max-subtasks-per-channel-state-file`],
    [{ 'taskmanager.network.memory.buffer-debloat.threshold-percentages': 101 }, '/config/taskmanager.network.memory.buffer-debloat.threshold-percentages'],
    [{ 'taskmanager.network.memory.buffer-debloat.target': '0 s' }, '/config/taskmanager.network.memory.buffer-debloat.target'],
    [{ 'execution.buffer-timeout.interval': '-2 ms' }, '/config/execution.buffer-timeout.interval'],
    [{ 'web.checkpoints.history': -1 }, '/config/web.checkpoints.history'],
    [{ [`${C}dir`]: 'relative' }, `/config/${C}dir`],
    [{ [`${C}dir`]: '/a/../b' }, `/config/${C}dir`],
    [{ 'state.checkpoints.num-retained': 'x' }, '/config/state.checkpoints.num-retained'],
    [{ 'restart-strategy.type': 'hope' }, '/config/restart-strategy.type'],
    [{ 'restart-strategy.exponential-delay.backoff-multiplier': 0.5 }, '/config/restart-strategy.exponential-delay.backoff-multiplier'],
    [{ 'restart-strategy.exponential-delay.max-backoff': '1 ms' }, '/config/restart-strategy.exponential-delay.max-backoff'],
    [{ 'pipeline.max-parallelism': 0 }, '/config/pipeline.max-parallelism'],
    [{ 'pipeline.max-parallelism': 40000 }, '/config/pipeline.max-parallelism'],
    [{ 'taskmanager.memory.segment-size': '1 b' }, '/config/taskmanager.memory.segment-size'],
    [{ 'pipeline.operator-chaining.enabled': 'maybe' }, '/config/pipeline.operator-chaining.enabled'],
  ])('%j is refused at its place', (config, path) => {
    const parsed = parseSettings(document(config))
    expect(parsed.settings).toBeNull()
    const errors = parsed.problems.filter((problem) => problem.severity === 'error')
    expect(errors.map((problem) => problem.path)).toEqual([path])
    expect(errors[0]?.cure).not.toBe('')
  })

  it('in the playground settings is refused at its place', () => {
    const parsed = parseSettings(document({}, { playground: { linkLatency: 'soon', storageBandwidth: '0' } }))
    expect(parsed.settings).toBeNull()
    expect(parsed.problems.map((problem) => problem.path)).toEqual(['/playground/linkLatency', '/playground/storageBandwidth'])
  })
})

describe('a segment size that Flink refuses', () => {
  it.each([
    ['33 kb', 33_792, 'Memory segment size must be a power of 2.'],
    ['256 b', 256, 'Minimum memory segment size is 4096'],
    ['4095', 4095, 'Minimum memory segment size is 4096'],
    ['4097', 4097, 'Memory segment size must be a power of 2.'],
  ])('%s: a warning in its words, and the size is used here', (size, bytes, words) => {
    const parsed = parseSettings(document({ [`${C}interval`]: '1 s', 'taskmanager.memory.segment-size': size }))
    expect(parsed.settings?.segmentBytes).toBe(bytes)
    expect(parsed.problems.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', `Flink refuses it when a TaskManager starts: "Invalid configuration value for taskmanager.memory.segment-size : ${bytes} - ${words}" Here it is the size of a buffer all the same.`],
    ])
  })

  it.each(['4 kb', '32 kb', '1 mb'])('%s is taken without a word', (size) => {
    expect(parseSettings(document({ [`${C}interval`]: '1 s', 'taskmanager.memory.segment-size': size })).problems).toEqual([])
  })
})

describe('a fallback key', () => {
  it('is asked before the deprecated one', () => {
    const checkpointing = parseSettings(document({ 'state.backend.local-recovery': true, 'execution.state-recovery.from-local': false })).settings?.checkpointing
    expect([checkpointing?.localBackup, checkpointing?.localRecovery]).toEqual([false, false])
  })
})

describe('nothing is dropped without a word', () => {
  it('an unknown option is kept and reported', () => {
    expect(problems({ 'my.own.key': 1 })).toEqual(['warning /config/my.own.key: my.own.key is not used here.'])
  })

  it('a known option that the engine does not obey is reported', () => {
    expect(problems({ 'state.backend.type': 'rocksdb' })).toEqual(['warning /config/state.backend.type: state.backend.type is not used here. State is on the heap here: hashmap.'])
  })

  it('a removed option is told to do nothing', () => {
    expect(problems({ 'taskmanager.network.memory.buffers-per-channel': 2 })).toEqual([
      'warning /config/taskmanager.network.memory.buffers-per-channel: taskmanager.network.memory.buffers-per-channel does nothing. Removed in 2.0: fixed at 2 exclusive buffers per channel.',
    ])
  })

  it('what Flink could not read is a mistake also where it does nothing', () => {
    const parsed = parseSettings(document({ 'state.backend.rocksdb.predefined-options': 'FLASH_SSD_OPTIMIZED_HIGH_MEM' }))
    expect(parsed.settings).toBeNull()
    expect(parsed.problems.find((problem) => problem.severity === 'error')?.cure).toBe('Choose one of: DEFAULT, SPINNING_DISK_OPTIMIZED, SPINNING_DISK_OPTIMIZED_HIGH_MEM, FLASH_SSD_OPTIMIZED.')
  })

  it('an old name beside the new one is reported, and the new one wins', () => {
    const config = { [`${C}num-retained`]: 2, 'state.checkpoints.num-retained': 9 }
    expect(settings(config).checkpointing.numRetained).toBe(2)
    expect(problems(config)).toHaveLength(1)
  })
})
