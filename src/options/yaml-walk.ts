/** One walk over YAML documents: every pair becomes an entry or an unread part. */
import { isAlias, isMap, isScalar, isSeq, Scalar, type Document, type LineCounter, type Node, type Pair, type YAMLMap } from 'yaml'
import type { RawEntry, ReadEntries, UnreadPart } from '../../workers/model/options/import/imported-option.ts'
import { readCommand } from '../../workers/model/options/import/read-command.ts'
import { excerpt } from '../../workers/model/options/import/text-lines.ts'
import { COMMANDS, CONFIGURATION_MAPS, CONFIGURATION_TEXTS, keyNode, keyText, OF_THE_OPERATOR, PROPERTIES, variableName } from './manifest.ts'
import { scalarText, shifted, valueText } from './yaml-parts.ts'

const DEPTH_MAX = 100
/** A pasted text has fewer nodes; only aliases of aliases have more. */
const VISITS_MAX = 60_000

interface Place {
  /** The key so far. */
  readonly key: string
  readonly offset: number
  readonly depth: number
  /** Part of a manifest, not of a configuration. */
  readonly manifest: boolean
  readonly remark?: string
  /** Reached through an alias: all of it stands where the alias does. */
  readonly alias?: true
}

export class YamlWalk {
  private readonly source: readonly string[]
  private readonly lines: LineCounter
  private readonly readText: (text: string) => ReadEntries
  private readonly entries: RawEntry[] = []
  private readonly unread: UnreadPart[] = []
  private readonly told = new Set<string>()
  private readonly anchors = new Map<string, Node>()
  private readonly texts = new Set<Node>()
  private visits = 0

  constructor(text: string, lines: LineCounter, readText: (text: string) => ReadEntries) {
    this.source = text.split(/\r?\n/)
    this.lines = lines
    this.readText = readText
  }

  read(document: Document, manifest: boolean): void {
    this.anchors.clear()
    const root = document.contents as Node | null
    if (root !== null && !isMap(root)) this.list(root.range?.[0] ?? 0, 'It is no map of keys and values.')
    else this.visit(root, { key: '', offset: 0, depth: 0, manifest })
  }

  result(): ReadEntries {
    return { entries: this.entries, unread: this.unread }
  }

  /** Lists the line of an offset as unread, once for each reason. */
  list(offset: number, reason: string): void {
    const line = this.lineOf(offset)
    if (this.told.has(`${line} ${reason}`)) return
    this.told.add(`${line} ${reason}`)
    this.unread.push({ line, text: excerpt(this.source[line - 1] ?? ''), reason })
  }

  private lineOf(offset: number): number {
    return Math.max(1, this.lines.linePos(offset).line)
  }

  private visit(node: Node | null | undefined, place: Place): void {
    if (place.depth > DEPTH_MAX) {
      this.list(place.offset, `It lies deeper than ${DEPTH_MAX} levels, or in itself, and is not read: write its key flat, as in "a.b.c: value".`)
      return
    }
    if (++this.visits > VISITS_MAX) {
      this.list(place.offset, `Its aliases stand for more than ${VISITS_MAX} values; the rest is not read: write the options out.`)
      return
    }
    if (isAlias(node)) {
      const target = this.anchors.get(node.source)
      if (target === undefined) this.list(place.offset, `There is no anchor &${node.source} before it.`)
      else this.visit(target, { ...place, depth: place.depth + 1, alias: true })
      return
    }
    if (node?.anchor !== undefined) this.anchors.set(node.anchor, node)
    if (isMap(node) && (node.items.length > 0 || place.key === '')) this.map(node, place)
    else if (place.manifest && isSeq(node)) this.sequence(node.items as readonly (Node | null)[], place)
    else this.leaf(node, place)
  }

  private map(map: YAMLMap, place: Place): void {
    const seen = new Set<string>()
    const variable = place.manifest ? variableName(map) : null
    for (const pair of map.items) {
      const offset = place.alias === true ? place.offset : (keyNode(pair)?.range?.[0] ?? place.offset)
      const name = keyText(pair)
      if (name === null) this.list(offset, isScalar(pair.key) || pair.key === null ? 'It has no key.' : 'Its key is a list, a map or an alias: the key of an option is a text.')
      else if (name === '<<' && !this.merge(pair, { ...place, offset })) continue
      else if (name !== '<<') this.pair(variable !== null && name === 'value' ? variable : name, pair, { ...place, offset, ...(seen.has(name) ? TWICE : {}) })
      if (name !== null) seen.add(name)
    }
  }

