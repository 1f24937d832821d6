/** What snapshots hold of the JobManager's memory: all state with JobManager storage, else what stayed below the inline threshold. No file, and lost with it. */
import { CheckpointFlag } from '../checkpoints/flag.tsx'
import { useRun } from '../stores/run-store.ts'
import { bytes, count } from '../widgets/figures.ts'

/** The newest of more. */
const SHOWN_MAX = 6

export function HeldMemory() {
  const held = useRun((state) => state.run.checkpoints.held)
  const total = held.reduce((sum, one) => sum + one.bytes, 0)
  if (total === 0) return null
  return (
    <section className="held-memory" aria-label="Memory of the JobManager">
      <p>
        <b>In the JobManager’s memory</b> <span className="num">{bytes(total)}</span> of inline state; what has no file is lost with it
      </p>
      <ul>
        {held.length > SHOWN_MAX && <li>{count(held.length - SHOWN_MAX)} older,</li>}
        {held.slice(-SHOWN_MAX).map(({ checkpointId, bytes: size }) => (
          <li key={checkpointId}>
            <CheckpointFlag id={checkpointId} /> <span className="num">{bytes(size)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
