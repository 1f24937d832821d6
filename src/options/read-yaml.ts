/**
 * `config.yaml` (standard YAML of Flink 2.x, nested or flat) → keys and values. Text that is no YAML is read line by line, as the
 * flink-conf.yaml of 1.x was. Flink: GlobalConfiguration, YamlParserUtils.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document, Node } from 'yaml'
import type { RawEntry } from '../../workers/model/options/import/imported-option.ts'
import { readFlatConfig, type ReadEntries } from '../../workers/model/options/import/read-statements.ts'

const DEPTH_MAX = 20
const ENTRIES_MAX = 2000

export function readYaml(text: string): ReadEntries {
  const lines = new LineCounter()
  // A key that is set twice is listed twice; the last one counts.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false })
  if (document.errors.length > 0 || !isMap(document.contents)) return readFlatConfig(text)
  const source = text.split(/\r?\n/)
  const entries: RawEntry[] = []
  const visit = (node: Node | null | undefined, key: string, offset: number, depth: number): void => {
    if (depth > DEPTH_MAX || entries.length >= ENTRIES_MAX) return
    if (isAlias(node)) visit(node.resolve(document as Document), key, offset, depth + 1)
    else if (isMap(node) && node.items.length > 0) {
      for (const pair of node.items) {
        const name = isScalar(pair.key) ? scalarText(pair.key) : null
        const at = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset
        if (name !== null) visit(pair.value as Node | null, key === '' ? name : `${key}.${name}`, at, depth + 1)
      }
    } else {
      const { line } = lines.linePos(offset)
      entries.push({ key, value: valueText(node), text: (source[line - 1] ?? '').trim(), line })
    }
  }
  visit(document.contents, '', 0, 0)
  return { entries, unread: [] }
}

/** A list is written with semicolons between its values, as Flink's own options take it. */
function valueText(node: Node | null | undefined): string | null {
  if (isScalar(node)) return scalarText(node)
  if (isSeq(node)) return node.items.map((item) => (isScalar(item) ? (scalarText(item) ?? '') : '')).join(';')
  return null
}

/** As it is written: "1.50" stays so. Null: no value. */
function scalarText(node: { readonly value: unknown; readonly source?: string }): string | null {
  if (node.value === null || node.value === undefined) return null
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
}
