/** Arguments of a command line: `-Dkey=value` and `-yD key=value`, and those arguments of `flink run` that stand for options. */
import type { RawEntry, ReadEntries, UnreadPart } from './imported-option.ts'
import { excerpt, TextLines } from './text-lines.ts'

interface Word {
  readonly text: string
  readonly offset: number
  /** A variable of the shell is in it, whose value the text does not say. */
  readonly variable: boolean
}

/** Arguments of `flink run` with a value. Flink: CliFrontendParser. */
const WITH_VALUE: Readonly<Record<string, string>> = {
  '-s': 'execution.state-recovery.path',
  '--fromSavepoint': 'execution.state-recovery.path',
  '-rm': 'execution.state-recovery.claim-mode',
  '--restoreMode': 'execution.state-recovery.claim-mode',
  '-claim': 'execution.state-recovery.claim-mode',
  '--claimMode': 'execution.state-recovery.claim-mode',
}
const FLAGS: Readonly<Record<string, string>> = {
  '-n': 'execution.state-recovery.ignore-unclaimed-state',
  '--allowNonRestoredState': 'execution.state-recovery.ignore-unclaimed-state',
}

export interface CommandEntries extends ReadEntries {
  /** The texts of `FLINK_PROPERTIES="…"`, which are a configuration of their own. */
  readonly properties: readonly { readonly text: string; readonly line: number }[]
}

export function readCommand(text: string): CommandEntries {
  const entries: RawEntry[] = []
  const unread: UnreadPart[] = []
  const properties: { text: string; line: number }[] = []
  const lines = new TextLines(text)
  const words = shellWords(text)
  const rest: Word[] = []
  const ofRun = words.some(({ text: word }) => /^(run|run-application)$/.test(word))
  let job = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) break
    const line = lines.lineOf(word.offset)
    const dynamic = /^-y?D(.*)$/s.exec(word.text)
    const [name = '', ...values] = word.text.split('=')
    if (dynamic !== null) {
      const next = dynamic[1] === '' ? words[++at] : undefined
      const joined = next?.text ?? dynamic[1] ?? ''
      const equals = joined.indexOf('=')
      const variable = word.variable || next?.variable === true
      const written = excerpt(next === undefined ? word.text : `${word.text} ${joined}`)
      if (equals < 1) unread.push({ line, text: written, reason: 'It is no -Dkey=value.' })
      else entries.push({ key: joined.slice(0, equals), value: variable ? null : joined.slice(equals + 1), text: written, line, ...(variable ? { remark: 'A variable of the shell is in it.' } : {}) })
    } else if (name === 'FLINK_PROPERTIES' && values.length > 0) {
      if (word.variable && values.length === 1 && values[0]?.startsWith('$') === true) rest.push(word)
      else properties.push({ text: values.join('='), line })
    } else if (ofRun && !job && Object.hasOwn(FLAGS, word.text)) entries.push({ key: FLAGS[word.text] ?? '', value: 'true', text: word.text, line })
    else if (ofRun && !job && Object.hasOwn(WITH_VALUE, name)) {
      const next = values.length > 0 ? { text: values.join('='), variable: word.variable } : words[++at]
      entries.push({ key: WITH_VALUE[name] ?? '', value: next === undefined || next.variable ? null : next.text, text: excerpt(`${name} ${next?.text ?? ''}`), line })
    } else {
      if (/\.(jar|py)$/.test(word.text)) job = true
      rest.push(word)
    }
  }
  return { entries, unread: [...unread, ...others(rest, lines)], properties }
}

/** The other words of the command, as one part. */
function others(rest: readonly Word[], lines: TextLines): readonly UnreadPart[] {
  const [first] = rest
  return first === undefined ? [] : [{ line: lines.lineOf(first.offset), text: excerpt(rest.map(({ text }) => text).join(' ')), reason: 'The other words of the command set no option.' }]
}

/** Words of a shell command: quotes join what is between them, a backslash takes the next character as it is, # begins a comment. */
function shellWords(text: string): readonly Word[] {
  const words: Word[] = []
  const word = /(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\s"'\\])+|["'\\]/g
  let comment = -1
  for (const match of text.matchAll(word)) {
    if (match.index < comment) continue
    if (match[0].startsWith('#')) {
      const end = text.indexOf('\n', match.index)
      comment = end === -1 ? text.length : end
      continue
    }
    const plainText = match[0].replace(/"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g, (_whole, double: string | undefined, single: string | undefined, escaped: string | undefined) =>
      double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : (single ?? (escaped === '\n' ? '' : (escaped ?? ''))),
    )
    const variable = /\$[\w{(]|`/.test(match[0].replace(/'[^']*'|\\[\s\S]/g, ''))
    if (plainText !== '') words.push({ text: plainText, offset: match.index + (/^(?:\\\r?\n)+/.exec(match[0])?.[0].length ?? 0), variable })
  }
  return words
}
