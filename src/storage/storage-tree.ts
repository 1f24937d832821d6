/** The tree of the storage browser as rows: what lies in what, in Flink's layout, and where the keys of a tree lead. Pure. */
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { lastPart, parentPath } from './desk-types.ts'

export interface TreeItem {
  readonly node: StorageNode
  readonly name: string
  readonly children: readonly TreeItem[]
}

export interface TreeRow {
  readonly item: TreeItem
  /** From 1, as ARIA counts. */
  readonly level: number
  /** Among its siblings, from 1. */
  readonly position: number
  readonly siblings: number
  readonly isOpen: boolean
}

/** What was opened or closed by hand; the rest is as it falls out. */
export type Toggled = ReadonlyMap<string, boolean>

/** Snapshots first, the newest at the top; then directories, then files, each by name with its numbers as numbers. */
const byName = new Intl.Collator('en', { numeric: true }).compare
const RANK: Readonly<Record<StorageNode['kind'], number>> = { job: 0, checkpoint: 1, savepoint: 1, folder: 2, shared: 3, taskowned: 4, ha: 5, metadata: 6, state: 7, other: 8 }

function inOrder(a: TreeItem, b: TreeItem): number {
  const rank = RANK[a.node.kind] - RANK[b.node.kind]
  if (rank !== 0) return rank
  if (a.node.isDirectory !== b.node.isDirectory) return a.node.isDirectory ? -1 : 1
  if (a.node.kind === 'job' || a.node.kind === 'savepoint') return b.node.modifiedAt - a.node.modifiedAt || byName(a.name, b.name)
  if (a.node.kind === 'checkpoint') return byName(b.name, a.name)
  // State files are many, and their names mean nothing: the plain order is some thirty times as fast.
  return a.node.kind === 'state' ? (a.name < b.name ? -1 : 1) : byName(a.name, b.name)
}

/** A directory that has no node of its own (its parent was told without it) does not hide what is below: that goes to the top. */
export function buildTree(nodes: readonly StorageNode[]): readonly TreeItem[] {
  const known = new Set(nodes.map((node) => node.path))
  const below = new Map<string, StorageNode[]>()
  for (const node of nodes) {
    const parent = nearest(node.path, known)
    const list = below.get(parent)
    if (list === undefined) below.set(parent, [node])
    else list.push(node)
  }
  const itemsIn = (parent: string): TreeItem[] =>
    (below.get(parent) ?? [])
      .map((node) => ({ node, name: parent === '' ? node.path.replace(/^\//, '') : lastPart(node.path), children: itemsIn(node.path) }))
      .sort(inOrder)
  return itemsIn('')
}

function nearest(path: string, known: ReadonlySet<string>): string {
  let parent = parentPath(path)
  while (parent !== '' && !known.has(parent)) parent = parentPath(parent)
  return parent
}

/** Where snapshots are is open from the start; a snapshot's own files, and shared files, when asked for. */
const isOpenAtFirst = ({ node }: TreeItem): boolean => node.kind === 'folder' || node.kind === 'job'

export function visibleRows(roots: readonly TreeItem[], toggled: Toggled): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const walk = (items: readonly TreeItem[], level: number): void => {
    for (const [index, item] of items.entries()) {
      const isOpen = item.children.length > 0 && (toggled.get(item.node.path) ?? isOpenAtFirst(item))
      rows.push({ item, level, position: index + 1, siblings: items.length, isOpen })
      if (isOpen) walk(item.children, level + 1)
    }
  }
  walk(roots, 1)
  return rows
}

export interface TreeMove {
  /** Index of the row to go to. */
  readonly to: number
  /** A directory to open or close instead. */
  readonly toggle: { readonly path: string; readonly open: boolean } | null
}

/** Where a key leads from row `at` (WAI-ARIA, tree view); null for a key that is none of a tree's. `page` rows are in sight. */
export function moveInTree(rows: readonly TreeRow[], at: number, key: string, page: number): TreeMove | null {
  const last = rows.length - 1
  const to = (index: number): TreeMove => ({ to: Math.max(0, Math.min(last, index)), toggle: null })
  const row = rows[at]
  if (row === undefined) return last >= 0 && ['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key) ? to(key === 'End' ? last : 0) : null
  switch (key) {
    case 'ArrowDown':
      return to(at + 1)
    case 'ArrowUp':
      return to(at - 1)
    case 'Home':
      return to(0)
    case 'End':
      return to(last)
    case 'PageDown':
      return to(at + page)
    case 'PageUp':
      return to(at - page)
    case 'ArrowRight':
      if (row.item.children.length === 0) return to(at)
      return row.isOpen ? to(at + 1) : { to: at, toggle: { path: row.item.node.path, open: true } }
    case 'ArrowLeft':
      return row.isOpen ? { to: at, toggle: { path: row.item.node.path, open: false } } : to(parentRow(rows, at))
    default:
      return null
  }
}

function parentRow(rows: readonly TreeRow[], at: number): number {
  const level = rows[at]?.level ?? 1
  let index = at
  while (index > 0 && (rows[index]?.level ?? 1) >= level) index--
  return level === 1 ? at : index
}

/** The directories above a path, so that it can be shown. */
export function pathsAbove(path: string): string[] {
  const above: string[] = []
  for (let parent = parentPath(path); parent !== ''; parent = parentPath(parent)) above.push(parent)
  return above
}

/** The node of a path, or, once that is gone, of the nearest directory above it that is still there. */
export function nearestNode(path: string | null, nodes: readonly StorageNode[]): StorageNode | null {
  if (path === null) return null
  const byPath = new Map(nodes.map((node) => [node.path, node]))
  for (const one of [path, ...pathsAbove(path)]) {
    const node = byPath.get(one)
    if (node !== undefined) return node
  }
  return null
}

/** The snapshot that a node is, or lies in: its `_metadata` and its files stand for it. */
export function snapshotAt(path: string, nodes: readonly StorageNode[]): StorageNode | null {
  const byPath = new Map(nodes.map((node) => [node.path, node]))
  for (const one of [path, ...pathsAbove(path)]) {
    const node = byPath.get(one)
    if (node?.snapshot != null) return node
  }
  return null
}
