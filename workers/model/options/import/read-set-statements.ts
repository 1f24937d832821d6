/** SET and RESET of the SQL client. */
import type { RawEntry, ReadEntries, Reset, UnreadPart } from './imported-option.ts'
import { excerpt, TextLines } from './text-lines.ts'

/** `SET 'key' = 'value';`, quotes doubled inside, the quotes optional as in older clients. RESET takes back what stands before it; other statements are listed as unread. */
export function readSetStatements(text: string): ReadEntries {
  const entries: RawEntry[] = []
  const unread: UnreadPart[] = []
  const resets: Reset[] = []
  const lines = new TextLines(text)
  for (const { start, end } of statements(text)) {
    const source = text.slice(start, end).trim()
    const line = lines.lineOf(start + text.slice(start, end).search(/\S/))
    const reset = /^RESET(?:\s+(?:'((?:[^']|'')*)'|"([^"]*)"|`([^`]*)`|([\w.-]+)))?$/i.exec(source)
    const match = /^SET\s+(?:'((?:[^']|'')*)'|"([^"]*)"|`([^`]*)`|([\w.-]+))\s*=\s*(?:'((?:[^']|'')*)'|"([^"]*)"|([^\s'";][^;]*?|))$/i.exec(source)
    if (reset !== null) {
      const key = plain(reset[1]) ?? reset[2] ?? reset[3] ?? reset[4] ?? null
      resets.push({ key, line, after: entries.length })
      unread.push({ line, text: excerpt(source), reason: `It takes back what this text sets before it${key === null ? '' : ` for ${key}`}; what the document sets stays.` })
    } else if (match !== null) entries.push({ key: plain(match[1]) ?? match[2] ?? match[3] ?? match[4] ?? '', value: plain(match[5]) ?? match[6] ?? match[7] ?? '', text: excerpt(`${source};`), line })
    else unread.push({ line, text: excerpt(source), reason: /^SET$/i.test(source) ? 'It lists what is set, and sets nothing.' : 'It is no SET statement with a key and a value.' })
  }
  return { entries, unread, resets }
}

const plain = (quoted: string | undefined): string | undefined => quoted?.replaceAll("''", "'")

/** Statements end at a semicolon outside quotes; comments (-- and block) lie between them. Without semicolons a line is a statement. */
function statements(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = []
  let start = 0
  const push = (end: number): void => {
    if (text.slice(start, end).trim() !== '') found.push({ start, end })
  }
  const token = /'(?:[^']|'')*'|"[^"\n]*"|`[^`\n]*`|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;|\n(?=[^\S\n]*(?:SET|RESET)(?:\s|;|$))/gi
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [what] = match
    if (/^['"`]/.test(what)) continue
    push(match.index)
    start = match.index + what.length
  }
  push(text.length)
  return found
}
