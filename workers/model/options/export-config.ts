/** The options of a job document as texts that Flink takes: config.yaml, SQL client statements, Java. Old names are written as the current ones. */
import { optionsOf } from './option-table.ts'
import type { OptionDescription } from './option-description.ts'
import type { RawValue } from './values.ts'

export type Config = Readonly<Record<string, RawValue>>

/**
 * Current keys in the order of the document. Of an option that is set by several names the one that counts is written; an old name that was
 * split is written as each of its options.
 */
export function exportedEntries(config: Config): readonly (readonly [key: string, value: string])[] {
  return Object.entries(config).flatMap(([key, value]): (readonly [key: string, value: string])[] => {
    const options = optionsOf(key)
    if (options.length === 0) return [[key, String(value)]]
    return options.filter((option) => nameInForce(config, option) === key).map((option) => [option.key, String(value)])
  })
}

/** In the order in which Flink asks for them. */
const nameInForce = (config: Config, option: OptionDescription): string | undefined => [option.key, ...option.fallbackKeys, ...option.oldKeys].find((name) => Object.hasOwn(config, name))

/** Standard YAML with the keys written flat, which config.yaml allows. */
export const toConfigYaml = (config: Config): string => exportedEntries(config).map(([key, value]) => `${yamlScalar(key)}: ${yamlScalar(value)}\n`).join('')

export const toSetStatements = (config: Config): string => exportedEntries(config).map(([key, value]) => `SET ${sqlString(key)} = ${sqlString(value)};\n`).join('')

/** Calls of Flink 2.x: all settings go through a Configuration. */
export function toJava(config: Config): string {
  const calls = exportedEntries(config).map(([key, value]) => `config.setString(${javaString(key)}, ${javaString(value)});`)
  return ['Configuration config = new Configuration();', ...calls, 'StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);', ''].join('\n')
}

/** Plain where no reader of YAML could take it for anything else, quoted else. */
function yamlScalar(text: string): string {
  if (/^[A-Za-z0-9/_.-][A-Za-z0-9/_.:+@-]*(?: [A-Za-z0-9/_.+@-]+)*$/.test(text) && !/:(?: |$)|^-(?: |$)|^---|^\.\.\./.test(text) && !/^(null|~|true|false|[-+]?\.inf|\.nan)$/i.test(text)) return text
  if (/^(true|false)$/.test(text)) return text
  // A JSON string is a double-quoted scalar of YAML.
  return JSON.stringify(text)
}

const sqlString = (text: string): string => `'${text.replaceAll("'", "''")}'`

const javaString = (text: string): string => JSON.stringify(text)
