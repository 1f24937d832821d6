/** What is known of a file, a directory or a snapshot before it is read: sizes, who needs it, would it restore, and what can be done with it. */
import type { SnapshotSummary, StorageNode } from '../../workers/model/snapshot-desk.ts'
import { CheckpointFlag } from '../checkpoints/flag.tsx'
import { bytes, count } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { age, dateText } from './age.ts'
import { lastPart } from './desk-types.ts'
import { Facts } from './facts.tsx'
import type { Fact } from './facts.tsx'
import { Handles } from './handles.tsx'
import { filesOf, holdersBelow } from './holders.ts'
import { HoldersTable } from './holders-table.tsx'
import { NodeActions } from './node-actions.tsx'
import { ReferenceName } from './reference-name.tsx'
import type { AskedFor } from './sheets.tsx'
import { isSavepointKind } from './snapshot-facts.ts'
import { select } from './storage-actions.ts'
import { KIND_TITLES, KIND_WORDS } from './what-may-change.ts'

interface DetailProps {
  readonly node: StorageNode
  readonly nodes: readonly StorageNode[]
  readonly now: number
  readonly onAsk: (asked: AskedFor) => void
}

export function NodeDetail({ node, nodes, now, onAsk }: DetailProps) {
  const { snapshot } = node
  return (
    <div className="node-detail">
      <header className="panel-head">
        <h2>
          {snapshot !== null && <CheckpointFlag id={snapshot.checkpointId} savepoint={isSavepointKind(snapshot.kind)} />}
          <span className="mono">{lastPart(node.path)}</span>
        </h2>
        <NodeActions node={node} nodes={nodes} onAsk={onAsk} />
      </header>
      <p className="panel-path mono">{node.path}</p>
      <Facts
        facts={[
          ['Is', WHAT[node.kind](node)],
          ['Size', bytes(node.size)],
          ...(node.isDirectory ? ([['Files', count(node.files)]] as const) : []),
          ['Written', `${dateText(node.modifiedAt)}, ${age(now - node.modifiedAt)} ago`],
          ...(snapshot === null ? [] : snapshotFacts(snapshot)),
        ]}
      />
      {snapshot !== null && <Restorable snapshot={snapshot} />}
      {snapshot === null && (node.kind === 'checkpoint' || node.kind === 'savepoint') && (
        <p className="panel-note">It has no _metadata yet: the tasks are writing it, or it was aborted and is cleaned up next. Nothing can be restored from it.</p>
      )}
      <NeededBy node={node} />
      {snapshot !== null ? <FilesOfSnapshot node={node} nodes={nodes} /> : node.isDirectory && <HoldersTable holding={holdersBelow(node, nodes)} directory={node.path} />}
    </div>
  )
}

const WHAT: Readonly<Record<StorageNode['kind'], (node: StorageNode) => string>> = {
  folder: () => 'directory',
  job: () => 'checkpoints of one job',
  checkpoint: ({ snapshot }) => (snapshot === null ? 'a checkpoint without _metadata' : KIND_TITLES[snapshot.kind]),
  savepoint: ({ snapshot }) => (snapshot === null ? 'a savepoint without _metadata' : KIND_TITLES[snapshot.kind]),
  shared: () => 'files that several checkpoints may use',
  taskowned: () => 'files that the JobManager never deletes',
  ha: () => 'what a new JobManager recovers from',
  metadata: () => 'the metadata file of a snapshot',
  state: () => 'state file',
  other: () => 'file',
}

const snapshotFacts = (snapshot: SnapshotSummary): readonly Fact[] => [
  ['Checkpoint ID', String(snapshot.checkpointId), 'mono'],
  ['Operators', count(snapshot.operators)],
  ['Handles', <Handles key="handles" inline={snapshot.inlineHandles} relative={snapshot.relativeHandles} absolute={snapshot.absoluteHandles} />],
  ['For', KIND_WORDS[snapshot.kind].purpose],
  ['Owner', KIND_WORDS[snapshot.kind].owner],
]

function Restorable({ snapshot }: { readonly snapshot: SnapshotSummary }) {
  return (
    <p className={`verdict${snapshot.isRestorable ? '' : ' refused'}`}>
      <Icon name={snapshot.isRestorable ? 'check' : 'failed'} />
      {snapshot.isRestorable ? (
        <span>
          <b>Would still restore.</b> Every file that it names is there, in its length.
        </span>
      ) : (
        <span>
          <b>Would not restore.</b> {snapshot.problem ?? 'The reason is not known.'}
        </span>
      )}
    </p>
  )
}

function NeededBy({ node }: { readonly node: StorageNode }) {
  if (node.references.length === 0) {
    return node.isDirectory && node.snapshot === null ? null : <p className="panel-note">{node.snapshot === null ? 'No snapshot names it.' : 'No job that runs, or that would be recovered, keeps it.'}</p>
  }
  return (
    <section className="panel-section">
      <h3>
        Needed by <span className="num">{node.references.length}</span>
      </h3>
      <ul className="reference-list">
        {node.references.map((reference) => (
          <li key={`${reference.by} ${reference.who}`}>
            <ReferenceName reference={reference} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const FILES_MAX = 100

function FilesOfSnapshot({ node, nodes }: { readonly node: StorageNode; readonly nodes: readonly StorageNode[] }) {
  const files = filesOf(node, nodes)
  const isOwn = (file: StorageNode): boolean => file.path.startsWith(`${node.path}/`)
  if (files.length === 0) return <p className="panel-note">It names no file beside its _metadata: all its state is inline.</p>
  return (
    <section className="panel-section">
      <table className="ck-table">
        <caption>
          Files that it names <span>{files.length > FILES_MAX ? `the first ${FILES_MAX} of ${count(files.length)}` : count(files.length)}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Whose</th>
            <th scope="col" className="n">
              Size
            </th>
            <th scope="col" className="n">
              Snapshots that name it
            </th>
          </tr>
        </thead>
        <tbody>
          {files.slice(0, FILES_MAX).map((file) => (
            <tr key={file.path}>
              <th scope="row">
                <button type="button" className="text-link mono" onClick={() => select(file.path)}>
                  {lastPart(file.path)}
                </button>
              </th>
              <td>{isOwn(file) ? 'its own' : 'shared'}</td>
              <td className="n">{bytes(file.size)}</td>
              <td className="n">{file.references.filter(({ by }) => by === 'snapshot').length}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
