/** What stands where there is nothing yet: what to do. */
import type { StorageNode } from '../../workers/model/snapshot-desk.ts'
import { useRun } from '../stores/run-store.ts'
import { count } from '../widgets/figures.ts'
import type { DroppedSource } from './desk-types.ts'
import { showSnapshot } from './storage-actions.ts'

export function EmptyStorage() {
  const completed = useRun((state) => state.run.checkpoints.history.some((record) => record.status === 'COMPLETED'))
  return (
    <div className="storage-empty">
      <b>No snapshot yet.</b>
      {completed ? (
        <p>
          Checkpoints have completed, but no file was written: with <code>execution.checkpointing.storage: jobmanager</code> and no directory they are in the memory of the JobManager, and lost with it.
        </p>
      ) : (
        <p>
          Trigger a checkpoint (<kbd>C</kbd>), or drop one of Flink’s here: a <code>_metadata</code> file, a directory, or a zip of it.
        </p>
      )}
    </div>
  )
}

export function Nothing({ nodes }: { readonly nodes: readonly StorageNode[] }) {
  if (nodes.length === 0) return null
  const hasSnapshot = nodes.some((node) => node.snapshot !== null)
  return (
    <div className="storage-empty">
      <b>{hasSnapshot ? 'Select what you want to look at.' : 'No snapshot yet.'}</b>
      {!hasSnapshot && (
        <p>
          Trigger a checkpoint (<kbd>C</kbd>): its directory appears here when it has completed.
        </p>
      )}
      <dl className="key-help">
        <div>
          <dt>
            <kbd>↑</kbd> <kbd>↓</kbd>
          </dt>
          <dd>walk the files</dd>
        </div>
        <div>
          <dt>
            <kbd>→</kbd> <kbd>←</kbd>
          </dt>
          <dd>open and close a directory</dd>
        </div>
        <div>
          <dt>
            <kbd>Enter</kbd>
          </dt>
          <dd>read a snapshot: operators, states, keys and values</dd>
        </div>
        <div>
          <dt>
            <kbd>Del</kbd>
          </dt>
          <dd>delete, after telling who still needs it</dd>
        </div>
      </dl>
      <p>
        Drop a <code>_metadata</code> file, a snapshot’s directory or a zip anywhere on the page: it is opened here, and stored only when you say so. Flink’s own files open as well.
      </p>
    </div>
  )
}

export function WhichOne({ sources }: { readonly sources: readonly DroppedSource[] }) {
  return (
    <div className="storage-empty which">
      <b>{sources.length} snapshots were dropped. Which one?</b>
      <ul>
        {sources.map((source) => (
          <li key={source.name}>
            <button type="button" className="text-link mono" onClick={() => showSnapshot(source)}>
              {source.name}
            </button>{' '}
            <span className="t3">{source.files.length === 1 ? '1 file' : `${count(source.files.length)} files`}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
