/**
 * Code of older and newer texts → settings: calls and assignments on the environment, on its CheckpointConfig and on a Configuration, in
 * Java, Scala, Kotlin and Python (behaviour 21.6). The code is read, not run. Every call that looks like a setting is in one of the lists.
 */
import { excerpt, TextLines } from './text-lines.ts'
import type { ReadEntries } from './imported-option.ts'
import { READINGS } from './java-calls.ts'
import { JavaScan } from './java-scan.ts'
import { isSetterName, camelCase } from './java-receivers.ts'
import { closingBrackets, isDeclaration, javaTokens, type JavaToken } from './java-tokens.ts'

export function readJava(source: string): ReadEntries {
  const tokens = javaTokens(source)
  const java = { tokens, closing: closingBrackets(tokens) }
  const lines = new TextLines(source)
  // Constants may be declared below the place where they are used.
  const before = new JavaScan(source, java, lines, new Map())
  before.scan(0, tokens.length)
  const scan = new JavaScan(source, java, lines, before.constants())
  scan.scan(0, tokens.length)
  const found = scan.result()
  return { entries: found.entries, unread: [...found.unread, ...leftOver(source, tokens, lines, scan.seen)] }
}

/** Calls that look like settings in what could not be read. */
function leftOver(source: string, tokens: readonly JavaToken[], lines: TextLines, seen: ReadonlySet<number>): ReadEntries['unread'] {
  return tokens.flatMap((token, at) => {
    const bare = isWithoutBrackets(tokens, at)
    if (token.kind !== 'name' || (tokens[at + 1]?.text !== '(' && !bare) || seen.has(token.start) || !isSetterName(camelCase(token.text))) return []
    const before = tokens[at - 1]
    if ((!bare && isDeclaration(tokens, at)) || (token.text === 'set' && before?.text !== '.')) return []
    const end = source.indexOf('\n', token.end)
    return [{ line: lines.lineOf(token.start), text: excerpt(source.slice(token.start, end === -1 ? source.length : end)), reason: 'It looks like a setting, but it cannot be read: write the call out by itself.' }]
  })
}

/** `env enableCheckpointing 5000` of Scala, and `config::setCheckpointTimeout`, which a call elsewhere makes. */
function isWithoutBrackets(tokens: readonly JavaToken[], at: number): boolean {
  const before = tokens[at - 1]
  const token = tokens[at]
  const next = tokens[at + 1]
  if (token === undefined || before === undefined || token.fresh || !Object.hasOwn(READINGS, camelCase(token.text))) return false
  if (before.text === ':' && tokens[at - 2]?.text === ':') return true
  return (before.kind === 'name' || before.text === ')') && next !== undefined && !next.fresh && next.kind !== 'mark'
}
