/** A pasted text → what its settings are today, in whichever of the four forms it is written. */
import { err, ok, type Result } from '../../workers/base/result.ts'
import { PASTE_MAX, type ImportResult, type ReadEntries } from '../../workers/model/options/import/imported-option.ts'
import { judgeEntries } from '../../workers/model/options/import/judge-entry.ts'
import { readCommand } from '../../workers/model/options/import/read-command.ts'
import { readJava } from '../../workers/model/options/import/read-java.ts'
import { readSetStatements } from '../../workers/model/options/import/read-set-statements.ts'
import { formOf, type PasteForm } from './form-of.ts'
import { readYaml } from './read-yaml.ts'
import { shifted } from './yaml-parts.ts'

export interface Pasted extends ImportResult {
  readonly form: PasteForm
}

/** Never throws on any text; the error says why it was not read at all. */
export function readPasted(text: string, form: PasteForm = formOf(text)): Result<Pasted, string> {
  if (text.length > PASTE_MAX) return err(`The text has ${text.length} characters; at most ${PASTE_MAX} are read. Paste it in parts: what the first part sets stays.`)
  return ok({ form, ...judgeEntries(readEntries(text, form)) })
}

function readEntries(text: string, form: PasteForm): ReadEntries {
  switch (form) {
    case 'Java':
      return readJava(text)
    case 'SET':
      return readSetStatements(text)
    case '-D':
      return readWithProperties(text)
    case 'config.yaml':
      return readYaml(text)
  }
}

/** A command line, and the configurations that it hands to a container. */
function readWithProperties(text: string): ReadEntries {
  const { properties, ...command } = readCommand(text)
  const inner = properties.map((part) => shifted(readYaml(part.text), part.line - 1))
  return { entries: [...inner.flatMap(({ entries }) => entries), ...command.entries], unread: [...inner.flatMap(({ unread }) => unread), ...command.unread] }
}
