/** Who needs a file or a snapshot: a snapshot by its path, a job by its name where it is the one at hand. */
import type { StorageReference } from '../../workers/model/snapshot-desk.ts'
import { useRun } from '../stores/run-store.ts'
import { select } from './storage-actions.ts'

export function ReferenceName({ reference }: { readonly reference: StorageReference }) {
  const job = useRun((state) => state.status?.job ?? null)
  if (reference.by === 'snapshot') {
    return (
      <>
        <i className="ref-dot snapshot" aria-hidden="true" />
        <button type="button" className="text-link mono" onClick={() => select(reference.who)}>
          {reference.who}
        </button>
      </>
    )
  }
  return (
    <>
      <i className="ref-dot job" aria-hidden="true" />
      <span>
        job {job?.id === reference.who && <b>{job.name}</b>} <span className="mono">{reference.who}</span>
        {job?.id === reference.who ? `, ${job.status}` : ''}
      </span>
    </>
  )
}
