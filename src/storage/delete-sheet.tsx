/** Before files go: who still needs them, by name, and what would be lost. */
import { useEffect, useState } from 'react'
import type { StorageNode, StorageReference } from '../../workers/model/snapshot-desk.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { askAgain } from '../stores/storage-store.ts'
import { Button } from '../widgets/controls.tsx'
import { bytes, count } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { lastPart, reasonOf } from './desk-types.ts'
import { ReferenceName } from './reference-name.tsx'
import { Sheet } from './sheet.tsx'

interface DeleteProps {
  readonly node: StorageNode
  readonly nodes: readonly StorageNode[]
  readonly onClose: () => void
}

export function DeleteSheet({ node, nodes, onClose }: DeleteProps) {
  const cluster = useCluster()
  const [needing, setNeeding] = useState<readonly StorageReference[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    cluster.desk.needing([node.path]).then(setNeeding, (error: unknown) => {
      setNeeding([])
      setProblem(`Who needs it could not be found out: ${reasonOf(error)}`)
    })
  }, [cluster, node.path])
  const remove = (): void => {
    setBusy(true)
    setProblem(null)
    cluster.desk.remove([node.path]).then(
      () => {
        askAgain()
        onClose()
      },
      (error: unknown) => {
        setProblem(reasonOf(error))
        setBusy(false)
      },
    )
  }
  const isNeeded = needing !== null && needing.length > 0
  const below = node.isDirectory ? nodes.filter((one) => one.snapshot !== null && (one.path === node.path || one.path.startsWith(`${node.path}/`))) : []
  return (
    <Sheet title={`Delete ${lastPart(node.path)}?`} onClose={onClose}>
      <p className="mono delete-path">{node.path}</p>
      <p className="t2">
        {node.isDirectory ? `${count(node.files)} ${node.files === 1 ? 'file' : 'files'}, ` : ''}
        {bytes(node.size)}
        {below.length > 1 ? `, ${below.length} snapshots in it` : ''}. What is deleted here cannot be brought back.
      </p>
      {needing === null ? <p className="t2">Looking for who needs it …</p> : isNeeded ? <StillNeeded needing={needing} /> : <p className="t2">{problem === null ? 'Nobody needs it.' : ''}</p>}
      {problem !== null && (
        <p className="sheet-problem" role="alert">
          <Icon name="failed" /> {problem}
        </p>
      )}
      <footer>
        <Button onClick={onClose}>Keep it</Button>
        <Button kind={isNeeded ? 'danger' : 'primary'} icon="remove" disabled={busy || needing === null} onClick={remove}>
          {busy ? 'Deleting …' : isNeeded ? 'Delete it all the same' : 'Delete'}
        </Button>
      </footer>
    </Sheet>
  )
}

function StillNeeded({ needing }: { readonly needing: readonly StorageReference[] }) {
  const jobs = needing.filter(({ by }) => by === 'job').length
  const snapshots = needing.length - jobs
  return (
    <div className="still-needed" role="alert">
      <p>
        <Icon name="warning" />
        <span>
          <b>
            Still needed by{' '}
            {[jobs > 0 ? `${jobs} ${jobs === 1 ? 'job' : 'jobs'}` : '', snapshots > 0 ? `${snapshots} ${snapshots === 1 ? 'snapshot' : 'snapshots'}` : ''].filter((text) => text !== '').join(' and ')}.
          </b>{' '}
          {jobs > 0 && 'After a failure the job could not be restored from it. '}
          {snapshots > 0 && 'Without the files these can no longer be restored.'}
        </span>
      </p>
      <ul className="reference-list">
        {needing.map((reference) => (
          <li key={`${reference.by} ${reference.who}`}>
            <ReferenceName reference={reference} />
          </li>
        ))}
      </ul>
    </div>
  )
}
