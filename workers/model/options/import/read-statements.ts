/** Readers of texts that say keys and values outright: SET statements of the SQL client, -D arguments, and the flat flink-conf.yaml. */
import type { RawEntry, UnreadPart } from './imported-option.ts'

export interface ReadEntries {
  readonly entries: readonly RawEntry[]
  readonly unread: readonly UnreadPart[]
}

export const lineOf = (text: string, offset: number): number => {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** `SET 'key' = 'value';`, quotes doubled inside, the quotes optional as in older clients; RESET and other statements are listed as unread. */
export function readSetStatements(text: string): ReadEntries {
  const entries: RawEntry[] = []
  const unread: UnreadPart[] = []
  for (const { start, end } of statements(text)) {
    const source = text.slice(start, end).trim()
    const line = lineOf(text, start + text.slice(start, end).search(/\S/))
    const match = /^SET\s+(?:'((?:[^']|'')*)'|([\w.-]+))\s*=\s*(?:'((?:[^']|'')*)'|([^';]*?))$/i.exec(source)
    if (match === null) unread.push({ line, text: source, reason: 'It is no SET statement with a key and a value.' })
    else entries.push({ key: plain(match[1]) ?? match[2] ?? '', value: plain(match[3]) ?? match[4] ?? '', text: `${source};`, line })
  }
  return { entries, unread }
}

const plain = (quoted: string | undefined): string | undefined => quoted?.replaceAll("''", "'")

/** Statements end at a semicolon outside quotes; comments (-- and block) lie between them. Without semicolons a line is a statement. */
function statements(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = []
  let start = 0
  const push = (end: number): void => {
    if (text.slice(start, end).trim() !== '') found.push({ start, end })
  }
  const token = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;|\n(?=\s*SET\s)/gi
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [what] = match
    if (what.startsWith("'")) continue
    push(match.index)
    start = match.index + what.length
  }
  push(text.length)
  return found
}

/** `-Dkey=value` and `-D key=value`, quoted for a shell or not; the other words of the command are passed over. */
export function readDynamicProperties(text: string): ReadEntries {
  const entries: RawEntry[] = []
  const unread: UnreadPart[] = []
  const words = shellWords(text)
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || !word.text.startsWith('-D')) continue
    const joined = word.text === '-D' ? (words[++at]?.text ?? '') : word.text.slice(2)
    const equals = joined.indexOf('=')
    const line = lineOf(text, word.offset)
    if (equals < 1) unread.push({ line, text: `-D${joined}`, reason: 'It is no -Dkey=value.' })
    else entries.push({ key: joined.slice(0, equals), value: joined.slice(equals + 1), text: `-D${joined}`, line })
  }
  return { entries, unread }
}

/** Words of a shell command: quotes join what is between them, a backslash takes the next character as it is. */
function shellWords(text: string): readonly { readonly text: string; readonly offset: number }[] {
  const words: { text: string; offset: number }[] = []
  const word = /(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\s"'\\])+/g
  for (const match of text.matchAll(word)) {
    const plainText = match[0].replace(/"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g, (_whole, double: string | undefined, single: string | undefined, escaped: string | undefined) =>
      double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : (single ?? (escaped === '\n' ? '' : (escaped ?? ''))),
    )
    if (plainText !== '') words.push({ text: plainText, offset: match.index })
  }
  return words
}

/** `key: value` on each line, as flink-conf.yaml was read: the first ": " parts key and value, " #" begins a comment. Flink: GlobalConfiguration (1.x). */
export function readFlatConfig(text: string): ReadEntries {
  const entries: RawEntry[] = []
  const unread: UnreadPart[] = []
  text.split(/\r?\n/).forEach((whole, index) => {
    const content = whole.replace(/(^|\s)#.*$/, '').trim()
    if (content === '' || content === '---') return
    const parted = /^([^\s:]+(?:\s*)):(?:\s+(.*))?$/.exec(content)
    if (parted === null) unread.push({ line: index + 1, text: content, reason: 'It is no "key: value".' })
    else entries.push({ key: (parted[1] ?? '').trim(), value: parted[2] === undefined ? null : unquote(parted[2].trim()), text: content, line: index + 1 })
  })
  return { entries, unread }
}

const unquote = (value: string): string => {
  const match = /^(["'])(.*)\1$/.exec(value)
  return match === null ? value : (match[2] ?? '')
}
