/** The options of a job document as texts that Flink takes: config.yaml, SQL client statements, Java. Old names are written as the current ones. */
import { findOption } from './option-table.ts'
import type { RawValue } from './values.ts'

export type Config = Readonly<Record<string, RawValue>>

/** Current keys in the order of the document; where an option is set by its current and an old name, the current one wins. */
export function exportedEntries(config: Config): readonly (readonly [key: string, value: string])[] {
  return Object.entries(config).flatMap(([key, value]) => {
    const current = findOption(key)?.key ?? key
    return current !== key && Object.hasOwn(config, current) ? [] : [[current, String(value)] as const]
  })
}

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
