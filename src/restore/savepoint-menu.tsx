/** The savepoint button of the bench, and behind it the other ways to take one, to stop with one, and to start from one. */
import { useEffect, useId, useState } from 'react'
import type { CSSProperties } from 'react'
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { lastPart } from '../storage/desk-types.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { Icon } from '../widgets/icon.tsx'
import { useMenu } from '../widgets/use-menu.ts'
import { walkMenu } from '../widgets/walk-menu.ts'
import { newestSnapshots } from './newest-snapshots.ts'
import { stopWithSavepoint, takeSavepoint } from './savepoint-actions.ts'

export function SavepointMenu() {
  const cluster = useCluster()
  const { open, setOpen, box, close, onBlur } = useMenu()
  const [left, setLeft] = useState(0)
  const id = useId()
  const running = useRun((state) => state.status?.role === 'leading' && state.status.dead === null && state.run.job.status === 'RUNNING')
  const toggle = (): void => {
    setLeft(Math.round(box.current?.getBoundingClientRect().left ?? 0))
    setOpen(!open)
  }
  return (
    <span className="job-menu savepoint-menu" ref={box} onBlur={onBlur}>
      <Button icon="savepoint" shortcut="S" disabled={!running} onClick={() => void takeSavepoint(cluster)}>
        Savepoint
      </Button>
      <button type="button" className="btn small icon-only" aria-label="More about savepoints" title="More about savepoints" aria-haspopup="menu" aria-expanded={open} aria-controls={open ? id : undefined} onClick={toggle}>
        <Icon name="chevron" size={12} />
      </button>
      {open && <Entries id={id} running={running} left={left} onClose={close} />}
    </span>
  )
}

interface EntriesProps {
  readonly id: string
  readonly running: boolean
  /** Where it hangs, in pixels of the window. */
  readonly left: number
  readonly onClose: () => void
}

function Entries({ id, running, left, onClose }: EntriesProps) {
  const cluster = useCluster()
  const { openRestore, set } = useView()
  const snapshots = useSnapshots()
  const act = (what: () => Promise<void>) => () => {
    onClose()
    void what()
  }
  return (
    <div className="menu" role="menu" tabIndex={-1} id={id} aria-label="Savepoints" style={{ '--menu-left': `${left}px` } as CSSProperties} onKeyDown={(event) => walkMenu(event, onClose)}>
      <button type="button" role="menuitem" disabled={!running} onClick={act(() => takeSavepoint(cluster, 'CANONICAL'))}>
        <b>Savepoint, canonical</b>
        <span>The same for every state backend; another Flink restores it.</span>
      </button>
      <button type="button" role="menuitem" disabled={!running} onClick={act(() => takeSavepoint(cluster, 'NATIVE'))}>
        <b>Savepoint, native</b>
        <span>In the state backend's own format.</span>
      </button>
      <button type="button" role="menuitem" disabled={!running} onClick={act(() => stopWithSavepoint(cluster, false))}>
        <b>Stop with savepoint</b>
        <span>Sources stop, sinks commit, the job is FINISHED; open windows stay in the savepoint.</span>
      </button>
      <button type="button" role="menuitem" disabled={!running} onClick={act(() => stopWithSavepoint(cluster, true))}>
        <b>Drain and stop with savepoint</b>
        <span>As at the end of all input: do not go on from it as if nothing had been.</span>
      </button>
      <hr />
      {snapshots === null && <p className="t3">Looking for snapshots…</p>}
      {snapshots?.length === 0 && <p className="t3">There is no snapshot to start from.</p>}
      {snapshots?.map((node) => (
        <button
          key={node.path}
          type="button"
          role="menuitem"
          onClick={() => {
            onClose()
            openRestore(node.path)
          }}
        >
          <b>Restore from {lastPart(node.path)}…</b>
          <span>
            {node.snapshot?.kind}, checkpoint id {node.snapshot?.checkpointId}
          </span>
        </button>
      ))}
      <button
        type="button"
        role="menuitem"
        onClick={() => {
          onClose()
          set({ view: 'storage', firstMinute: false })
        }}
      >
        <b>All in Storage</b>
        <span>Open, compare, upload, download, delete.</span>
      </button>
    </div>
  )
}

/** Asked for when the menu opens; null: not there yet. */
function useSnapshots(): readonly StorageNode[] | null {
  const cluster = useCluster()
  const [found, setFound] = useState<readonly StorageNode[] | null>(null)
  useEffect(() => {
    let stale = false
    const tell = (nodes: readonly StorageNode[]): void => {
      if (!stale) setFound(newestSnapshots(nodes))
    }
    cluster.desk.tree().then(
      (tree) => tell(tree.nodes),
      () => tell([]),
    )
    return () => {
      stale = true
    }
  }, [cluster])
  return found
}
