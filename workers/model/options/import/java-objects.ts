/** State backends, checkpoint storages and restart strategies that older code makes with `new` or a factory → options (behaviour 21.6). */
import type { CallSetting } from './call-setting.ts'
import type { JavaExpression } from './java-expression.ts'
import { booleanOf, durationOf, integerOf, stringOf } from './java-values.ts'

type Args = readonly JavaExpression[]

const C = 'execution.checkpointing.'
const REMOVED = { fate: 'removed', note: 'The call was removed in 2.0; the option stands for it.' } as const
const MAX_MEM_STATE_SIZE = { ...REMOVED, note: 'The call was removed in 2.0. The largest state (5 mb) is an argument of the constructor and has no key: playground.maxMemoryStateSize stands for it here.' } as const

const storage = (value: string): CallSetting => ({ key: `${C}storage`, value, ...REMOVED })
const directory = (argument: JavaExpression | undefined): readonly CallSetting[] => {
  const value = stringOf(argument) ?? (argument?.kind === 'new' ? stringOf(argument.args[0]) : null)
  return [{ key: `${C}dir`, value, ...REMOVED }]
}

/** `new FileSystemCheckpointStorage(uri)`, `new JobManagerCheckpointStorage(…)`, or a URI as text, `Path` or `URI`. */
export function checkpointStorage([argument]: Args): readonly CallSetting[] {
  if (argument?.kind !== 'new' || argument.type === 'Path' || argument.type === 'URI') return [storage('filesystem'), ...directory(argument)]
  if (argument.type === 'JobManagerCheckpointStorage') return [{ ...storage('jobmanager'), ...(argument.args.length === 0 ? {} : MAX_MEM_STATE_SIZE) }]
  if (argument.type !== 'FileSystemCheckpointStorage') return [storage(argument.type)]
  const threshold = integerOf(argument.args[1])
  return [storage('filesystem'), ...directory(argument.args[0]), ...(threshold === null ? [] : [{ key: `${C}data-inline-threshold`, value: `${threshold} bytes`, ...REMOVED }])]
}

export function stateBackend([argument]: Args): readonly CallSetting[] {
  const backend = (value: string | null, note: string = REMOVED.note): CallSetting => ({ key: 'state.backend.type', value, fate: 'removed', note })
  if (argument?.kind !== 'new') return [backend(null)]
  const { type, args } = argument
  const incremental = (value: JavaExpression | undefined): readonly CallSetting[] => {
    if (value === undefined) return []
    const text = booleanOf(value, null)
    return [{ key: `${C}incremental`, value: text, ...REMOVED }]
  }
  switch (type) {
    case 'HashMapStateBackend':
      return [backend('hashmap')]
    case 'EmbeddedRocksDBStateBackend':
      return [backend('rocksdb'), ...incremental(args[0])]
    case 'MemoryStateBackend':
      return [backend('hashmap', 'MemoryStateBackend is hashmap with storage jobmanager.'), { ...storage('jobmanager'), ...(args.length === 0 ? {} : MAX_MEM_STATE_SIZE) }]
    case 'FsStateBackend':
      return [backend('hashmap', 'FsStateBackend is hashmap with storage filesystem.'), storage('filesystem'), ...directory(args[0])]
    case 'RocksDBStateBackend':
      return [backend('rocksdb', 'RocksDBStateBackend is rocksdb with storage filesystem.'), storage('filesystem'), ...directory(args[0]), ...incremental(args[1])]
    default:
      return [backend(type)]
  }
}

const STRATEGIES: Readonly<Record<string, readonly [type: string, options: readonly (readonly [key: string, read: (expression: JavaExpression | undefined) => string | null])[]]>> = {
  noRestart: ['none', []],
  fallBackRestart: ['', []],
  fixedDelayRestart: ['fixed-delay', [['attempts', integerOf], ['delay', durationOf]]],
  failureRateRestart: ['failure-rate', [['max-failures-per-interval', integerOf], ['failure-rate-interval', durationOf], ['delay', durationOf]]],
  exponentialDelayRestart: [
    'exponential-delay',
    [['initial-backoff', durationOf], ['max-backoff', durationOf], ['backoff-multiplier', integerOf], ['reset-backoff-threshold', durationOf], ['jitter-factor', integerOf]],
  ],
}

/** `RestartStrategies.fixedDelayRestart(3, Time.of(10, TimeUnit.SECONDS))` and its like. */
export function restartStrategy([argument]: Args): readonly CallSetting[] {
  const found = argument?.kind === 'call' && Object.hasOwn(STRATEGIES, argument.name) ? STRATEGIES[argument.name] : undefined
  if (found === undefined || argument?.kind !== 'call') return [{ key: 'restart-strategy.type', value: null, ...REMOVED }]
  const [type, options] = found
  if (type === '') return [{ key: 'restart-strategy.type', value: null, fate: 'removed', note: 'The call was removed in 2.0. It left the choice to the cluster: leave the option out.' }]
  return [
    { key: 'restart-strategy.type', value: type, ...REMOVED },
    ...options.map(([key, read], index) => ({ key: `restart-strategy.${type}.${key}`, value: read(argument.args[index]), ...REMOVED })),
  ]
}
