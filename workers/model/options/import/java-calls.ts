/** What each call of the Java API says in options, and what became of the call (behaviour 21.6). */
import type { CallSetting } from './call-setting.ts'
import { findOption } from '../option-table.ts'
import { JAVA_CONSTANTS } from './java-constants.ts'
import type { JavaExpression } from './java-expression.ts'
import { restartStrategy, stateBackend, checkpointStorage } from './java-objects.ts'
import { anyValueOf, booleanOf, constantOf, durationOf, integerOf, stringOf } from './java-values.ts'

type Args = readonly JavaExpression[]
type Reading = (args: Args) => readonly CallSetting[]

const C = 'execution.checkpointing.'
const NOW_OPTION = 'The call was removed in 2.0; the option stands for it.'

const set =
  (key: string, read: (expression: JavaExpression | undefined) => string | null, more: Pick<CallSetting, 'fate' | 'note'> = {}): Reading =>
  ([argument]) => [{ key, value: read(argument), ...more }]

const RETENTION = `${C}externalized-checkpoint-retention`
const TO_RETENTION = { fate: 'renamed', note: 'Now setExternalizedCheckpointRetention, with the enum ExternalizedCheckpointRetention of the same three constants.' } as const

const READINGS: Readonly<Record<string, Reading>> = {
  enableCheckpointing: ([interval, mode]) => [
    interval === undefined ? { key: `${C}interval`, value: '500 ms', fate: 'removed', note: 'The call without an interval, which meant 500 ms, was removed.' } : { key: `${C}interval`, value: durationOf(interval) },
    ...(mode === undefined ? [] : [{ key: `${C}mode`, value: constantOf(mode) }]),
  ],
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
  setPreferCheckpointForRecovery: () => [{ key: 'setPreferCheckpointForRecovery', value: null, fate: 'removed', note: 'Removed: savepoints are not used for recovery since 1.15.' }],
  enableUnalignedCheckpoints: ([enabled]) => [{ key: `${C}unaligned.enabled`, value: booleanOf(enabled, 'true') }],
  setForceUnalignedCheckpoints: ([forced]) => [{ key: `${C}unaligned.forced`, value: booleanOf(forced, 'true') }],
  setAlignedCheckpointTimeout: set(`${C}aligned-checkpoint-timeout`, durationOf),
  setAlignmentTimeout: set(`${C}aligned-checkpoint-timeout`, durationOf, { fate: 'renamed', note: 'Now setAlignedCheckpointTimeout.' }),
  setCheckpointIdOfIgnoredInFlightData: set('execution.state-recovery.without-channel-state.checkpoint-id', integerOf),
  enableApproximateLocalRecovery: ([enabled]) => [{ key: 'execution.state-recovery.approximate-local-recovery', value: booleanOf(enabled, 'true') }],
  enableExternalizedCheckpoints: set(RETENTION, constantOf, TO_RETENTION),
  setExternalizedCheckpointCleanup: set(RETENTION, constantOf, TO_RETENTION),
  setExternalizedCheckpointRetention: set(RETENTION, constantOf),
  setCheckpointStorage: checkpointStorage,
  setStateBackend: stateBackend,
  setDefaultSavepointDirectory: set(`${C}savepoint-dir`, stringOf),
  setDefaultSavepointDir: set(`${C}savepoint-dir`, stringOf, { fate: 'renamed', note: 'Public code has setDefaultSavepointDirectory.' }),
  setRestartStrategy: restartStrategy,
  setNumberOfExecutionRetries: ([attempts]) => [
    { key: 'restart-strategy.type', value: 'fixed-delay', fate: 'removed', note: NOW_OPTION },
    { key: 'restart-strategy.fixed-delay.attempts', value: integerOf(attempts), fate: 'removed', note: NOW_OPTION },
  ],
  setBufferTimeout: ([timeout]) => [{ key: 'execution.buffer-timeout.interval', value: durationOf(timeout) }],
  setMaxParallelism: set('pipeline.max-parallelism', integerOf),
  disableOperatorChaining: () => [{ key: 'pipeline.operator-chaining.enabled', value: 'false' }],
  setAutoWatermarkInterval: set('pipeline.auto-watermark-interval', durationOf),
  enableChangelogStateBackend: ([enabled]) => [{ key: 'state.changelog.enabled', value: booleanOf(enabled, 'true') }],
  setPredefinedOptions: set('state.backend.rocksdb.predefined-options', constantOf),
}

const CONFIG_SETTERS = new Set(['set', 'setString', 'setInteger', 'setLong', 'setBoolean', 'setDouble', 'setFloat'])
/** Receivers of which an unknown call is taken for a setting. */
const RECEIVER = /^(env|environment|streamEnv|see|conf|config|configuration|checkpointConfig|checkpointingConfig|chkConfig|ckConf|executionConfig|tEnv|tableEnv)$/i
const RECEIVER_CALL = /^(getCheckpointConfig|getConfig|getConfiguration|getExecutionEnvironment)$/

/** Null: the call is no setting. An unknown setter gives the call itself as its key. */
export function readCall(call: Extract<JavaExpression, { kind: 'call' }>): { readonly settings: readonly CallSetting[]; readonly known: boolean } | null {
  const ofFactory = call.receiver?.kind === 'name' && call.receiver.path.at(-1) === 'RestartStrategies'
  if (CONFIG_SETTERS.has(call.name) && call.args.length === 2) return readSet(call.args)
  const reading = Object.hasOwn(READINGS, call.name) ? READINGS[call.name] : undefined
  if (reading !== undefined && !ofFactory && !ofOperator(call)) return { settings: reading(call.args), known: true }
  if (!/^(set|enable|disable)[A-Z]/.test(call.name) || !isSettingsObject(call.receiver)) return null
  return { settings: [{ key: `${call.name}(…)`, value: null }], known: false }
}

/** `setMaxParallelism` and `setBufferTimeout` after an operator are that operator's. */
function ofOperator(call: Extract<JavaExpression, { kind: 'call' }>): boolean {
  return ['setMaxParallelism', 'setBufferTimeout'].includes(call.name) && !isSettingsObject(call.receiver)
}

function isSettingsObject(receiver: JavaExpression | null): boolean {
  if (receiver?.kind === 'name') return RECEIVER.test(receiver.path.at(-1) ?? '')
  return receiver?.kind === 'call' && (RECEIVER_CALL.test(receiver.name) || (receiver.name in READINGS && isSettingsObject(receiver.receiver)))
}

function readSet([option, value]: Args): { readonly settings: readonly CallSetting[]; readonly known: boolean } | null {
  const literal = stringOf(option)
  const constant = constantOf(option)
  const key = literal ?? (constant === null ? undefined : JAVA_CONSTANTS[constant])
  if (key === undefined) {
    const name = option?.kind === 'name' ? option.path.join('.') : null
    return name === null ? null : { settings: [{ key: name, value: anyValueOf(value, false) }], known: false }
  }
  const className = option?.kind === 'name' ? option.path.at(-2) : undefined
  const old = className === 'ExecutionCheckpointingOptions' ? ({ fate: 'renamed', note: 'The class ExecutionCheckpointingOptions was removed; CheckpointingOptions has the constant.' } as const) : {}
  return { settings: [{ key, value: anyValueOf(value, findOption(key)?.type.kind === 'duration'), ...old }], known: true }
}
