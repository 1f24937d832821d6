/** When the next checkpoint comes, in one sentence; or why none does. Pure. */
import { isGloballyTerminal } from '../../workers/model/execution.ts'
import type { JobStatus } from '../../workers/model/execution.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { duration } from '../widgets/figures.ts'

export interface NextCheckpoint {
  readonly status: JobStatus | null
  /** What the job last failed of. */
  readonly cause: string | null
  readonly nextAt: EngineTime | null
  readonly now: EngineTime
  /** "waiting for 3 slots, 2 are there"; null where nothing waits for slots. */
  readonly slots: string | null
  /** None has been triggered before. */
  readonly first: boolean
}

export function nextCheckpoint({ status, cause, nextAt, now, slots, first }: NextCheckpoint): string {
  if (status !== null && isGloballyTerminal(status)) return ended(status, cause)
  if (slots !== null) return `None can start: the job is ${slots}.`
  if (nextAt === null) return first ? 'Periodic checkpoints disabled. Checkpoint triggers one by hand.' : 'No periodic one is due.'
  const which = first ? 'The first one' : 'The next one'
  return nextAt > now ? `${which} starts in ${duration(nextAt - now)}.` : `${which} is due.`
}

function ended(status: JobStatus, cause: string | null): string {
  const what = `The job is ${status}: no checkpoint comes. Start begins it again.`
  return status === 'FAILED' && cause !== null ? `${what} It failed of: ${cause}` : what
}
