/**
 * `config.yaml` (standard YAML of Flink 2.x, nested or flat) → keys and values; the configuration inside a manifest (a FlinkDeployment, a
 * ConfigMap, docker-compose) likewise. Text that is no YAML is read line by line, as the flink-conf.yaml of 1.x was. Whatever is in the
 * text is in one of the two lists. Flink: GlobalConfiguration, YamlParserUtils.
 */
import { isMap, LineCounter, parseAllDocuments } from 'yaml'
import type { ReadEntries, UnreadPart } from '../../workers/model/options/import/imported-option.ts'
import { readFlatConfig } from '../../workers/model/options/import/read-flat-config.ts'
import { excerpt } from '../../workers/model/options/import/text-lines.ts'
import { isManifest } from './manifest.ts'
import { YamlWalk } from './yaml-walk.ts'

const ERRORS_MAX = 20

export function readYaml(text: string): ReadEntries {
  const lines = new LineCounter()
  const documents = parsed(text, lines)
  if (documents === null) return { entries: [], unread: [{ line: 1, text: excerpt(text), reason: 'It is nested too deeply to be read: write the keys flat, as in "a.b.c: value".' }] }
  const errors = documents.flatMap((document) => document.errors)
  const [only] = documents
  if (errors.length > 0 || only === undefined || (documents.length === 1 && !isMap(only.contents))) return withErrors(text, readFlatConfig(text), errors.map(({ message, code, pos }) => ({ message, code, line: Math.max(1, lines.linePos(pos[0]).line) })))
  const walk = new YamlWalk(text, lines, readYaml)
  documents.forEach((document, index) => {
    const manifest = isManifest(text, document)
    if (index > 0 && !manifest) walk.list(text.lastIndexOf('\n---', document.contents?.range?.[0] ?? 0) + 1, 'Flink reads the first document of a file alone; this one is read here all the same.')
    walk.read(document, manifest)
  })
  return walk.result()
}

type Documents = Extract<ReturnType<typeof parseAllDocuments>, readonly unknown[]>

/** Null: nested more deeply than the reader can follow. */
function parsed(text: string, lineCounter: LineCounter): Documents | null {
  try {
    // A key that is set twice is listed twice.
    return parseAllDocuments(text, { lineCounter, uniqueKeys: false, logLevel: 'error', prettyErrors: false }) as Documents
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A text that is meant to be nested says where it is no YAML; a flat one of 1.x was never meant to be. */
function withErrors(text: string, flat: ReadEntries, errors: readonly { readonly message: string; readonly code: string; readonly line: number }[]): ReadEntries {
  if (!/^[ \t]+["']?[\w.-]+["']?\s*:/m.test(text)) return flat
  const source = text.split(/\r?\n/)
  const told: UnreadPart[] = errors.slice(0, ERRORS_MAX).map(({ message, code, line }) => {
    const what = (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
    const cure = code === 'TAB_AS_INDENT' ? ' Indent with spaces.' : ' Correct it, or write the keys flat, as in "a.b.c: value".'
    return { line, text: excerpt(source[line - 1] ?? ''), reason: `The YAML cannot be read here: ${what}.${cure}` }
  })
  const lines = new Set(told.map(({ line }) => line))
  return { entries: flat.entries, unread: [...told, ...flat.unread.filter(({ line }) => !lines.has(line))] }
}
