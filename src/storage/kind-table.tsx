/** What two snapshots are for, whose they are, and what each allows (behaviour 12.4): every line with the fact of this very snapshot beside it. */
import type { ReactNode } from 'react'
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { CheckpointFlag } from '../checkpoints/flag.tsx'
import { bytes, count } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import type { IconName } from '../widgets/icon.tsx'
import { age } from './age.ts'
import type { SnapshotSource } from './desk-types.ts'
import { sourceName } from './desk-types.ts'
import { Handles } from './handles.tsx'
import { ReferenceName } from './reference-name.tsx'
import { isSavepointKind, kindOf, placeCounts } from './snapshot-facts.ts'
import type { SnapshotKind } from './snapshot-facts.ts'
import { KIND_TITLES, KIND_WORDS, OPERATIONS } from './what-may-change.ts'
import type { Allowed } from './what-may-change.ts'

export interface Side {
  readonly source: SnapshotSource | null
  /** Of a stored one. */
  readonly node: StorageNode | null
  /** Of a dropped one, once it was read. */
  readonly view: SnapshotView | null
}

interface SideFacts {
  readonly name: string
  readonly kind: SnapshotKind
  readonly id: number
  readonly size: number
  readonly operators: number
  readonly inline: number
  readonly relative: number
  readonly absolute: number
  readonly node: StorageNode | null
}

function factsOf({ source, node, view }: Side): SideFacts | null {
  if (source === null) return null
  const name = sourceName(source)
  if (view !== null) return { name, kind: kindOf(view), id: view.checkpointId, size: view.size, operators: view.operators.length, ...placeCounts(view), node: null }
  if (node?.snapshot == null) return null
  const { snapshot } = node
  return { name, kind: snapshot.kind, id: snapshot.checkpointId, size: node.size, operators: snapshot.operators, inline: snapshot.inlineHandles, relative: snapshot.relativeHandles, absolute: snapshot.absoluteHandles, node }
}

export function KindTable({ sides, now }: { readonly sides: readonly [Side, Side]; readonly now: number }) {
  const both = sides.map(factsOf)
  const line = (name: string, show: (facts: SideFacts) => ReactNode): ReactNode => (
    <tr key={name}>
      <th scope="row">{name}</th>
      {both.map((facts, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- left and right
        <td key={index}>{facts === null ? <span className="t3">–</span> : show(facts)}</td>
      ))}
    </tr>
  )
  return (
    <table className="ck-table kind-table">
      <thead>
        <tr>
          <th scope="col" className="kind-name">
            <span className="sr">What</span>
          </th>
          {both.map((facts, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- left and right
            <th key={index} scope="col">
              {facts === null ? (
                <span className="t3">{sides[index]?.source == null ? 'none chosen' : 'reading …'}</span>
              ) : (
                <span className="kind-head">
                  <CheckpointFlag id={facts.id} savepoint={isSavepointKind(facts.kind)} /> <b>{KIND_TITLES[facts.kind]}</b> <span className="mono">{facts.name}</span>
                </span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {line('For', ({ kind }) => KIND_WORDS[kind].purpose)}
        {line('Owner', ({ kind }) => KIND_WORDS[kind].owner)}
        {line('Kept now by', ({ node }) => (node === null ? 'not in storage' : node.references.length === 0 ? 'nobody: it can be deleted' : node.references.map((reference) => <span key={reference.who} className="kept-by"><ReferenceName reference={reference} /></span>)))}
        {line('Format', ({ kind }) => KIND_WORDS[kind].format)}
        {line('Size', ({ size, operators }) => (
          <>
            {bytes(size)}, {count(operators)} operators
          </>
        ))}
        {line('Handles', (facts) => <Handles inline={facts.inline} relative={facts.relative} absolute={facts.absolute} />)}
        {line('Written', ({ node }) => (node === null ? '–' : `${age(now - node.modifiedAt)} ago`))}
        {line('Would still restore', ({ node }) => (node?.snapshot == null ? 'as far as its files are beside it' : node.snapshot.isRestorable ? <Mark allowed="yes" note="every file that it names is there" /> : <Mark allowed="no" note={node.snapshot.problem ?? ''} />))}
        <tr className="kind-group">
          <th scope="rowgroup" colSpan={3}>
            What Flink promises of such a snapshot
          </th>
        </tr>
        {OPERATIONS.map(({ operation, allowed }) => line(operation, (facts) => (facts.kind === 'unknown' ? 'not known' : <Mark allowed={allowed[facts.kind]} note={operation === 'Self-contained and relocatable' ? placeNote(facts) : ''} />)))}
      </tbody>
    </table>
  )
}

const ICONS: Readonly<Record<Allowed, IconName>> = { yes: 'check', 'works, not guaranteed': 'soft', no: 'close' }

function Mark({ allowed, note }: { readonly allowed: Allowed; readonly note: string }) {
  return (
    <span className={`allowed ${allowed === 'yes' ? 'yes' : allowed === 'no' ? 'no' : 'soft'}`}>
      <Icon name={ICONS[allowed]} /> {allowed}
      {note !== '' && <small>{note}</small>}
    </span>
  )
}

/** What this very snapshot's handles say of moving it. */
function placeNote({ kind, absolute }: SideFacts): string {
  if (absolute > 0) return `this one names ${count(absolute)} absolute ${absolute === 1 ? 'path' : 'paths'}: a moved copy finds these only where they are`
  return isSavepointKind(kind) ? 'this one names no absolute path' : 'this one names no absolute path: a moved copy restores, though it is not guaranteed'
}
