/** What can be done with what is selected. What changes files is for the tab that runs the cluster. */
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useStorage } from '../stores/storage-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { compareWith } from './compare-with.ts'
import type { AskedFor } from './sheets.tsx'
import { downloadPath } from './storage-actions.ts'
import { snapshotAt } from './storage-tree.ts'

interface ActionsProps {
  readonly node: StorageNode
  readonly nodes: readonly StorageNode[]
  readonly onAsk: (asked: AskedFor) => void
}

export function NodeActions({ node, nodes, onAsk }: ActionsProps) {
  const cluster = useCluster()
  const set = useStorage((state) => state.set)
  const openRestore = useView((state) => state.openRestore)
  const leading = useRun((state) => state.status?.role === 'leading')
  const snapshot = node.snapshot === null && node.kind !== 'metadata' ? null : snapshotAt(node.path, nodes)
  const path = snapshot?.path ?? node.path
  return (
    <div className="panel-actions" role="toolbar" aria-label="Actions">
      {(snapshot !== null || node.kind === 'metadata') && (
        <>
          <Button kind="primary" icon="search" onClick={() => set({ opened: { kind: 'stored', path }, tab: 'operators' })}>
            Open
          </Button>
          <Button icon="restoring" disabled={!leading} onClick={() => openRestore(path)}>
            Restore…
          </Button>
          <Button icon="compare" onClick={() => compareWith({ kind: 'stored', path })}>
            Compare
          </Button>
        </>
      )}
      <Button icon="download" onClick={() => void downloadPath(cluster, node.path)}>
        Download
      </Button>
      <Button icon="copy" disabled={!leading} onClick={() => onAsk({ what: 'copy', node })}>
        Copy…
      </Button>
      <Button icon="rename" disabled={!leading} shortcut="F2" className="no-kbd" onClick={() => onAsk({ what: 'rename', node })}>
        Rename…
      </Button>
      <Button icon="remove" disabled={!leading} shortcut="Del" className="no-kbd" onClick={() => onAsk({ what: 'delete', node })}>
        Delete…
      </Button>
    </div>
  )
}
