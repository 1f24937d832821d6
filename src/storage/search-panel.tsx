/** A key in a snapshot: what was found for it, and where it lies by its hash, found or not. */
import { useState } from 'react'
import type { KeySearch } from '../../workers/model/snapshot-desk.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { Button } from '../widgets/controls.tsx'
import { count } from '../widgets/figures.ts'
import { reasonOf } from './desk-types.ts'
import type { SnapshotSource } from './desk-types.ts'
import { operatorTitle } from './snapshot-facts.ts'
import { EntriesTable } from './state-section.tsx'

const FOUND_MAX = 200

export function SearchPanel({ view, source }: { readonly view: SnapshotView; readonly source: SnapshotSource }) {
  const cluster = useCluster()
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<{ readonly key: string; readonly found: KeySearch } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const search = (): void => {
    if (key.trim() === '') return
    setBusy(true)
    setProblem(null)
    cluster.desk
      .search(source, key.trim())
      .then(
        (found) => setResult({ key: key.trim(), found }),
        (error: unknown) => setProblem(reasonOf(error)),
      )
      .finally(() => setBusy(false))
  }
  return (
    <>
      <form
        className="search-form"
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        <label>
          Key
          <input className="mono" type="search" value={key} spellCheck={false} placeholder={exampleKey(view)} onChange={(event) => setKey(event.target.value)} />
        </label>
        <Button kind="primary" icon="search" disabled={busy || key.trim() === ''} onClick={search}>
          {busy ? 'Searching …' : 'Search'}
        </Button>
        <span className="t2">A number, a text, true or false; a tuple as a JSON list: [&quot;ATL&quot;, 3]</span>
      </form>
      {problem !== null && (
        <p className="sheet-problem" role="alert">
          {problem}
        </p>
      )}
      {result !== null && <Result view={view} searched={result.key} found={result.found} />}
    </>
  )
}

function exampleKey(view: SnapshotView): string {
  const key = view.operators.flatMap((operator) => operator.states).flatMap((state) => state.sample).find((entry) => typeof entry.key === 'string' || typeof entry.key === 'number')?.key
  return key === undefined ? 'key' : `${String(key)} …`
}

function Result({ view, searched, found: { found, places } }: { readonly view: SnapshotView; readonly searched: string; readonly found: KeySearch }) {
  const titles = new Map(view.operators.map((operator) => [operator.operatorId, operator]))
  const title = (id: string): string => {
    const operator = titles.get(id)
    return operator === undefined ? id.slice(0, 8) : operatorTitle(operator)
  }
  return (
    <>
      <section className="panel-section" aria-live="polite">
        <h4>
          {found.length === 0 ? 'No entry' : `${count(found.length)} ${found.length === 1 ? 'entry' : 'entries'}`} of <span className="mono">{searched}</span>
        </h4>
        {found.length > 0 && (
          <EntriesTable entries={found.slice(0, FOUND_MAX).map(({ entry }) => entry)} lead={{ head: 'Operator, state', cells: found.slice(0, FOUND_MAX).map((one) => `${title(one.operatorId)}, ${one.state}`) }} />
        )}
        {found.length > FOUND_MAX && <p className="panel-note">{count(found.length - FOUND_MAX)} more are not listed.</p>}
      </section>
      <section className="panel-section">
        {places.length === 0 ? (
          <p className="panel-note">No operator has keys of such a type.</p>
        ) : (
          <table className="ck-table narrow">
            <caption>
              Where such a key lies <span>by its hash, found or not</span>
            </caption>
            <thead>
              <tr>
                <th scope="col">Operator</th>
                <th scope="col" className="n">
                  Key group
                </th>
                <th scope="col" className="n">
                  Subtask
                </th>
                <th scope="col">Of</th>
              </tr>
            </thead>
            <tbody>
              {places.map((place) => {
                const operator = titles.get(place.operatorId)
                return (
                  <tr key={place.operatorId}>
                    <th scope="row">{title(place.operatorId)}</th>
                    <td className="n">{place.keyGroup}</td>
                    <td className="n">{place.subtask}</td>
                    <td className="t2">{operator === undefined ? '' : `${count(operator.maxParallelism)} groups, ${operator.parallelism} subtasks`}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )}
      </section>
    </>
  )
}
