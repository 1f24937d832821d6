/** Files and who holds them: a row for each file, a column for each snapshot, a dot where one names the other. */
import { CheckpointFlag } from '../checkpoints/flag.tsx'
import { bytes, count } from '../widgets/figures.ts'
import type { Holding } from './holders.ts'
import { isSavepointKind } from './snapshot-facts.ts'
import { select } from './storage-actions.ts'

export function HoldersTable({ holding, directory }: { readonly holding: Holding; readonly directory: string }) {
  const { snapshots, files, more } = holding
  if (files.length === 0) return <p className="panel-note">{snapshots.length > 0 ? 'All state is inline in the _metadata files: nothing else lies here.' : 'No state file lies here.'}</p>
  return (
    <section className="panel-section">
      <table className="ck-table holders">
        <caption>
          Files and who holds them <span>{count(files.length + more)} files</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" className="n">
              Size
            </th>
            {snapshots.map((one) => (
              <th key={one.path} scope="col" className="holder">
                <CheckpointFlag id={one.snapshot?.checkpointId ?? 0} savepoint={isSavepointKind(one.snapshot?.kind ?? 'unknown')} />
                <span className="sr">{one.path}</span>
              </th>
            ))}
            <th scope="col" className="n">
              References
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ node, by }) => (
            <tr key={node.path} className={node.references.length === 0 ? 'orphan' : ''}>
              <th scope="row">
                <button type="button" className="text-link mono" onClick={() => select(node.path)}>
                  {node.path.slice(directory.length + 1)}
                </button>
              </th>
              <td className="n">{bytes(node.size)}</td>
              {snapshots.map((one) => (
                <td key={one.path} className="holder">
                  {by.has(one.path) && <i className="ref-dot snapshot" role="img" aria-label="holds it" />}
                </td>
              ))}
              <td className="n">{node.references.length === 0 ? 'nobody' : node.references.length}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Sum</th>
            <td className="n">{bytes(files.reduce((sum, { node }) => sum + node.size, 0))}</td>
            {snapshots.map((one) => (
              <td key={one.path} className="holder num">
                {bytes(files.reduce((sum, { node, by }) => sum + (by.has(one.path) ? node.size : 0), 0))}
              </td>
            ))}
            <td className="n">{files.reduce((sum, { node }) => sum + node.references.length, 0)}</td>
          </tr>
        </tfoot>
      </table>
      {more > 0 && <p className="panel-note">{count(more)} more are not listed.</p>}
    </section>
  )
}
