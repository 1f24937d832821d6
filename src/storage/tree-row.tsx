/** One row of the tree: what it is, whether it would still restore, size, age, and a dot for each that needs it. */
import type { MouseEvent } from 'react'
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { CheckpointFlag } from '../checkpoints/flag.tsx'
import { bytes } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import type { IconName } from '../widgets/icon.tsx'
import { age } from './age.ts'
import { isSavepointKind } from './snapshot-facts.ts'
import type { TreeRow } from './storage-tree.ts'

interface RowProps {
  readonly id: string
  readonly row: TreeRow
  readonly top: number
  readonly now: number
  readonly isSelected: boolean
  readonly isConnected: boolean
  /** Of the job whose directory it is, where that is known. */
  readonly jobName: string | null
  readonly onSelect: () => void
  readonly onToggle: () => void
  readonly onActivate: () => void
}

const ICONS: Readonly<Record<StorageNode['kind'], IconName>> = {
  folder: 'folder',
  job: 'job',
  checkpoint: 'folder',
  savepoint: 'folder',
  shared: 'shared',
  taskowned: 'padlock',
  ha: 'flag',
  metadata: 'list',
  state: 'file',
  other: 'file',
}
const INDENT = 16
const JOB_ID = /^[0-9a-f]{32}$/
const DOTS_MAX = 4

/* The tree has the keys (aria-activedescendant); a row only the pointer. */
/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
export function TreeRowLine({ id, row, top, now, isSelected, isConnected, jobName, onSelect, onToggle, onActivate }: RowProps) {
  const { node, name, children } = row.item
  const hasChildren = children.length > 0
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={isSelected}
      {...(hasChildren ? { 'aria-expanded': row.isOpen } : {})}
      aria-label={spoken(node, name, now)}
      className={`tree-row${isSelected ? ' selected' : ''}${isConnected ? ' connected' : ''}${node.snapshot?.isRestorable === false ? ' broken' : ''}`}
      style={{ top, paddingLeft: 8 + (row.level - 1) * INDENT }}
      onClick={(event) => (hasChildren && isOnTwist(event) ? onToggle() : onSelect())}
      onDoubleClick={(event) => !isOnTwist(event) && onActivate()}
    >
      <span className={`tree-twist${row.isOpen ? ' open' : ''}`}>{hasChildren && <Icon name="chevron" size={12} />}</span>
      <Mark node={node} isOpen={row.isOpen} />
      <span className="tree-name" title={node.path}>
        {node.kind === 'job' ? shortJob(name) : name}
        {node.kind === 'taskowned' && <i>never deleted by the JobManager</i>}
        {jobName !== null && <i>{jobName}</i>}
      </span>
      <span className="tree-restore">{node.snapshot !== null && <Icon name={node.snapshot.isRestorable ? 'check' : 'failed'} />}</span>
      <span className="tree-size num">{bytes(node.size)}</span>
      <span className="tree-age num">{age(now - node.modifiedAt)}</span>
      <Needed node={node} />
    </div>
  )
}

const isOnTwist = (event: MouseEvent): boolean => (event.target as Element).closest('.tree-twist') !== null

/** The 32 digits of a job's id do not fit, and eight tell jobs apart; all of them are beside the tree. */
const shortJob = (name: string): string => (JOB_ID.test(name) ? `${name.slice(0, 8)}…` : name)

function Mark({ node, isOpen }: { readonly node: StorageNode; readonly isOpen: boolean }) {
  if (node.snapshot !== null && node.snapshot.checkpointId > 0) return <CheckpointFlag id={node.snapshot.checkpointId} savepoint={isSavepointKind(node.snapshot.kind)} />
  const icon = ICONS[node.kind]
  return <Icon name={icon === 'folder' && isOpen ? 'fileOpen' : icon} />
}

/** A filled dot for each snapshot that names it, a ring for a job that keeps it. */
function Needed({ node }: { readonly node: StorageNode }) {
  const { references } = node
  if (references.length === 0) return <span className="tree-needed none">{node.isDirectory && node.snapshot === null ? '' : '–'}</span>
  return (
    <span className="tree-needed">
      <span aria-hidden="true">
        {references.slice(0, DOTS_MAX).map((reference) => (
          <i key={`${reference.by} ${reference.who}`} className={reference.by} />
        ))}
      </span>
      <b className="num">{references.length}</b>
    </span>
  )
}

function spoken(node: StorageNode, name: string, now: number): string {
  const parts = [name, node.snapshot === null ? (node.isDirectory ? `${node.files} files` : '') : node.snapshot.kind, bytes(node.size), `${age(now - node.modifiedAt)} old`]
  if (node.snapshot !== null) parts.push(node.snapshot.isRestorable ? 'would restore' : `would not restore: ${node.snapshot.problem ?? ''}`)
  if (node.references.length > 0) parts.push(`needed by ${node.references.length}`)
  return parts.filter((part) => part !== '').join(', ')
}
