/** The files of a snapshot: how many handles refer to each, and which are missing. */
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { bytes, count } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'

const FILES_MAX = 500

export function FilesPanel({ view }: { readonly view: SnapshotView }) {
  if (view.files.length === 0 && view.missing.length === 0) return <p className="panel-note">There is only the _metadata: all state is inline in it.</p>
  return (
    <>
      <table className="ck-table narrow">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Whose</th>
            <th scope="col" className="n">
              Size
            </th>
            <th scope="col" className="n">
              Handles that refer to it
            </th>
          </tr>
        </thead>
        <tbody>
          {view.missing.map((path) => (
            <tr key={`missing ${path}`} className="failure-word">
              <th scope="row" className="mono wrap">
                <Icon name="failed" /> {path}
              </th>
              <td colSpan={3}>named by a handle, and not here</td>
            </tr>
          ))}
          {view.files.slice(0, FILES_MAX).map((file) => (
            <tr key={file.name}>
              <th scope="row" className="mono wrap">
                {file.name}
              </th>
              <td>{file.name === '_metadata' ? 'the snapshot itself' : file.isShared ? 'shared' : file.references === 0 ? 'nobody’s' : 'its own'}</td>
              <td className="n">{bytes(file.size)}</td>
              <td className="n">{file.name === '_metadata' ? '–' : count(file.references)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {view.files.length > FILES_MAX && <p className="panel-note">{count(view.files.length - FILES_MAX)} more are not listed.</p>}
      {view.absolutePaths > 0 && (
        <p className="panel-note">
          {count(view.absolutePaths)} {view.absolutePaths === 1 ? 'handle names an absolute path' : 'handles name absolute paths'}: a copy that was moved finds these files only where they are.
        </p>
      )}
    </>
  )
}
