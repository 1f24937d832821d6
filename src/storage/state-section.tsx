/** One state: its types, and the first of its entries. */
import { useState } from 'react'
import type { EntryView, StateView } from '../../workers/model/snapshot-view.ts'
import { Button } from '../widgets/controls.tsx'
import { count } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { KeyLetter } from '../widgets/key-letter.tsx'
import { cellOf, entryColumns } from './snapshot-facts.ts'
import type { EntryColumn } from './snapshot-facts.ts'
import { ValueCell } from './value-cell.tsx'
import { valueText } from './value-text.ts'

/** Without asking for more. */
const FIRST = 8
const KINDS: Readonly<Record<StateView['kind'], string>> = {
  keyed: 'keyed',
  timers: 'timers',
  'raw timers': 'raw timers',
  list: 'operator state, list: split among the subtasks',
  union: 'operator state, union: all of it to each subtask',
  broadcast: 'operator state, broadcast: the same in each subtask',
}

interface StateProps {
  readonly state: StateView
  /** Why nothing could be read, where that is known. */
  readonly unread: string
}

export function StateSection({ state, unread }: StateProps) {
  const [all, setAll] = useState(false)
  const shown = all ? state.sample : state.sample.slice(0, FIRST)
  const types = [state.keyType, state.namespaceType, state.valueType]
  return (
    <section className="panel-section state-section">
      <h4>
        <span className="mono">{state.name === '' ? '(no name)' : state.name}</span>
        <small>
          {state.type === '' ? '' : `${state.type}, `}
          {KINDS[state.kind]}
        </small>
        {types.some((type) => type !== '') && (
          <small className="types mono">
            {state.keyType !== '' && <>{state.keyType} → </>}
            {state.namespaceType !== '' && state.namespaceType !== 'VoidNamespace' && <>{state.namespaceType} → </>}
            {state.valueType === '' ? '?' : state.valueType}
          </small>
        )}
        <span className="grow" />
        <small>
          <b className="num">{count(state.entries)}</b> {state.entries === 1 ? 'entry' : 'entries'}
          {!state.isComplete && ', not all of them read'}
          {state.opaque > 0 && `, ${count(state.opaque)} with a part that could not be decoded`}
        </small>
      </h4>
      {state.sample.length === 0 ? (
        <p className="panel-note">{state.isComplete ? 'No entry.' : `No entry could be read: ${unread}.`}</p>
      ) : (
        <EntriesTable entries={shown} />
      )}
      {state.sample.length > FIRST && (
        <p className="more-row">
          <Button kind="ghost" icon="chevron" pressed={all} onClick={() => setAll(!all)}>
            {all ? 'Fewer' : state.sample.length < state.entries ? `${count(state.sample.length)} of the ${count(state.entries)}` : `All ${count(state.entries)}`}
          </Button>
        </p>
      )}
      {state.opaque > 0 && (
        <p className="panel-note">
          <Icon name="warning" /> Classes that are not known here are shown by name, with their size and first bytes.
        </p>
      )}
    </section>
  )
}

const HEADS: Readonly<Record<EntryColumn, string>> = { subtask: 'Subtask', group: 'Group', key: 'Key', namespace: 'Namespace', 'map key': 'Map key', value: 'Value' }
const FIGURES: ReadonlySet<EntryColumn> = new Set(['subtask', 'group'])

export function EntriesTable({ entries, lead }: { readonly entries: readonly EntryView[]; readonly lead?: { readonly head: string; readonly cells: readonly string[] } }) {
  const columns = entryColumns(entries)
  return (
    <div className="wide-table">
      <table className="ck-table entries">
        <thead>
          <tr>
            {lead !== undefined && <th scope="col">{lead.head}</th>}
            {columns.map((column) => (
              <th key={column} scope="col" className={FIGURES.has(column) ? 'n' : ''}>
                {HEADS[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- entries have no name of their own, and their order stands
            <tr key={index}>
              {lead !== undefined && <th scope="row">{lead.cells[index]}</th>}
              {columns.map((column) => (
                <td key={column} className={FIGURES.has(column) ? 'n' : column === 'key' ? 'entry-key' : 'mono'}>
                  {column === 'key' && typeof entry.key === 'string' && entry.key !== '' && entry.key.length <= 40 ? <KeyLetter name={valueText(entry.key)} /> : <ValueCell value={cellOf(entry, column)} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
