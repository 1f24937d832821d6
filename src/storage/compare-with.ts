/** Puts a snapshot on one of the two sides, and the nearest other one that makes a comparison on the other. */
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { useStorage } from '../stores/storage-store.ts'
import type { SnapshotSource } from './desk-types.ts'
import { isSavepointKind } from './snapshot-facts.ts'

export function compareWith(source: SnapshotSource): void {
  const { tree, second, set } = useStorage.getState()
  const other = second ?? partnerOf(source, tree?.nodes ?? [])
  set({ first: source, second: other, page: 'side by side' })
}

/** The newest checkpoint and the newest savepoint; of one kind only the two newest. */
export function defaultPair(nodes: readonly StorageNode[]): readonly [SnapshotSource | null, SnapshotSource | null] {
  const [newest] = newestFirst(nodes)
  if (newest === undefined) return [null, null]
  const one: SnapshotSource = { kind: 'stored', path: newest.path }
  const other = partnerOf(one, nodes)
  return isSavepointKind(newest.snapshot?.kind ?? 'unknown') && other !== null ? [other, one] : [one, other]
}

function partnerOf(source: SnapshotSource, nodes: readonly StorageNode[]): SnapshotSource | null {
  const others = newestFirst(nodes).filter((node) => source.kind === 'dropped' || node.path !== source.path)
  const own = source.kind === 'stored' ? nodes.find((node) => node.path === source.path)?.snapshot : null
  const isSavepoint = isSavepointKind(own?.kind ?? 'unknown')
  const found = others.find((node) => isSavepointKind(node.snapshot?.kind ?? 'unknown') !== isSavepoint) ?? others[0]
  return found === undefined ? null : { kind: 'stored', path: found.path }
}

export const newestFirst = (nodes: readonly StorageNode[]): readonly StorageNode[] => nodes.filter((node) => node.snapshot !== null).toSorted((a, b) => b.modifiedAt - a.modifiedAt || (b.snapshot?.checkpointId ?? 0) - (a.snapshot?.checkpointId ?? 0))
