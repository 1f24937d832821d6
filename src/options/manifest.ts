/** YAML that is no configuration of Flink but holds one: a FlinkDeployment, a ConfigMap, a pod, docker-compose. */
import { isMap, isScalar, type Document, type Node, type Pair, type YAMLMap } from 'yaml'

/** Keys below which a map is a configuration. */
export const CONFIGURATION_MAPS = new Set(['flinkConfiguration'])
/** Keys whose text is a configuration. */
export const CONFIGURATION_TEXTS = new Set(['FLINK_PROPERTIES', 'flink-conf.yaml', 'config.yaml', 'flinkConfiguration'])
export const PROPERTIES = /^FLINK_PROPERTIES=/
/** Keys whose words are a command. */
export const COMMANDS = new Set(['command', 'args', 'entrypoint'])
/** What the operator of Kubernetes makes options of. */
export const OF_THE_OPERATOR: Readonly<Record<string, string>> = {
  initialSavepointPath: 'execution.state-recovery.path',
  allowNonRestoredState: 'execution.state-recovery.ignore-unclaimed-state',
}

const MARKS = /^[^\S\n]*(?:-\s+)?["']?(?:flinkConfiguration|FLINK_PROPERTIES|flink-conf\.yaml|config\.yaml)["']?\s*[:=]|name:\s*["']?FLINK_PROPERTIES/m

export function isManifest(text: string, document: Document): boolean {
  const root = document.contents
  if (!isMap(root)) return false
  const has = (key: string): boolean => root.has(key)
  return (has('apiVersion') && has('kind')) || (has('services') && isMap(root.get('services', true))) || MARKS.test(text)
}

/** The name of an environment variable that stands in a list: `{ name: FLINK_PROPERTIES, value: … }`. */
export function variableName(map: YAMLMap): string | null {
  const name = map.get('name')
  return map.has('value') && typeof name === 'string' ? name : null
}

export const keyNode = (pair: Pair): Node | null => pair.key as Node | null
export const keyText = (pair: Pair): string | null => (isScalar(pair.key) && pair.key.value !== null && pair.key.value !== undefined ? String(typeof pair.key.value === 'string' ? pair.key.value : (pair.key.source ?? pair.key.value)) : null)
