/** The Storage view: everything that lies in storage as Flink lays it out, and beside it what is selected or opened. */
import { useMemo, useRef, useState } from 'react'
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { useRun } from '../stores/run-store.ts'
import { askAgain, useStorage } from '../stores/storage-store.ts'
import { Button } from '../widgets/controls.tsx'
import { Icon } from '../widgets/icon.tsx'
import { filesOfList } from './dropped-files.ts'
import { HeldMemory } from './held-memory.tsx'
import { NodeDetail } from './node-detail.tsx'
import { QuotaGauge } from './quota-gauge.tsx'
import { SideBySide } from './side-by-side.tsx'
import { Sheets } from './sheets.tsx'
import type { AskedFor } from './sheets.tsx'
import { SnapshotPanel } from './snapshot-panel.tsx'
import { buildTree, nearestNode, snapshotAt, visibleRows } from './storage-tree.ts'
import { openFiles, showSnapshot } from './storage-actions.ts'
import { EmptyStorage, Nothing, WhichOne } from './storage-words.tsx'
import { Tabs } from './tabs.tsx'
import { TreePane } from './tree-pane.tsx'
import { useStorageTree } from './use-storage-tree.ts'
import './storage.css'

const NONE: readonly StorageNode[] = []

export function StorageView() {
  useStorageTree()
  const { tree, toldAt: now, page, set } = useStorage()
  const [asked, setAsked] = useState<AskedFor | null>(null)
  const nodes = tree?.nodes ?? NONE
  return (
    <section className="storage-view" aria-label="Storage">
      <header className="storage-bar">
        <Tabs
          label="Storage"
          name="storage"
          tabs={[
            { id: 'browse', title: 'Files' },
            { id: 'side by side', title: 'Side by side' },
          ]}
          tab={page}
          onTab={(next) => set({ page: next })}
        />
        <span className="grow" />
        {tree?.quota != null && <QuotaGauge {...tree.quota} />}
        <FileButtons onAsk={setAsked} />
      </header>
      {page === 'browse' ? <Browse nodes={nodes} now={now} onAsk={setAsked} /> : <SideBySide nodes={nodes} now={now} />}
      <Sheets asked={asked} nodes={nodes} onClose={() => setAsked(null)} />
    </section>
  )
}

interface BrowseProps {
  readonly nodes: readonly StorageNode[]
  readonly now: number
  readonly onAsk: (asked: AskedFor) => void
}

function Browse({ nodes, now, onAsk }: BrowseProps) {
  const { tree, problem, selected, toggled, opened, dropped, set } = useStorage()
  const roots = useMemo(() => buildTree(nodes), [nodes])
  const rows = useMemo(() => visibleRows(roots, toggled), [roots, toggled])
  const node = nearestNode(selected, nodes)
  const open = (one: StorageNode): void => {
    const snapshot = snapshotAt(one.path, nodes)
    showSnapshot({ kind: 'stored', path: snapshot?.path ?? one.path })
    if (one.kind === 'metadata') set({ selected: one.path })
  }
  return (
    <div className={`storage-body${opened !== null || dropped.length > 0 ? ' with-snapshot' : ''}`} role="tabpanel" id="storage-panel-browse" aria-labelledby="storage-tab-browse">
      <div className="tree-pane">
        {problem !== null && (
          <p className="sheet-problem" role="alert">
            <Icon name="failed" /> The files cannot be listed: {problem}
          </p>
        )}
        {rows.length > 0 && (
          <>
            <TreeHead />
            <TreePane rows={rows} nodes={nodes} now={now} onOpen={open} onDelete={(one) => onAsk({ what: 'delete', node: one })} onRename={(one) => onAsk({ what: 'rename', node: one })} />
          </>
        )}
        {tree === null && problem === null && <p className="tree-foot">Listing the files …</p>}
        {tree !== null && rows.length === 0 && <EmptyStorage />}
        <HeldMemory />
        {rows.length > 0 && <TreeFoot nodes={nodes} />}
      </div>
      <div className="storage-detail">
        {(opened !== null || dropped.length > 0) && (
          <Button icon="replaying" className="back-to-files" onClick={() => set({ opened: null, dropped: [] })}>
            Files
          </Button>
        )}
        {dropped.length > 0 ? (
          <WhichOne sources={dropped} />
        ) : opened !== null ? (
          <SnapshotPanel source={opened} nodes={nodes} onAsk={onAsk} />
        ) : node !== null ? (
          <NodeDetail node={node} nodes={nodes} now={now} onAsk={onAsk} />
        ) : (
          <Nothing nodes={nodes} />
        )}
      </div>
    </div>
  )
}

function TreeHead() {
  return (
    <div className="tree-head" aria-hidden="true">
      <span className="tree-name">Name</span>
      <span className="tree-restore" title="Would still restore">
        ok
      </span>
      <span className="tree-size">Size</span>
      <span className="tree-age">Age</span>
      <span className="tree-needed">Needed by</span>
    </div>
  )
}

function TreeFoot({ nodes }: { readonly nodes: readonly StorageNode[] }) {
  const files = nodes.filter((node) => !node.isDirectory)
  const snapshots = nodes.filter((node) => node.snapshot !== null)
  const orphans = files.filter((node) => node.kind === 'state' && node.references.length === 0)
  return (
    <p className="tree-foot">
      <span>
        <b className="num">{snapshots.length}</b> {snapshots.length === 1 ? 'snapshot' : 'snapshots'}, <b className="num">{files.length}</b> files
      </span>
      <span>
        <i className="ref-dot snapshot" aria-hidden="true" /> a snapshot names it
      </span>
      <span>
        <i className="ref-dot job" aria-hidden="true" /> a job keeps it
      </span>
      {orphans.length > 0 && <span>{orphans.length} state files that no _metadata names</span>}
    </p>
  )
}

/** Choosing opens and does not store: storing is asked for beside the snapshot. */
function FileButtons({ onAsk }: { readonly onAsk: (asked: AskedFor) => void }) {
  const leading = useRun((state) => state.status?.role === 'leading')
  const files = useRef<HTMLInputElement>(null)
  const directory = useRef<HTMLInputElement>(null)
  const upload = useRef<HTMLInputElement>(null)
  const chosen = (input: HTMLInputElement): void => {
    const found = input.files === null ? [] : filesOfList(input.files)
    input.value = ''
    if (found.length > 0) openFiles(found)
  }
  return (
    <div className="panel-actions" role="toolbar" aria-label="Files">
      <Button icon="file" onClick={() => files.current?.click()}>
        Open file…
      </Button>
      <Button icon="fileOpen" onClick={() => directory.current?.click()}>
        Open directory…
      </Button>
      <Button icon="upload" disabled={!leading} onClick={() => upload.current?.click()}>
        Upload…
      </Button>
      <Button kind="ghost" icon="restarting" label="Refresh" onClick={askAgain} />
      <input ref={files} type="file" hidden multiple aria-label="Snapshot files" onChange={(event) => chosen(event.currentTarget)} />
      <input ref={directory} type="file" hidden aria-label="Snapshot directory" {...{ webkitdirectory: '' }} onChange={(event) => chosen(event.currentTarget)} />
      <input
        ref={upload}
        type="file"
        hidden
        aria-label="File to store: a zip, or a _metadata"
        onChange={(event) => {
          const [zip] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (zip !== undefined) onAsk({ what: 'store', source: zip, name: zip.name })
        }}
      />
    </div>
  )
}
