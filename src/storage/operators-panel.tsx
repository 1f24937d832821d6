/** The operators of a snapshot: a row each; a row opens everything that is known of it. */
import { Fragment, useState } from 'react'
import type { OperatorView, SnapshotView } from '../../workers/model/snapshot-view.ts'
import { Expander } from '../checkpoints/expander.tsx'
import { bytes, count } from '../widgets/figures.ts'
import { KeyGroupStrip } from './key-group-strip.tsx'
import { OperatorDetail } from './operator-detail.tsx'
import { entriesOf, operatorTitle } from './snapshot-facts.ts'
import { useUids } from './use-uids.ts'

const COLUMNS = 7

export function OperatorsPanel({ view }: { readonly view: SnapshotView }) {
  const uids = useUids(view)
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(firstToOpen(view)))
  const toggle = (id: string): void => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  if (view.operators.length === 0) return <p className="panel-note">The snapshot names no operator.</p>
  return (
    <table className="ck-table operator-table">
      <thead>
        <tr>
          <th scope="col" className="x">
            <span className="sr">Details</span>
          </th>
          <th scope="col">Operator</th>
          <th scope="col" className="n">
            Parallelism, max
          </th>
          <th scope="col" className="strip-cell">
            Key groups by subtask
          </th>
          <th scope="col" className="n">
            States
          </th>
          <th scope="col" className="n">
            Entries
          </th>
          <th scope="col" className="n">
            Size
          </th>
        </tr>
      </thead>
      <tbody>
        {view.operators.map((operator) => (
          <Fragment key={operator.operatorId}>
            <OperatorRow operator={operator} hashOf={uids.get(operator.operatorId) ?? null} open={open.has(operator.operatorId)} onToggle={() => toggle(operator.operatorId)} />
            {open.has(operator.operatorId) && (
              <tr className="inner">
                <td colSpan={COLUMNS}>
                  <OperatorDetail operator={operator} view={view} hashOf={uids.get(operator.operatorId) ?? null} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

/** The one that holds most keyed state: what people come for. */
function firstToOpen(view: SnapshotView): readonly string[] {
  const [first] = view.operators.toSorted((a, b) => entriesOf(b) - entriesOf(a) || b.size - a.size)
  return first === undefined ? [] : [first.operatorId]
}

interface RowProps {
  readonly operator: OperatorView
  /** The uid that its id is the hash of, where the file has none and it was found. */
  readonly hashOf: string | null
  readonly open: boolean
  readonly onToggle: () => void
}

function OperatorRow({ operator, hashOf, open, onToggle }: RowProps) {
  const title = operatorTitle(operator)
  return (
    <tr className={open ? 'open' : ''}>
      <td className="x">
        <Expander open={open} label={`Details of ${title}`} onToggle={onToggle} />
      </td>
      <th scope="row">
        <button type="button" className="row-button" tabIndex={-1} onClick={onToggle}>
          {operator.uid === '' && operator.name === '' ? <span className="mono">{title}</span> : <b>{title}</b>}
          {operator.uid !== '' && operator.name !== '' && <span>{operator.name}</span>}
          {hashOf !== null && (
            <span>
              hash of <b>{hashOf}</b>
            </span>
          )}
          {operator.isFullyFinished && <i className="panel-tag">finished</i>}
        </button>
      </th>
      <td className="n">
        {count(operator.parallelism)} <span className="of">of {count(operator.maxParallelism)}</span>
      </td>
      <td className="strip-cell">
        <KeyGroupStrip operator={operator} />
      </td>
      <td className="n">{operator.states.length === 0 ? '–' : operator.states.length}</td>
      <td className="n">{operator.states.length === 0 ? '–' : count(entriesOf(operator))}</td>
      <td className="n">{bytes(operator.size)}</td>
    </tr>
  )
}
