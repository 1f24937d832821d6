/** Two snapshots of one's own beside one another: what each is for and allows, shown on them; and what differs between them, entry by entry. */
import { useEffect, useState } from 'react'
import type { SnapshotComparison, StorageNode } from '../../workers/model/snapshot-desk.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useStorage } from '../stores/storage-store.ts'
import { Button } from '../widgets/controls.tsx'
import { ComparisonTable } from './comparison-table.tsx'
import { defaultPair } from './compare-with.ts'
import { reasonOf } from './desk-types.ts'
import type { SnapshotSource } from './desk-types.ts'
import { KindTable } from './kind-table.tsx'
import { SnapshotChoice } from './snapshot-choice.tsx'
import { Tabs } from './tabs.tsx'

export function SideBySide({ nodes, now }: { readonly nodes: readonly StorageNode[]; readonly now: number }) {
  const { first, second, set } = useStorage()
  const [tab, setTab] = useState<'kind' | 'content'>('kind')
  const [defaultFirst, defaultSecond] = defaultPair(nodes)
  const a = first ?? (second === null ? defaultFirst : null)
  const b = second ?? (first === null ? defaultSecond : null)
  if (nodes.every((node) => node.snapshot === null) && first === null) {
    return (
      <p className="storage-empty">
        <b>Nothing to compare yet.</b> Trigger a checkpoint (<kbd>C</kbd>) and a savepoint, then look at them here beside one another.
      </p>
    )
  }
  return (
    <div className="side-by-side">
      <div className="pair">
        <SnapshotChoice label="On the left" source={a} nodes={nodes} onChoose={(source) => set({ first: source, second: b })} />
        <Button icon="compare" label="Swap the sides" disabled={a === null || b === null} onClick={() => set({ first: b, second: a })} />
        <SnapshotChoice label="On the right" source={b} nodes={nodes} onChoose={(source) => set({ first: a, second: source })} />
      </div>
      <Tabs
        label="Side by side"
        name="pair"
        tabs={[
          { id: 'kind', title: 'What each is for' },
          { id: 'content', title: 'What differs' },
        ]}
        tab={tab}
        onTab={setTab}
      />
      <div className="panel-tab" role="tabpanel" id={`pair-panel-${tab}`} aria-labelledby={`pair-tab-${tab}`}>
        {tab === 'kind' ? <Kinds a={a} b={b} nodes={nodes} now={now} /> : a === null || b === null ? <p className="panel-note">Choose two snapshots.</p> : <Differences a={a} b={b} />}
      </div>
    </div>
  )
}

/** A dropped one is read for its facts; of a stored one the tree knows them. */
function Kinds({ a, b, nodes, now }: { readonly a: SnapshotSource | null; readonly b: SnapshotSource | null; readonly nodes: readonly StorageNode[]; readonly now: number }) {
  return (
    <KindTable
      sides={[
        { source: a, node: nodeOf(a, nodes), view: useDroppedView(a) },
        { source: b, node: nodeOf(b, nodes), view: useDroppedView(b) },
      ]}
      now={now}
    />
  )
}

const nodeOf = (source: SnapshotSource | null, nodes: readonly StorageNode[]): StorageNode | null => (source?.kind === 'stored' ? (nodes.find((node) => node.path === source.path) ?? null) : null)

function useDroppedView(source: SnapshotSource | null): SnapshotView | null {
  const cluster = useCluster()
  const [known, setKnown] = useState<{ readonly source: SnapshotSource; readonly view: SnapshotView } | null>(null)
  useEffect(() => {
    if (source?.kind !== 'dropped') return undefined
    let stale = false
    cluster.desk.open(source).then(
      (view) => {
        if (!stale) setKnown({ source, view })
      },
      () => undefined,
    )
    return () => {
      stale = true
    }
  }, [cluster, source])
  return known !== null && known.source === source ? known.view : null
}

type Compared = { readonly a: string; readonly b: string } & ({ readonly comparison: SnapshotComparison } | { readonly problem: string })

const nameOf = (source: SnapshotSource): string => (source.kind === 'stored' ? source.path : `dropped ${source.name}`)

function Differences({ a, b }: { readonly a: SnapshotSource; readonly b: SnapshotSource }) {
  const cluster = useCluster()
  const [compared, setCompared] = useState<Compared | null>(null)
  const [left, right] = [nameOf(a), nameOf(b)]
  useEffect(() => {
    let stale = false
    cluster.desk.compare(a, b).then(
      (comparison) => {
        if (!stale) setCompared({ a: left, b: right, comparison })
      },
      (error: unknown) => {
        if (!stale) setCompared({ a: left, b: right, problem: reasonOf(error) })
      },
    )
    return () => {
      stale = true
    }
    // By name: a source of the same path is the same snapshot.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [cluster, left, right])
  if (compared === null || compared.a !== left || compared.b !== right) return <p className="panel-note">Reading both …</p>
  if ('problem' in compared) {
    return (
      <p className="sheet-problem" role="alert">
        They cannot be compared: {compared.problem}
      </p>
    )
  }
  return <ComparisonTable comparison={compared.comparison} a={a} b={b} />
}
