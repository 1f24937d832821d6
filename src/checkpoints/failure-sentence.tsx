/** What a failure reason means, in one sentence, and whether it counts; the target of the link in the history. */
import type { CheckpointFailureReason } from '../../workers/model/checkpoint.ts'
import { failureMeaning, reasonOfMessage } from './failure-meaning.ts'

interface SentenceProps {
  readonly id: number
  /** From the event log; null where it does not reach back. */
  readonly reason: CheckpointFailureReason | null
  readonly message: string | null
  readonly savepoint: boolean
  readonly tolerable: number | null
}

export const failureAnchor = (id: number): string => `why-checkpoint-${id}`

export function FailureSentence({ id, reason, message, savepoint, tolerable }: SentenceProps) {
  const known = reason ?? reasonOfMessage(message)
  if (known === null) return null
  const { meaning, counting } = failureMeaning(known, savepoint, tolerable)
  return (
    <p className="failure-sentence" id={failureAnchor(id)} tabIndex={-1}>
      <b>{known}</b> {meaning} {counting}
    </p>
  )
}
