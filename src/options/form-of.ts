import { findOption } from '../../workers/model/options/option-table.ts'

/** In which form a pasted text is written, by its lines. */
export type PasteForm = 'config.yaml' | 'SET' | 'Java' | '-D'

const SET_LINE = /^\s*(?:SET\s+['"`\w]|(?:RE)?SET\s*;|RESET\s+['"`\w])/i
const YAML_LINE = /^\s*(?:-\s+)?["']?[\w./<>-]+["']?\s*:(?:\s|$)/
const DYNAMIC = /(?:^|\s)["']?-y?D\s*["']?[\w.-]+=/
const COMMAND = /^\s*(?:\$\s*)?(?:\S*\/)?(?:flink|yarn-session\.sh|kubernetes-session\.sh|docker)\s+\S/
const PROPERTIES = /(?:^|\s)(?:export\s+)?FLINK_PROPERTIES=["'$]/
/** A call on something, a property that is set, or a declaration. */
const CODE_LINE = /[\w)\]]\s*[?!]{0,2}\.\s*\w+\s*\(|^\s*\.\s*\w+\s*\(|^\s*(?:import|package)\s+[\w.]+|^\s*(?:val|var|def|fun|final|public|private|class|object)\s+\w|\w+(?:\.\w+)+\s*=\s*[^=\s]|\bnew\s+\w+\s*[(<]|^\s*[\w<>,\s]+\s+\w+\s*=[^=].*;\s*$|^\s*\w+\([^)]*\)\s*[;{]?\s*$/

export function formOf(text: string): PasteForm {
  // A line is known by its beginning.
  const all = text.split(/\r?\n/).map((line) => line.slice(0, 300))
  if (all.some((line) => SET_LINE.test(line))) return 'SET'
  const lines = all.filter((line) => !/^\s*(?:#|\/\/|\*|--)/.test(line) && line.trim() !== '')
  const yaml = lines.filter((line) => YAML_LINE.test(line)).length
  if (PROPERTIES.test(text) && !/^\s*-\s+FLINK_PROPERTIES=/m.test(text) && !/^\s*services\s*:/m.test(text)) return '-D'
  if ((DYNAMIC.test(text) || lines.some((line) => COMMAND.test(line))) && yaml === 0) return '-D'
  const code = lines.filter((line) => CODE_LINE.test(line) && !YAML_LINE.test(line) && !isProperty(line)).length
  return code > 0 && code >= yaml ? 'Java' : 'config.yaml'
}

/** `key=value` of a properties file. */
const isProperty = (line: string): boolean => findOption(/^\s*([\w.-]+)\s*=/.exec(line)?.[1] ?? '') !== undefined
