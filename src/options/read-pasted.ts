/** A pasted text → what its settings are today, in whichever of the four forms it is written. */
import { err, ok, type Result } from '../../workers/base/result.ts'
import { PASTE_MAX, type ImportResult } from '../../workers/model/options/import/imported-option.ts'
import { judgeEntry } from '../../workers/model/options/import/judge-entry.ts'
import { readJava } from '../../workers/model/options/import/read-java.ts'
import { readDynamicProperties, readSetStatements, type ReadEntries } from '../../workers/model/options/import/read-statements.ts'
import { readYaml } from './read-yaml.ts'

export type PasteForm = 'config.yaml' | 'SET' | 'Java' | '-D'

export interface Pasted extends ImportResult {
  readonly form: PasteForm
}

export function formOf(text: string): PasteForm {
  if (/^\s*SET\s+['\w]/im.test(text)) return 'SET'
  if (/(^|\s)["']?-D\s*["']?[\w.-]+=/.test(text)) return '-D'
  return /[\w>]\s*\([^\n]*[;,(.]?\s*(\/\/.*)?$/m.test(text) && /\)\s*[;.]|;\s*$|^\s*\.\w+\(/m.test(text) ? 'Java' : 'config.yaml'
}

/** Never throws on any text; the error says why it was not read at all. */
export function readPasted(text: string, form: PasteForm = formOf(text)): Result<Pasted, string> {
  if (text.length > PASTE_MAX) return err(`The text has ${text.length} characters; at most ${PASTE_MAX} are read.`)
  if (form === 'Java') return ok({ form, ...readJava(text) })
  const { entries, unread } = readEntries(text, form)
  return ok({ form, options: entries.flatMap(judgeEntry), unread })
}

function readEntries(text: string, form: Exclude<PasteForm, 'Java'>): ReadEntries {
  switch (form) {
    case 'SET':
      return readSetStatements(text)
    case '-D':
      return readDynamicProperties(text)
    case 'config.yaml':
      return readYaml(text)
  }
}
