/** Small things about YAML nodes that the readers of YAML share. */
import { isScalar, isSeq, type Node } from 'yaml'
import type { ReadEntries } from '../../workers/model/options/import/imported-option.ts'

/** What was read out of a text that begins that many lines further down. */
export function shifted({ entries, unread }: ReadEntries, lines: number): ReadEntries {
  return { entries: entries.map((entry) => ({ ...entry, line: entry.line + lines })), unread: unread.map((part) => ({ ...part, line: part.line + lines })) }
}

/** A value in Flink's syntax; a list has semicolons between its values. Null: no value. Undefined: it is none that an option can have. */
export function valueText(node: Node | null | undefined): string | null | undefined {
  if (node === null || node === undefined) return null
  if (isScalar(node)) return scalarText(node)
  if (!isSeq(node)) return undefined
  const parts = node.items.map((item) => (isScalar(item) ? (scalarText(item) ?? '') : null))
  return parts.includes(null) ? undefined : parts.join(';')
}

/** As it is written: "1.50" stays so. Null: no value. */
export function scalarText(node: { readonly value: unknown; readonly source?: string }): string | null {
  if (node.value === null || node.value === undefined) return null
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
}
