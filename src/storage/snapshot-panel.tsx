/** A snapshot that was opened, from storage or dropped: what it is, and everything in it that could be read. */
import { useMemo } from 'react'
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { CheckpointFlag } from '../checkpoints/flag.tsx'
import { useRun } from '../stores/run-store.ts'
import { useStorage } from '../stores/storage-store.ts'
import type { SnapshotTab } from '../stores/storage-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { count } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { compareWith } from './compare-with.ts'
import { sourceName } from './desk-types.ts'
import type { SnapshotSource } from './desk-types.ts'
import { ExportPanel } from './export-panel.tsx'
import { FilesPanel } from './files-panel.tsx'
import { OperatorsPanel } from './operators-panel.tsx'
import { ProblemsList } from './problems-list.tsx'
import { SearchPanel } from './search-panel.tsx'
import type { AskedFor } from './sheets.tsx'
import { SnapshotFacts } from './snapshot-head.tsx'
import { isSavepointKind, kindOf } from './snapshot-facts.ts'
import { Tabs } from './tabs.tsx'
import { useSnapshot } from './use-snapshot.ts'

interface PanelProps {
  readonly source: SnapshotSource
  readonly nodes: readonly StorageNode[]
  readonly onAsk: (asked: AskedFor) => void
}

export function SnapshotPanel({ source, nodes, onAsk }: PanelProps) {
  const { reading, cancel, again } = useSnapshot(source)
  const view = reading.is === 'read' ? reading.view : null
  const isGone = source.kind === 'stored' && /\/chk-\d+$/.test(source.path) && nodes.every((node) => node.path !== source.path)
  return (
    <article className="snapshot-panel" aria-label={`Snapshot ${sourceName(source)}`}>
      <Head source={source} view={view} nodes={nodes} onAsk={onAsk} />
      {reading.is === 'reading' && (
        <p className="panel-reading" role="status">
          <span className="reading-bar" role="progressbar" aria-label="Read" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(reading.share * 100)}>
            <i style={{ width: `${reading.share * 100}%` }} />
          </span>
          <span>
            Reading, <b className="num">{Math.round(reading.share * 100)} %</b>
          </span>
          <Button icon="cancel" onClick={cancel}>
            Cancel
          </Button>
        </p>
      )}
      {reading.is === 'cancelled' && (
        <p className="panel-reading">
          <span>Not read: it was cancelled.</span>
          <Button icon="restarting" onClick={again}>
            Read it
          </Button>
        </p>
      )}
      {reading.is === 'refused' && (
        <p className="verdict refused" role="alert">
          <Icon name="failed" />
          <span>
            <b>It could not be opened.</b> {reading.reason}
            {isGone && '. A checkpoint is deleted once enough newer ones have completed (execution.checkpointing.num-retained): pause the job, or copy the checkpoint, to look at it at leisure.'}
          </span>
          <Button icon="restarting" onClick={again}>
            Try again
          </Button>
        </p>
      )}
      {view !== null && <Body view={view} source={source} />}
    </article>
  )
}

interface HeadProps extends PanelProps {
  readonly view: SnapshotView | null
}

function Head({ source, view, nodes, onAsk }: HeadProps) {
  const { opened, set } = useStorage()
  const openRestore = useView((state) => state.openRestore)
  const leading = useRun((state) => state.status?.role === 'leading')
  const node = source.kind === 'stored' ? (nodes.find((one) => one.path === source.path) ?? null) : null
  const kind = view === null ? (node?.snapshot?.kind ?? 'unknown') : kindOf(view)
  const id = view?.checkpointId ?? node?.snapshot?.checkpointId ?? null
  const putIn = (stored?: (paths: readonly string[]) => void): void => {
    if (source.kind !== 'dropped') return
    const name = source.name === '_metadata' ? `${isSavepointKind(kind) ? 'savepoint' : 'chk'}-${id ?? 0}` : source.name
    onAsk({ what: 'store', source: { ...source, name }, name, ...(stored === undefined ? {} : { stored }) })
  }
  const shown = (paths: readonly string[]): void => {
    if (paths[0] !== undefined && useStorage.getState().opened === opened) set({ opened: { kind: 'stored', path: paths[0] } })
  }
  return (
    <header className="panel-head">
      <h2>
        {id !== null && <CheckpointFlag id={id} savepoint={isSavepointKind(kind)} />}
        <span className="mono">{sourceName(source)}</span>
        {source.kind === 'dropped' ? <i className="panel-tag">dropped, not stored</i> : node === null && view !== null && <i className="panel-tag">no longer in storage</i>}
      </h2>
      <div className="panel-actions" role="toolbar" aria-label="Actions">
        {source.kind === 'dropped' && (
          <Button kind="primary" icon="upload" disabled={!leading || view === null} onClick={() => putIn(shown)}>
            Put into storage…
          </Button>
        )}
        <Button
          icon="restoring"
          disabled={!leading || view === null || (source.kind === 'stored' && node === null)}
          onClick={() => {
            if (source.kind === 'stored') openRestore(source.path)
            else
              putIn((paths) => {
                shown(paths)
                if (paths[0] !== undefined) openRestore(paths[0])
              })
          }}
        >
          Restore…
        </Button>
        <Button icon="compare" disabled={view === null} onClick={() => compareWith(source)}>
          Compare
        </Button>
        <Button kind="ghost" icon="close" label="Close the snapshot" onClick={() => set({ opened: null })} />
      </div>
    </header>
  )
}

function Body({ view, source }: { readonly view: SnapshotView; readonly source: SnapshotSource }) {
  const { tab, set } = useStorage()
  const states = useMemo(() => view.operators.reduce((sum, operator) => sum + operator.states.length, 0), [view])
  return (
    <>
      <SnapshotFacts view={view} />
      <ProblemsList view={view} />
      <Tabs<SnapshotTab>
        label="Snapshot"
        name="snapshot"
        tabs={[
          { id: 'operators', title: 'Operators', note: `${view.operators.length}, ${states} ${states === 1 ? 'state' : 'states'}` },
          { id: 'files', title: 'Files', note: count(view.files.length) },
          { id: 'search', title: 'Search a key' },
          { id: 'export', title: 'Export' },
        ]}
        tab={tab}
        onTab={(next) => set({ tab: next })}
      />
      <div className="panel-tab" role="tabpanel" id={`snapshot-panel-${tab}`} aria-labelledby={`snapshot-tab-${tab}`}>
        {tab === 'operators' && <OperatorsPanel view={view} />}
        {tab === 'files' && <FilesPanel view={view} />}
        {tab === 'search' && <SearchPanel view={view} source={source} />}
        {tab === 'export' && <ExportPanel view={view} source={source} />}
      </div>
    </>
  )
}
