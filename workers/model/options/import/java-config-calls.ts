/** Calls on a Configuration: `set(option, value)`, the typed setters of 1.x, and maps that become one. */
import { findOption } from '../option-table.ts'
import { REMOVED_OPTIONS } from '../table/removed.ts'
import { restOf, type Args, type CallSetting } from './call-setting.ts'
import { BACKEND_CONSTANTS } from './java-constants-of-backends.ts'
import { CONSTANTS } from './java-constants.ts'
import type { JavaExpression } from './java-expression.ts'
import { anyValueOf, stringOf } from './java-values.ts'

const SETTERS = new Set(['set', 'setString', 'setInteger', 'setLong', 'setBoolean', 'setDouble', 'setFloat', 'setBytes', 'setClass'])
export const isConfigSetter = (name: string): boolean => SETTERS.has(name)

/** Classes that are gone, and where their constants are today. */
const MOVED: Readonly<Record<string, string>> = {
  ExecutionCheckpointingOptions: 'CheckpointingOptions',
  SavepointConfigOptions: 'StateRecoveryOptions',
  AkkaOptions: 'RpcOptions',
  RocksDBConfigurableOptions: 'RocksDBOptions',
}
const STILL_THERE = new Set(['RocksDBConfigurableOptions'])
const ALL: Readonly<Record<string, Readonly<Record<string, string>>>> = { ...CONSTANTS, ...BACKEND_CONSTANTS }

type Key = Omit<CallSetting, 'value'>

/** The settings of `config.set(option, value)`; null: it is no call on a Configuration (`list.set(0, x)`). */
export function readConfigSetter(name: string, args: Args): readonly CallSetting[] | null {
  const [option, value] = args
  if (option === undefined || value === undefined) return null
  const key = keyOf(option)
  return key === null ? null : [setting(key, value), ...restOf(name, args, 2)]
}

function setting(key: Key, value: JavaExpression): CallSetting {
  return { ...key, value: anyValueOf(value, findOption(key.key)?.type) }
}

/** A text, a constant, `Constant.key()`, or `ConfigOptions.key("…")…`. A name that is none of them stands for itself. */
function keyOf(option: JavaExpression): Key | null {
  const text = stringOf(option)
  if (text !== null) return { key: text }
  if (option.kind === 'name') return constant(option.path)
  for (let at: JavaExpression | null = option; at?.kind === 'call'; at = at.receiver) {
    if (at.name !== 'key') continue
    const [key] = at.args
    if (key === undefined) return at.receiver?.kind === 'name' ? constant(at.receiver.path) : null
    return { key: stringOf(key) ?? 'ConfigOptions.key(…)', ...(stringOf(key) === null ? UNKNOWN : {}) }
  }
  return option.kind === 'number' || option.kind === 'other' ? null : { key: `${option.kind === 'call' ? option.name : option.kind}(…)`, ...UNKNOWN }
}

const UNKNOWN = { fate: 'unknown', note: 'The text does not say which option it is; it is listed and does nothing.' } as const

function constant(path: readonly string[]): Key {
  const [className, name] = [path.at(-2), path.at(-1) ?? '']
  const moved = className !== undefined && Object.hasOwn(MOVED, className) ? MOVED[className] : undefined
  const owner = moved ?? className
  const table = owner !== undefined && Object.hasOwn(ALL, owner) ? ALL[owner] : undefined
  const key = table?.[name] ?? byNameAlone(name)
  if (key === null || (table !== undefined && !Object.hasOwn(table, name) && byNameAlone(name) === null)) return { key: path.join('.'), ...UNKNOWN, note: 'Not an option that is known here; it is listed and does nothing.' }
  if (moved === undefined || className === undefined || STILL_THERE.has(className)) return { key }
  return { key, fate: 'renamed', note: `The class ${className} was removed; ${moved} has the constant.` }
}

/** Of a constant without its class (a static import), or one that has moved to another class since. */
function byNameAlone(name: string): string | null {
  const table = Object.values(ALL).find((each) => Object.hasOwn(each, name))
  return table?.[name] ?? null
}

/** The pairs of `Map.of("k", "v", …)`, `Map.ofEntries(entry("k", "v"))`, `Map("k" -> "v")`, `mapOf("k" to "v")`; null: no such map. */
export function readMap(expression: JavaExpression): readonly CallSetting[] | null {
  if (expression.kind !== 'call' && expression.kind !== 'new') return null
  if (expression.kind === 'call' && expression.receiver !== null && expression.args.length === 0) return readMap(expression.receiver)
  const { args } = expression
  const name = expression.kind === 'call' ? expression.name : expression.type
  if (!/^(of|ofEntries|mapOf|hashMapOf|singletonMap|Map)$/.test(name) || args.length === 0) return null
  const flat: JavaExpression[] = []
  for (const argument of args) {
    if (argument.kind === 'pair') flat.push(argument.left, argument.right)
    else if (argument.kind === 'call' && /^entry$/.test(argument.name)) flat.push(...argument.args)
    else flat.push(argument)
  }
  const settings: CallSetting[] = []
  for (let at = 0; at < flat.length; at += 2) {
    const [key, value] = [flat[at], flat[at + 1]]
    const found = key === undefined ? null : keyOf(key)
    settings.push(found === null || value === undefined ? { key: `${name}(…, argument ${at + 1})`, value: null, ...UNKNOWN } : setting(found, value))
  }
  return settings
}

/** `map.put("state.backend", "rocksdb")`: a setting where the text makes a Configuration of the map, or where the key is an option's. */
export const isOptionKey = (expression: JavaExpression | undefined): boolean => {
  const key = stringOf(expression)
  return key !== null && (findOption(key) !== undefined || REMOVED_OPTIONS.some((option) => option.key === key))
}

export function readPut(args: Args): readonly CallSetting[] | null {
  return args.length === 2 ? readConfigSetter('put', args) : null
}
