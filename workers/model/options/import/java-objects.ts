/**
 * State backends, checkpoint storages and restart strategies that older code makes with a constructor or a factory → options (behaviour
 * 21.6). Each argument gives an option or is listed. Flink up to 1.20: the constructors of these classes.
 */
import { restOf, type Args, type CallSetting } from './call-setting.ts'
import type { JavaExpression } from './java-expression.ts'
import { bytesOf } from './java-quantities.ts'
import { booleanOf, durationOf, integerOf, memoryOf, pathOf } from './java-values.ts'

const C = 'execution.checkpointing.'
const REMOVED = { fate: 'removed', note: 'The call was removed in 2.0; the option stands for it.' } as const
const LEGACY = { ...REMOVED, legacy: true } as const

type Fate = typeof REMOVED | typeof LEGACY

const storage = (value: string, fate: Fate = REMOVED): CallSetting => ({ key: `${C}storage`, value, ...fate })
const asyncSnapshots = (type: string): CallSetting => ({ key: `${type}(…, asynchronousSnapshots)`, value: null, fate: 'removed', note: 'Removed: snapshots of the heap are always asynchronous.' })
const maxStateSize = (type: string): CallSetting => ({
  key: `${type}(…, maxStateSize)`,
  value: null,
  fate: 'removed',
  note: 'The largest state (5 mb) is an argument of the constructor and has no key: playground.maxMemoryStateSize stands for it here.',
})

const isNumber = (argument: JavaExpression): boolean => argument.kind === 'number' || bytesOf(argument) !== null || /^(MAX_MEM_STATE_SIZE|DEFAULT_MAX_STATE_SIZE)$/.test(lastName(argument))
const isBoolean = (argument: JavaExpression): boolean => booleanOf(argument, null) !== null || lastName(argument) === 'UNDEFINED'
const lastName = (argument: JavaExpression): string => (argument.kind === 'name' ? (argument.path.at(-1) ?? '') : '')
const isNull = (argument: JavaExpression): boolean => /^(null|None)$/.test(lastName(argument))

/** The kinds of arguments of a constructor, in the order in which its overloads take them: a number never stands where a path is meant. */
type Kind = 'path' | 'number' | 'boolean'
const kindOf = (argument: JavaExpression): Kind => (isNumber(argument) ? 'number' : isBoolean(argument) ? 'boolean' : 'path')

/** What the arguments say, each of a kind in its order. */
function readArgs(type: string, args: Args, readers: Readonly<Record<Kind, readonly ((argument: JavaExpression) => readonly CallSetting[])[]>>): readonly CallSetting[] {
  const seen = { path: 0, number: 0, boolean: 0 }
  return args.flatMap((argument, index) => {
    const value = argument.kind === 'named' ? argument.value : argument
    const kind = kindOf(value)
    const read = readers[kind][seen[kind]++]
    return isNull(value) ? [] : (read?.(value) ?? restOf(type, args.slice(0, index + 1), index))
  })
}

const directory = (fate: Fate) => (argument: JavaExpression): readonly CallSetting[] => [{ key: `${C}dir`, value: pathOf(argument), ...fate }]
const savepointDirectory = (fate: Fate) => (argument: JavaExpression): readonly CallSetting[] => [{ key: `${C}savepoint-dir`, value: pathOf(argument), ...fate }]
const threshold = (fate: Fate) => (argument: JavaExpression): readonly CallSetting[] => [{ key: `${C}data-inline-threshold`, value: memoryOf(argument), ...fate }]
const writeBuffer = (fate: Fate) => (argument: JavaExpression): readonly CallSetting[] => [{ key: `${C}write-buffer-size`, value: integerOf(argument), ...fate }]

/** `new FileSystemCheckpointStorage(uri)`, `new JobManagerCheckpointStorage(…)`, or a URI as text, `Path` or `URI`. */
export function checkpointStorage(args: Args): readonly CallSetting[] {
  const [argument] = args
  const rest = restOf('setCheckpointStorage', args, 1)
  if (argument?.kind !== 'new' || /^(Path|URI|File)$/.test(argument.type)) {
    if (argument !== undefined && argument.kind !== 'string' && argument.kind !== 'template' && argument.kind !== 'binary' && pathOf(argument) === null) return [{ ...storage('filesystem'), value: null }, ...rest]
    return [storage('filesystem'), ...(argument === undefined ? [] : directory(REMOVED)(argument)), ...rest]
  }
  const { type } = argument
  if (type === 'JobManagerCheckpointStorage') {
    return [storage('jobmanager'), ...readArgs(type, argument.args, { path: [directory(REMOVED)], number: [() => [maxStateSize(type)]], boolean: [] }), ...rest]
  }
  if (type !== 'FileSystemCheckpointStorage') return [storage(type), ...restOf(type, argument.args, 0), ...rest]
  return [storage('filesystem'), ...readArgs(type, argument.args, { path: [directory(REMOVED)], number: [threshold(REMOVED), writeBuffer(REMOVED)], boolean: [] }), ...rest]
}

