import { useId, useState } from 'react'

/** Flink's note on the checkpointed size, as a button that says it, and not only on hovering. */
export function SizeNote() {
  const [shown, setShown] = useState(false)
  const id = useId()
  return (
    <span className="size-note">
      <button type="button" aria-label="What checkpointed data size is" aria-expanded={shown} aria-controls={id} onClick={() => setShown(!shown)} onBlur={() => setShown(false)}>
        i
      </button>
      {shown && (
        <span id={id} role="note">
          What was written in the sync and async phases of this checkpoint. With incremental checkpoints or the changelog it is usually less than the full size.
        </span>
      )}
    </span>
  )
}
