/** What each call of the Java API says in options, and what became of the call (behaviour 21.6). PyFlink has the same calls in snake case. */
import { restOf, type Args, type CallSetting } from './call-setting.ts'
import type { JavaExpression } from './java-expression.ts'
import { checkpointStorage, restartStrategy, stateBackend } from './java-objects.ts'
import { booleanOf, constantOf, durationOf, integerOf, memoryOf, pathOf, stringOf } from './java-values.ts'

type Reading = (args: Args) => readonly CallSetting[]
type Read = (expression: JavaExpression | undefined) => string | null
type Fate = Pick<CallSetting, 'fate' | 'note'>

const C = 'execution.checkpointing.'
const B = 'state.backend.rocksdb.'
const G = 'state.changelog.'
const REMOVED = { fate: 'removed', note: 'The call was removed in 2.0; the option stands for it.' } as const
const NO_SUCCESSOR = (note: string): Reading => () => [{ key: '', value: null, fate: 'removed', note }]

const set = (key: string, read: Read, more: Fate = {}): Reading => ([argument]) => [{ key, value: read(argument), ...more }]
/** Without an argument: true. */
const enable = (key: string, value = 'true', more: Fate = {}): Reading => ([argument]) => [{ key, value: argument === undefined ? value : booleanOf(argument, null), ...more }]

const RETENTION = `${C}externalized-checkpoint-retention`
const TO_RETENTION = { fate: 'renamed', note: 'Now setExternalizedCheckpointRetention, with the enum ExternalizedCheckpointRetention of the same three constants.' } as const
const OF_BACKEND = { fate: 'removed', note: 'The option stands for the call on the backend, which code does not make any more.' } as const

export const READINGS: Readonly<Record<string, Reading>> = {
  enableCheckpointing: ([interval, mode, force]) => [
    interval === undefined ? { key: `${C}interval`, value: '500 ms', fate: 'removed', note: 'The call without an interval, which meant 500 ms, was removed.' } : { key: `${C}interval`, value: durationOf(interval) },
    ...(mode === undefined || (mode.kind === 'name' && mode.path.join() === 'None') ? [] : [{ key: `${C}mode`, value: constantOf(mode) }]),
    ...(force === undefined ? [] : [{ key: 'enableCheckpointing(…, force)', value: null, fate: 'removed', note: 'Removed: it forced checkpoints of iterations, which are gone.' } as const]),
  ],
  disableCheckpointing: () => [{ key: `${C}interval`, value: '0 ms' }],
  setCheckpointInterval: set(`${C}interval`, durationOf),
  setCheckpointIntervalDuringBacklog: set(`${C}interval-during-backlog`, durationOf),
  setCheckpointingMode: set(`${C}mode`, constantOf),
  setCheckpointingConsistencyMode: set(`${C}mode`, constantOf),
  setCheckpointTimeout: set(`${C}timeout`, durationOf),
  setMinPauseBetweenCheckpoints: set(`${C}min-pause`, durationOf),
  setMaxConcurrentCheckpoints: set(`${C}max-concurrent-checkpoints`, integerOf),
  setTolerableCheckpointFailureNumber: set(`${C}tolerable-failed-checkpoints`, integerOf),
  setFailOnCheckpointingErrors: ([fail]) => {
    const value = booleanOf(fail, null)
    return [{ key: `${C}tolerable-failed-checkpoints`, value: value === 'true' ? '0' : value === 'false' ? '2147483647' : null, fate: 'removed', note: 'The call was removed; the number of tolerable failures stands for it.' }]
  },
  setForceCheckpointing: NO_SUCCESSOR('Removed: it forced checkpoints of iterations, which are gone.'),
  setPreferCheckpointForRecovery: NO_SUCCESSOR('Removed: savepoints are not used for recovery since 1.15.'),
  enableUnalignedCheckpoints: enable(`${C}unaligned.enabled`),
  disableUnalignedCheckpoints: enable(`${C}unaligned.enabled`, 'false'),
  setForceUnalignedCheckpoints: enable(`${C}unaligned.forced`),
  enableUnalignedCheckpointsInterruptibleTimers: enable(`${C}unaligned.interruptible-timers.enabled`),
  setMaxSubtasksPerChannelStateFile: set(`${C}unaligned.max-subtasks-per-channel-state-file`, integerOf),
  setAlignedCheckpointTimeout: set(`${C}aligned-checkpoint-timeout`, durationOf),
  setAlignmentTimeout: set(`${C}aligned-checkpoint-timeout`, durationOf, { fate: 'renamed', note: 'Now setAlignedCheckpointTimeout.' }),
  setCheckpointIdOfIgnoredInFlightData: set('execution.state-recovery.without-channel-state.checkpoint-id', integerOf),
  enableApproximateLocalRecovery: enable('execution.state-recovery.approximate-local-recovery'),
  enableExternalizedCheckpoints: set(RETENTION, constantOf, TO_RETENTION),
  setExternalizedCheckpointCleanup: set(RETENTION, constantOf, TO_RETENTION),
  setExternalizedCheckpointRetention: set(RETENTION, constantOf),
  setCheckpointStorage: checkpointStorage,
  setCheckpointStorageDir: checkpointStorage,
  setStateBackend: stateBackend,
  setDefaultSavepointDirectory: set(`${C}savepoint-dir`, pathOf),
  setDefaultSavepointDir: set(`${C}savepoint-dir`, pathOf, { fate: 'renamed', note: 'Public code has setDefaultSavepointDirectory.' }),
  setRestartStrategy: restartStrategy,
  setNumberOfExecutionRetries: ([attempts]) => [
    { key: 'restart-strategy.type', value: 'fixed-delay', ...REMOVED },
    { key: 'restart-strategy.fixed-delay.attempts', value: integerOf(attempts), ...REMOVED },
  ],
  setExecutionRetryDelay: set('restart-strategy.fixed-delay.delay', durationOf, REMOVED),
  setBufferTimeout: set('execution.buffer-timeout.interval', durationOf),
  setMaxParallelism: set('pipeline.max-parallelism', integerOf),
  disableOperatorChaining: () => [{ key: 'pipeline.operator-chaining.enabled', value: 'false' }],
  setAutoWatermarkInterval: set('pipeline.auto-watermark-interval', durationOf),
  enableAutoGeneratedUIDs: () => [{ key: 'pipeline.auto-generate-uids', value: 'true' }],
  disableAutoGeneratedUIDs: () => [{ key: 'pipeline.auto-generate-uids', value: 'false' }],
  setTaskCancellationInterval: set('task.cancellation.interval', durationOf),
  setTaskCancellationTimeout: set('task.cancellation.timeout', durationOf),
  enableChangelogStateBackend: enable(`${G}enabled`),
  enablePeriodicMaterialize: enable(`${G}periodic-materialize.enabled`),
  setPeriodicMaterializeIntervalMillis: set(`${G}periodic-materialize.interval`, durationOf),
  setMaterializationMaxAllowedFailures: set(`${G}max-failures-allowed`, integerOf),
  setPredefinedOptions: set(`${B}predefined-options`, constantOf, OF_BACKEND),
  setDbStoragePath: set(`${B}localdir`, pathOf, OF_BACKEND),
  setDbStoragePaths: (args) => {
    const paths = args.map(pathOf)
    return [{ key: `${B}localdir`, value: paths.includes(null) ? null : paths.join(','), ...OF_BACKEND }]
  },
  setPriorityQueueStateType: set(`${B}timer-service.factory`, constantOf, OF_BACKEND),
  setNumberOfTransferThreads: set(`${B}checkpoint.transfer.thread.num`, integerOf, OF_BACKEND),
  setNumberOfTransferingThreads: set(`${B}checkpoint.transfer.thread.num`, integerOf, OF_BACKEND),
  setWriteBatchSize: set(`${B}write-batch-size`, memoryOf, OF_BACKEND),
  setUseManagedMemory: enable(`${B}memory.managed`, 'true', OF_BACKEND),
  setFixedMemoryPerSlot: set(`${B}memory.fixed-per-slot`, memoryOf, OF_BACKEND),
  setWriteBufferRatio: set(`${B}memory.write-buffer-ratio`, integerOf, OF_BACKEND),
  setHighPriorityPoolRatio: set(`${B}memory.high-prio-pool-ratio`, integerOf, OF_BACKEND),
  setRocksDBOptions: set(`${B}options-factory`, (argument) => (argument?.kind === 'new' ? argument.type : stringOf(argument)), OF_BACKEND),
}

