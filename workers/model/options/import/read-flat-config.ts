/** The flat flink-conf.yaml of 1.x, line by line. Flink: GlobalConfiguration.loadYAMLResource (up to 1.20). */
import { findOption } from '../option-table.ts'
import type { RawEntry, ReadEntries, UnreadPart } from './imported-option.ts'
import { excerpt } from './text-lines.ts'

/** `key: value` on each line: the first ": " parts key and value, " #" begins a comment. What is indented below a key without a dot is no flat configuration, and listed as unread. */
export function readFlatConfig(text: string): ReadEntries {
  const entries: RawEntry[] = []
  const unread: UnreadPart[] = []
  text.split(/\r?\n/).forEach((whole, index) => {
    const content = whole.replace(/(^|\s)#.*$/, '').trim()
    const line = index + 1
    if (content === '' || (content === '---' && entries.length === 0)) return
    const parted = /^([^\s:]+(?:\s*)):(?:\s+(.*))?$/.exec(content) ?? property(content)
    const key = (parted?.[1] ?? '').trim()
    const value = parted?.[2] === undefined ? null : unquote(parted[2].trim())
    const nested = !key.includes('.') && findOption(key) === undefined && (/^\s/.test(whole) || value === null)
    if (parted === null) unread.push({ line, text: excerpt(content), reason: 'It is no "key: value".' })
    else if (nested) unread.push({ line, text: excerpt(content), reason: 'It is part of nested YAML that cannot be read as it is: write the whole key, as in "a.b.c: value".' })
    else entries.push({ key, value, text: excerpt(content), line })
  })
  return { entries, unread }
}

/** `key=value` of a properties file, where the key is an option's. */
function property(content: string): RegExpExecArray | null {
  const parted = /^([\w.-]+)\s*=\s*(.*)$/.exec(content)
  return parted !== null && findOption(parted[1] ?? '') !== undefined ? parted : null
}

const unquote = (value: string): string => {
  const match = /^(["'])(.*)\1$/.exec(value)
  return match === null ? value : (match[2] ?? '')
}
