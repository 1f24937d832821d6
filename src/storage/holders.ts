/** Who needs what: the snapshots of a place, newest last, and the files that they hold. Pure. */
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { parentPath } from './desk-types.ts'

export interface HeldFile {
  readonly node: StorageNode
  /** Paths of the snapshots that name it. */
  readonly by: ReadonlySet<string>
}

export interface Holding {
  /** Ascending by number: columns. */
  readonly snapshots: readonly StorageNode[]
  readonly files: readonly HeldFile[]
  /** Files that were left out, so that the table stays readable. */
  readonly more: number
}

const FILES_MAX = 200
/** As many columns as stand side by side. */
const SNAPSHOTS_MAX = 12

const isBelow = (path: string, directory: string): boolean => path.startsWith(`${directory}/`)

/** Of the files below `directory` (but `_metadata`), and the snapshots of the same job. */
export function holdersBelow(directory: StorageNode, nodes: readonly StorageNode[]): Holding {
  const files = nodes.filter((node) => !node.isDirectory && node.kind !== 'metadata' && isBelow(node.path, directory.path))
  const holders = new Set(files.flatMap((node) => snapshotsOf(node)))
  const root = directory.kind === 'shared' || directory.kind === 'taskowned' ? parentPath(directory.path) : directory.path
  const snapshots = nodes
    .filter((node) => node.snapshot !== null && (holders.has(node.path) || parentPath(node.path) === root))
    .sort((a, b) => (a.snapshot?.checkpointId ?? 0) - (b.snapshot?.checkpointId ?? 0))
    .slice(-SNAPSHOTS_MAX)
  return {
    snapshots,
    files: files.slice(0, FILES_MAX).map((node) => ({ node, by: new Set(snapshotsOf(node)) })),
    more: Math.max(0, files.length - FILES_MAX),
  }
}

const snapshotsOf = (node: StorageNode): string[] => node.references.flatMap((reference) => (reference.by === 'snapshot' ? [reference.who] : []))

/** What a snapshot names: its files, those of others included. */
export const filesOf = (snapshot: StorageNode, nodes: readonly StorageNode[]): readonly StorageNode[] => nodes.filter((node) => !node.isDirectory && snapshotsOf(node).includes(snapshot.path))

/** What is marked beside a selected row: what it needs, or who needs it. */
export function connectedWith(selected: StorageNode | null, nodes: readonly StorageNode[]): ReadonlySet<string> {
  if (selected === null) return new Set()
  if (selected.snapshot !== null) return new Set(filesOf(selected, nodes).map((node) => node.path))
  return new Set(selected.isDirectory ? [] : snapshotsOf(selected))
}