/** How many arguments each takes; one, if it is not said. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  enableCheckpointing: ['interval', 'mode', 'force'],
  disableCheckpointing: [],
  disableUnalignedCheckpoints: [],
  disableOperatorChaining: [],
  enableAutoGeneratedUIDs: [],
  disableAutoGeneratedUIDs: [],
}
/** These account for all their arguments themselves. */
const ALL = new Set(['setDbStoragePaths', 'setCheckpointStorage', 'setCheckpointStorageDir', 'setStateBackend', 'setRestartStrategy'])

/** Null: no call that is known here. */
export function readingOf(name: string, args: Args): readonly CallSetting[] | null {
  const reading = Object.hasOwn(READINGS, name) ? READINGS[name] : undefined
  if (reading === undefined) return null
  const { placed, rest } = byPosition(PARAMETERS[name] ?? null, args)
  const settings = reading(placed).map((setting) => (setting.key === '' ? { ...setting, key: `${name}(…)` } : setting))
  const taken = ALL.has(name) ? placed.length : (PARAMETERS[name]?.length ?? 1)
  return [...settings, ...restOf(name, placed, taken), ...restOf(name, rest, 0)]
}

/** Arguments by their names take their places; names that the call does not have are left over. */
function byPosition(parameters: readonly string[] | null, args: Args): { readonly placed: Args; readonly rest: Args } {
  const placed: JavaExpression[] = []
  const rest: JavaExpression[] = []
  for (const argument of args) {
    if (argument.kind !== 'named') placed.push(argument)
    else if (parameters === null && args.length === 1) placed.push(argument.value)
    else {
      const at = (parameters ?? []).findIndex((name) => name.toLowerCase() === argument.name.replaceAll('_', '').toLowerCase())
      if (at === -1) rest.push(argument)
      else placed[at] = argument.value
    }
  }
  return { placed: Array.from(placed, (argument) => argument ?? { kind: 'name', path: ['None'] }), rest }
}
