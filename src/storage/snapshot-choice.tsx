/** One of the snapshots there are; a dropped one stays choosable while it is chosen. */
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { newestFirst } from './compare-with.ts'
import type { SnapshotSource } from './desk-types.ts'
import { lastPart, parentPath } from './desk-types.ts'
import { KIND_TITLES } from './what-may-change.ts'

interface ChoiceProps {
  readonly label: string
  readonly source: SnapshotSource | null
  readonly nodes: readonly StorageNode[]
  readonly onChoose: (source: SnapshotSource) => void
}

const DROPPED = 'dropped'

export function SnapshotChoice({ label, source, nodes, onChoose }: ChoiceProps) {
  const snapshots = newestFirst(nodes)
  const value = source === null ? '' : source.kind === 'stored' ? source.path : DROPPED
  return (
    <select className="snapshot-choice" aria-label={label} value={value} onChange={(event) => event.target.value !== DROPPED && onChoose({ kind: 'stored', path: event.target.value })}>
      {value === '' && <option value="">choose a snapshot</option>}
      {source?.kind === 'dropped' && <option value={DROPPED}>{source.name}, dropped</option>}
      {source?.kind === 'stored' && snapshots.every((node) => node.path !== source.path) && <option value={source.path}>{source.path}, gone</option>}
      {snapshots.map((node) => (
        <option key={node.path} value={node.path}>
          {lastPart(node.path)} · {KIND_TITLES[node.snapshot?.kind ?? 'unknown']} · {shortParent(node.path)}
        </option>
      ))}
    </select>
  )
}

/** A job's directory by the first of its 32 digits. */
const shortParent = (path: string): string => parentPath(path).replace(/\/([0-9a-f]{8})[0-9a-f]{24}$/, '/$1…') || '/'
