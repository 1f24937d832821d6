/** On what a call is made: something that holds settings of the job, or something else. */
import { READINGS } from './java-calls.ts'
import { isConfigSetter } from './java-config-calls.ts'
import type { JavaExpression } from './java-expression.ts'
import type { JavaToken } from './java-tokens.ts'

export type Receiver = 'settings' | 'unsaid' | 'other'

const TYPES =
  /^((Local|Remote)?Stream(Execution|Table)Environment|ExecutionEnvironment|TableEnvironment|CheckpointConfig|Configuration|ExecutionConfig|TableConfig|(Embedded)?RocksDBStateBackend|RocksDBMemoryConfiguration)$/
const NAMES = /^(\w*env|environment|\w*Environment|see|conf|config|configuration|\w+Conf(ig)?|\w+Configuration|flinkConf\w*|checkpoint\w*|chk\w*|ckConf|\w*backend)$/i
const GETTERS = /^(getCheckpointConfig|getConfig|getConfiguration|getExecutionEnvironment|createLocalEnvironment|createLocalEnvironmentWithWebUI|createRemoteEnvironment|getMemoryConfiguration)$/

/** `set_min_pause` of PyFlink is `setMinPause`. */
export const camelCase = (name: string): string => (/^[a-z]+(_[a-z0-9]+)+$/.test(name) ? name.replace(/_([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase()) : name)

/** Whether a call of that name may be a setting. */
export const isSetterName = (name: string): boolean => Object.hasOwn(READINGS, name) || isConfigSetter(name) || name === 'fromMap' || /^(set|enable|disable)[A-Z]/.test(name)

/** Variables and parameters whose type the text says. */
export interface DeclaredNames {
  readonly settings: ReadonlySet<string>
  readonly others: ReadonlySet<string>
}

const KEYWORDS = /^(return|new|else|throw|in|is|as|case|import|package|static|final|val|var|lazy|private|public|protected|def|fun|not|and|or|if|while|yield|await|object|class|override|extends|implements|throws|to)$/

export function declaredNames(tokens: readonly JavaToken[]): DeclaredNames {
  const settings = new Set<string>()
  const others = new Set<string>()
  const add = (name: string, type: string): void => void (TYPES.test(type) ? settings : others).add(name)
  tokens.forEach((token, at) => {
    const next = tokens[at + 1]
    if (token.kind !== 'name' || next === undefined) return
    // `Type name` of Java, before what may follow a declaration.
    if (next.kind === 'name' && !next.fresh && /^[A-Z]/.test(token.text) && !KEYWORDS.test(next.text) && /^[=;,)]$/.test(tokens[at + 2]?.text ?? ';')) add(next.text, token.text)
    if (next.kind === 'mark' && next.text === '>' && tokens[at + 2]?.kind === 'name' && /^[=;,)]$/.test(tokens[at + 3]?.text ?? '')) add(tokens[at + 2]?.text ?? '', '')
    // `name: Type` of Scala, Kotlin and Python.
    if (next.text === ':' && tokens[at + 2]?.kind === 'name' && /^[A-Z]/.test(tokens[at + 2]?.text ?? '')) add(token.text, tokens[at + 2]?.text ?? '')
    // `name = value`
    if (next.text === '=' && tokens[at + 2]?.kind === 'name') declareByValue(tokens, at, add)
  })
  for (const name of settings) others.delete(name)
  return { settings, others }
}

/** `val cc = env.checkpointConfig`, `conf = Configuration()`: the last name of the value says what it is. */
function declareByValue(tokens: readonly JavaToken[], at: number, add: (name: string, type: string) => void): void {
  let last = ''
  for (let next = at + 2; ; next += 2) {
    const token = tokens[next]
    if (token?.text === 'new') next++
    last = tokens[next]?.text ?? ''
    while (tokens[next + 1]?.text === '(' && tokens[next + 2]?.text === ')') next += 2
    if (tokens[next + 1]?.text !== '.') break
  }
  const name = tokens[at]?.text ?? ''
  const getter = camelCase(last)
  if (GETTERS.test(getter) || /^(checkpointConfig|config|configuration)$/.test(getter)) add(name, 'Configuration')
  else if (/^[A-Z]/.test(last)) add(name, last)
  else if (/^(builder|newBuilder)$/.test(last)) add(name, '')
}

export function receiverOf(receiver: JavaExpression | null, names: DeclaredNames): Receiver {
  if (receiver === null) return 'unsaid'
  if (receiver.kind === 'name') {
    const last = receiver.path.at(-1) ?? ''
    if (names.settings.has(last) || GETTERS.test(camelCase(last))) return 'settings'
    if (names.others.has(last)) return 'other'
    if (NAMES.test(last)) return 'settings'
    return receiver.path.length === 1 && /^[a-z_]/.test(last) && !/^(this|self|super|it)$/.test(last) ? 'unsaid' : 'other'
  }
  if (receiver.kind === 'new') return TYPES.test(receiver.type) ? 'settings' : 'other'
  if (receiver.kind !== 'call') return 'other'
  const name = camelCase(receiver.name)
  if (GETTERS.test(name) || /^(checkpointConfig|config)$/.test(name)) return 'settings'
  // A setter gives the object that it was called on.
  return isSetterName(name) || name === 'configure' ? receiverOf(receiver.receiver, names) : 'other'
}
