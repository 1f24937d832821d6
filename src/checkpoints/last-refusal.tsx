/** A request that failed before any task heard of it: it raises Triggered and Failed, and has no row (behaviour 4). */
import { useRun } from '../stores/run-store.ts'
import { clock } from '../widgets/figures.ts'
import { failureMeaning } from './failure-meaning.ts'

/** The newest one, unless a checkpoint has been triggered since. */
export function LastRefusal({ tolerable }: { readonly tolerable: number | null }) {
  const refusal = useRun((state) => state.run.checkpoints.lastRejection)
  const triggeredAt = useRun((state) => state.run.checkpoints.history.at(-1)?.triggeredAt ?? -1)
  if (refusal === null || refusal.at <= triggeredAt) return null
  const { meaning, counting } = failureMeaning(refusal.reason, false, tolerable)
  return (
    <p className="failure-sentence refusal">
      {clock(refusal.at)} request refused: <b>{refusal.reason}</b> {meaning} {counting} Such a request has no row below; it is among Triggered and Failed.
    </p>
  )
}
