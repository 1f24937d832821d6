/** Puts a snapshot on one of the two sides, and the nearest other one that makes a comparison on the other. */
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { useStorage } from '../stores/storage-store.ts'
import type { SnapshotSource } from './desk-types.ts'
import { isSameSource } from './desk-types.ts'
import { isSavepointKind } from './snapshot-facts.ts'

export function compareWith(source: SnapshotSource): void {
  const { tree, second, set } = useStorage.getState()
  const nodes = tree?.nodes ?? []
  const other = second !== null && !isSameSource(second, source) ? second : partnerOf(source, nodes)
  // A checkpoint stands left of a savepoint; of one kind the older, so that a change reads from left to right.
  const isTurned = other !== null && (isSavepointAt(source, nodes) === isSavepointAt(other, nodes) ? writtenAt(other, nodes) < writtenAt(source, nodes) : isSavepointAt(source, nodes))
  set({ first: isTurned ? other : source, second: isTurned ? source : other, page: 'side by side' })
}

const nodeAt = (source: SnapshotSource, nodes: readonly StorageNode[]): StorageNode | undefined => (source.kind === 'stored' ? nodes.find((node) => node.path === source.path) : undefined)
/** Is it a savepoint? */
const isSavepointAt = (source: SnapshotSource, nodes: readonly StorageNode[]): boolean => isSavepointKind(nodeAt(source, nodes)?.snapshot?.kind ?? 'unknown')
const writtenAt = (source: SnapshotSource, nodes: readonly StorageNode[]): number => nodeAt(source, nodes)?.modifiedAt ?? Infinity

/** The newest checkpoint and the newest savepoint; of one kind only the two newest. */
export function defaultPair(nodes: readonly StorageNode[]): readonly [SnapshotSource | null, SnapshotSource | null] {
  const [newest] = newestFirst(nodes)
  if (newest === undefined) return [null, null]
  const one: SnapshotSource = { kind: 'stored', path: newest.path }
  const other = partnerOf(one, nodes)
  return isSavepointAt(one, nodes) !== (other !== null && isSavepointAt(other, nodes)) ? (isSavepointAt(one, nodes) ? [other, one] : [one, other]) : [other, one]
}

function partnerOf(source: SnapshotSource, nodes: readonly StorageNode[]): SnapshotSource | null {
  const others = newestFirst(nodes).filter((node) => source.kind === 'dropped' || node.path !== source.path)
  const isSavepoint = isSavepointAt(source, nodes)
  const found = others.find((node) => isSavepointKind(node.snapshot?.kind ?? 'unknown') !== isSavepoint) ?? others[0]
  return found === undefined ? null : { kind: 'stored', path: found.path }
}

export const newestFirst = (nodes: readonly StorageNode[]): readonly StorageNode[] => nodes.filter((node) => node.snapshot !== null).toSorted((a, b) => b.modifiedAt - a.modifiedAt || (b.snapshot?.checkpointId ?? 0) - (a.snapshot?.checkpointId ?? 0))