export function stateBackend(args: Args): readonly CallSetting[] {
  const [argument] = args
  return [...backendOf(argument), ...restOf('setStateBackend', args, 1)]
}

function backendOf(argument: JavaExpression | undefined): readonly CallSetting[] {
  const backend = (value: string | null, note: string = REMOVED.note): CallSetting => ({ key: 'state.backend.type', value, fate: 'removed', note })
  if (argument?.kind !== 'new') return [backend(null)]
  const { type, args } = argument
  const incremental = (value: JavaExpression): readonly CallSetting[] => (lastName(value) === 'UNDEFINED' ? [] : [{ key: `${C}incremental`, value: booleanOf(value, null), ...REMOVED }])
  switch (type) {
    case 'HashMapStateBackend':
      return [backend('hashmap'), ...readArgs(type, args, { path: [], number: [], boolean: [] })]
    case 'EmbeddedRocksDBStateBackend':
      return [backend('rocksdb'), ...readArgs(type, args, { path: [], number: [], boolean: [incremental] })]
    case 'MemoryStateBackend':
      return [
        backend('hashmap', 'MemoryStateBackend is hashmap with storage jobmanager.'),
        storage('jobmanager', LEGACY),
        ...readArgs(type, args, { path: [directory(LEGACY), savepointDirectory(LEGACY)], number: [() => [maxStateSize(type)]], boolean: [() => [asyncSnapshots(type)]] }),
      ]
    case 'FsStateBackend':
      return [
        backend('hashmap', 'FsStateBackend is hashmap with storage filesystem.'),
        storage('filesystem', LEGACY),
        ...readArgs(type, args, { path: [directory(LEGACY), savepointDirectory(LEGACY)], number: [threshold(LEGACY), writeBuffer(LEGACY)], boolean: [() => [asyncSnapshots(type)]] }),
      ]
    case 'RocksDBStateBackend': {
      const note = 'RocksDBStateBackend is rocksdb with storage filesystem.'
      const [first] = args
      // A backend inside says where the checkpoints go.
      const inner = first?.kind === 'new' && first.type.endsWith('StateBackend') ? backendOf(first).filter(({ key }) => key !== 'state.backend.type') : null
      const where = inner === null ? [storage('filesystem', LEGACY)] : inner
      return [backend('rocksdb', note), ...where, ...readArgs(type, args, { path: [inner === null ? directory(LEGACY) : () => []], number: [], boolean: [incremental] })]
    }
    default:
      return [backend(type), ...restOf(type, args, 0)]
  }
}

type Read = (expression: JavaExpression | undefined) => string | null
const STRATEGIES: Readonly<Record<string, readonly [type: string, options: readonly (readonly [key: string, read: Read])[]]>> = {
  noRestart: ['none', []],
  fallBackRestart: ['', []],
  fixedDelayRestart: ['fixed-delay', [['attempts', integerOf], ['delay', durationOf]]],
  failureRateRestart: ['failure-rate', [['max-failures-per-interval', integerOf], ['failure-rate-interval', durationOf], ['delay', durationOf]]],
  exponentialDelayRestart: [
    'exponential-delay',
    [['initial-backoff', durationOf], ['max-backoff', durationOf], ['backoff-multiplier', integerOf], ['reset-backoff-threshold', durationOf], ['jitter-factor', integerOf]],
  ],
}

const camel = (name: string): string => name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase())

/** `RestartStrategies.fixedDelayRestart(3, Time.of(10, TimeUnit.SECONDS))` and its like. */
export function restartStrategy(args: Args): readonly CallSetting[] {
  const [argument] = args
  const name = argument?.kind === 'call' ? camel(argument.name) : ''
  const found = Object.hasOwn(STRATEGIES, name) ? STRATEGIES[name] : undefined
  const rest = restOf('setRestartStrategy', args, 1)
  if (found === undefined || argument?.kind !== 'call') return [{ key: 'restart-strategy.type', value: null, ...REMOVED }, ...rest]
  const [type, options] = found
  if (type === '') return [{ key: 'RestartStrategies.fallBackRestart()', value: null, fate: 'removed', note: 'The call was removed in 2.0. It left the choice to the cluster: leave the option out.' }, ...rest]
  return [
    { key: 'restart-strategy.type', value: type, ...REMOVED },
    ...options.map(([key, read], index) => ({ key: `restart-strategy.${type}.${key}`, value: read(argument.args[index]), ...REMOVED })),
    ...restOf(name, argument.args, options.length),
    ...rest,
  ]
}