  /** False: it is listed. Docker and Helm know merge keys, the YAML of Flink does not. */
  private merge(pair: Pair, place: Place): boolean {
    if (!place.manifest) {
      this.list(place.offset, 'Flink does not know merge keys ("<<"): write the options out.')
      return false
    }
    const value = pair.value as Node | null
    for (const each of isSeq(value) ? (value.items as readonly (Node | null)[]) : [value]) this.visit(each, { ...place, depth: place.depth + 1 })
    return true
  }

  private pair(name: string, pair: Pair, place: Place): void {
    const value = pair.value as Node | null
    const inner: Place = { ...place, key: place.key === '' ? name : `${place.key}.${name}`, depth: place.depth + 1 }
    if (!place.manifest) this.visit(value, inner)
    else if (CONFIGURATION_MAPS.has(name) && isMap(value)) this.visit(value, { ...inner, key: '', manifest: false })
    else if (CONFIGURATION_TEXTS.has(name) && isScalar(value) && typeof value.value === 'string') this.text(value, value.value)
    else if (COMMANDS.has(name) && this.command(value)) return
    else if (Object.hasOwn(OF_THE_OPERATOR, name) && isScalar(value)) {
      const line = this.lineOf(place.offset)
      this.entries.push({ key: OF_THE_OPERATOR[name] ?? '', value: scalarText(value), text: excerpt(this.source[line - 1] ?? ''), line, remark: 'The operator of Kubernetes makes this option of it.' })
    } else this.visit(value, inner)
  }

  private sequence(items: readonly (Node | null)[], place: Place): void {
    for (const [index, item] of items.entries()) {
      const inner: Place = { ...place, key: `${place.key}[${index}]`, offset: item?.range?.[0] ?? place.offset, depth: place.depth + 1 }
      if (isScalar(item) && typeof item.value === 'string' && PROPERTIES.test(item.value)) this.text(item, item.value.replace(PROPERTIES, ''))
      else this.visit(item, inner)
    }
  }

  private leaf(node: Node | null | undefined, place: Place): void {
    if (place.manifest) {
      this.list(place.offset, 'It is no configuration of Flink.')
      return
    }
    const value = isMap(node) ? null : valueText(node)
    if (value === undefined) this.list(place.offset, 'It is a list of maps or of lists, which no option that is known here takes.')
    else {
      const line = this.lineOf(place.offset)
      this.entries.push({ key: place.key, value, text: excerpt(this.source[line - 1] ?? ''), line, ...(place.remark === undefined ? {} : { remark: place.remark }) })
    }
  }

  /** A configuration inside a text. */
  private text(node: Scalar, text: string): void {
    // Through an alias it is met again.
    if (this.texts.has(node)) return
    this.texts.add(node)
    const line = this.lineOf(node.range?.[0] ?? 0)
    const block = node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED
    this.add(shifted(this.readText(text), block ? line : line - 1))
  }

  /** False: there is no -Dkey=value in it. */
  private command(node: Node | null): boolean {
    const items = isSeq(node) ? (node.items as readonly (Node | null)[]) : [node]
    const words = items.map((item) => (isScalar(item) ? (scalarText(item) ?? '') : ''))
    const first = items[0]
    if (first === undefined || !words.some((word) => /(?:^|\s)-y?D\s*\S/.test(word))) return false
    const text = isSeq(node) ? words.map((word) => (/^-y?D/.test(word) ? `'${word.replaceAll("'", `'"'"'`)}'` : word)).join('\n') : words.join('')
    const { entries, unread } = readCommand(text)
    // In a list each word is a line of its own.
    const placed = <T extends { readonly line: number }>(part: T): T => ({ ...part, line: isSeq(node) ? this.lineOf(items[part.line - 1]?.range?.[0] ?? 0) : part.line + this.lineOf(first?.range?.[0] ?? 0) - 1 })
    this.add({ entries: entries.map(placed), unread: unread.map(placed) })
    return true
  }

  private add({ entries, unread }: ReadEntries): void {
    for (const entry of entries) this.entries.push(entry)
    for (const part of unread) this.unread.push(part)
  }
}

const TWICE = { remark: 'The key stands twice in this map, which Flink 2.x refuses.' } as const
