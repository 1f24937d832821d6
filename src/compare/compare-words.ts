/** What the Compare view says in sentences: how often checkpoints come, what the live job does meanwhile, what was persisted. Pure. */
import { isGloballyTerminal } from '../../workers/model/execution.ts'
import type { JobStatus } from '../../workers/model/execution.ts'
import type { ComparedInterval, PersistedInFlight } from '../../workers/projections/compared-run.ts'
import { bytes, duration } from '../widgets/figures.ts'

/** How often both runs trigger a checkpoint, and whose interval that is. */
export function intervalWords({ intervalMicros, assumed, periodMicros }: ComparedInterval): string {
  const raised = periodMicros > intervalMicros
  const often = `A checkpoint every ${duration(periodMicros)}`
  if (assumed) {
    const interval = raised ? `min-pause raises the interval of ${duration(intervalMicros)} that is` : 'the interval is'
    return `${often}: ${interval} assumed for the comparison, the job itself has none.`
  }
  return raised ? `${often}: min-pause raises the job’s interval of ${duration(intervalMicros)}.` : `${often}: the job’s own interval.`
}

const LIVE_WORDS: Readonly<Record<JobStatus, string>> = {
  INITIALIZING: 'The live job is being started meanwhile.',
  CREATED: 'The live job is being started meanwhile.',
  RUNNING: 'The live job goes on.',
  FAILING: 'The live job is FAILING meanwhile.',
  FAILED: 'The live job has FAILED and does not go on.',
  CANCELLING: 'The live job is being cancelled meanwhile.',
  CANCELED: 'The live job was CANCELED and does not go on.',
  FINISHED: 'The live job has FINISHED and does not go on.',
  RESTARTING: 'The live job is RESTARTING meanwhile.',
  SUSPENDED: 'The live job is SUSPENDED: it could not be recovered.',
  RECONCILING: 'The live job is being recovered meanwhile.',
}

/** The live job as it stands; `status` null: there is none. */
export interface LiveJob {
  readonly status: JobStatus | null
  readonly paused: boolean
  /** The engine no longer moves, whatever was last heard of the job. */
  readonly dead: boolean
  /** False while there is no JobManager that leads. */
  readonly led: boolean
}

/** What the live job does while another is simulated. */
export function liveWords({ status, paused, dead, led }: LiveJob): string {
  if (status === null) return 'There is no live job.'
  if (isGloballyTerminal(status)) return LIVE_WORDS[status]
  if (dead) return 'The live job stands still: its engine has stopped.'
  if (paused) return 'The live job is paused and stays so.'
  return led ? LIVE_WORDS[status] : 'The live job waits for a JobManager meanwhile.'
}

/** The cell of the table; a dash where there is no whole account. */
export function inFlightWords(persisted: PersistedInFlight | null): string {
  if (persisted === null) return '–'
  return persisted.failed === null ? bytes(persisted.bytes) : `${bytes(persisted.bytes)} (${persisted.failed})`
}
