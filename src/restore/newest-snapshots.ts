/** The snapshots that one would start from: the newest that would still restore. Pure. */
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'

const SHOWN_MAX = 5

export const newestSnapshots = (nodes: readonly StorageNode[]): readonly StorageNode[] =>
  nodes
    .filter((node) => node.isDirectory && node.snapshot?.isRestorable === true)
    .toSorted((a, b) => b.modifiedAt - a.modifiedAt)
    .slice(0, SHOWN_MAX)
