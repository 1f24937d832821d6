/** What differs between two snapshots, by operator. */
import { Fragment } from 'react'
import type { SnapshotComparison } from '../../workers/model/snapshot-desk.ts'
import { count } from '../widgets/figures.ts'
import { sourceName } from './desk-types.ts'
import type { SnapshotSource } from './desk-types.ts'
import { operatorTitle } from './snapshot-facts.ts'

const ROWS_MAX = 1000

interface ComparisonProps {
  readonly comparison: SnapshotComparison
  readonly a: SnapshotSource
  readonly b: SnapshotSource
}

type Row = SnapshotComparison['rows'][number]

export function ComparisonTable({ comparison, a, b }: ComparisonProps) {
  const { rows } = comparison
  const shown = rows.slice(0, ROWS_MAX)
  if (rows.length === 0) {
    return <p className="panel-note">{comparison.isComplete ? 'Nothing differs: the same operators, states and entries.' : 'Nothing differs in what was read; not everything was.'}</p>
  }
  return (
    <>
      <table className="ck-table comparison">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">{sourceName(a)}</th>
            <th scope="col">{sourceName(b)}</th>
          </tr>
        </thead>
        <tbody>
          {byOperator(shown).map(([id, ofOperator]) => (
            <Fragment key={id}>
              <tr className="kind-group">
                <th scope="rowgroup" colSpan={3}>
                  {ofOperator[0] === undefined ? id : operatorTitle(ofOperator[0])} <span>{count(ofOperator.length)}</span>
                </th>
              </tr>
              {ofOperator.map((row, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a key may differ in two states
                <tr key={`${row.what} ${index}`}>
                  <th scope="row">{row.what}</th>
                  <Cell value={row.a} other={row.b} />
                  <Cell value={row.b} other={row.a} />
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_MAX && <p className="panel-note">{count(rows.length - ROWS_MAX)} more differences are not listed.</p>}
      {!comparison.isComplete && <p className="panel-note">Not everything was compared: entries as far as they were read.</p>}
    </>
  )
}

function Cell({ value, other }: { readonly value: string | null; readonly other: string | null }) {
  if (value === null) return <td className="t3">not there</td>
  return <td className={`mono wrap${other === null ? ' only' : ''}`}>{value}</td>
}

function byOperator(rows: readonly Row[]): readonly (readonly [string, readonly Row[]])[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.operatorId)
    if (group === undefined) groups.set(row.operatorId, [row])
    else group.push(row)
  }
  return [...groups]
}
