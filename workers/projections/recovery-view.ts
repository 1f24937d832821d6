/**
 * One recovery, from the failure to the moment when the sources pass their old read heads: its stages with their durations, and the
 * account of the records that had to be read again.
 */
import type { EngineEvent } from '../model/events.ts'
import { isGloballyTerminal } from '../model/execution.ts'
import type { JobStatus } from '../model/execution.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import type { TapeView } from './tape-view.ts'
import { replayOf } from './tape-view.ts'

export const RECOVERY_STAGES = ['detected', 'cancelled', 'back-off', 'rewound', 'restored', 'channels', 'caught-up'] as const
export type RecoveryStage = (typeof RECOVERY_STAGES)[number]

export interface RecoveryView {
  /** The attempt that the recovery leads to. */
  readonly attempt: number
  readonly cause: string
  /** What was done to it, where it was done on purpose: "TaskManager tm-2". */
  readonly fault: string | null
  readonly startedAt: EngineTime
  /** When each stage was over; null while it is not. */
  readonly ends: Readonly<Record<RecoveryStage, EngineTime | null>>
  readonly backOffMicros: EngineTime | null
  readonly strategy: string | null
  /** Tasks have been deployed anew: until then those that are RUNNING are the old ones (a new JobManager finds them so in the log). */
  readonly redeployed: boolean
  readonly restoredFrom: CheckpointId | null
  readonly restoredEmpty: boolean
  readonly keys: number
  readonly restoredBytes: number
  /** Between the restored offsets and the old read heads. */
  readonly replayTotal: number
  readonly replayed: number
  /** Ids of the transactions that were taken back. */
  readonly aborted: readonly string[]
  /** The job ended before it was back: nothing of this goes on. */
  readonly abandoned: { readonly at: EngineTime; readonly status: JobStatus } | null
}

const NO_ENDS: RecoveryView['ends'] = { detected: null, cancelled: null, 'back-off': null, rewound: null, restored: null, channels: null, 'caught-up': null }

function begin(at: EngineTime, cause: string, fault: string | null): RecoveryView {
  return {
    attempt: 0,
    cause,
    fault,
    startedAt: at,
    ends: NO_ENDS,
    backOffMicros: null,
    strategy: null,
    redeployed: false,
    restoredFrom: null,
    restoredEmpty: false,
    keys: 0,
    restoredBytes: 0,
    replayTotal: 0,
    replayed: 0,
    aborted: [],
    abandoned: null,
  }
}

export const isRecovering = (view: RecoveryView | null): boolean => view !== null && view.abandoned === null && view.ends['caught-up'] === null

/** The newest recovery; null before the first failure. A failure during a recovery begins a new one. */
export function reduceRecovery(view: RecoveryView | null, event: EngineEvent): RecoveryView | null {
  const { at, body } = event
  switch (body.type) {
    case 'FaultInjected':
      return body.fault.startsWith('kill') ? begin(at, `${body.target} killed`, body.target) : view
    case 'TaskManagerLost':
      return view === null || view.ends.detected !== null ? begin(at, body.cause, null) : view
    case 'JobStatusChanged':
      if (isGloballyTerminal(body.to)) return isRecovering(view) && view !== null ? { ...view, abandoned: { at, status: body.to } } : view
      if (body.to !== 'RESTARTING' && body.to !== 'FAILING') return view === null || body.to !== 'RUNNING' ? view : end(view, 'cancelled', at)
      return end(view === null || view.ends.detected !== null ? startOver(view, at, body.cause ?? 'unknown') : { ...view, cause: body.cause ?? view.cause }, 'detected', at)
    case 'RestartScheduled': {
      const known = end(view ?? begin(at, body.cause, null), 'detected', at)
      return { ...known, attempt: body.attemptNumber, cause: body.cause, backOffMicros: body.delayMicros, strategy: body.strategy }
    }
    case 'TaskStateChanged':
      return view === null ? null : taskChanged(view, at, body.to)
    case 'CheckpointRestored':
      return view === null ? null : { ...end(view, 'back-off', at), restoredFrom: body.checkpointId }
    case 'RestoredEmpty':
      return view === null ? null : { ...end(view, 'back-off', at), restoredEmpty: true }
    case 'SourceRewound':
      return view === null ? null : again(view, 'rewound', at)
    case 'StateRestored':
      return view === null ? null : { ...again(view, 'restored', at), keys: view.keys + body.keys, restoredBytes: view.restoredBytes + body.bytes }
    case 'TransactionAborted':
      return view === null ? null : { ...view, aborted: [...view.aborted, body.transaction] }
    default:
      return view
  }
}

/** `running`: every subtask of the job is RUNNING. `tapes` as they stand after the events up to `at`. */
export function followReplay(view: RecoveryView | null, tapes: TapeView, running: boolean, at: EngineTime): RecoveryView | null {
  if (view === null || !isRecovering(view)) return view
  const replay = replayOf(tapes)
  let next: RecoveryView = { ...view, replayTotal: replay.total, replayed: replay.done }
  if (running && next.redeployed && (next.restoredFrom !== null || next.restoredEmpty)) next = end(next, 'channels', at)
  if (next.ends.channels !== null && replay.caughtUp) next = end(next, 'caught-up', at)
  return next
}

/** From the failure until every subtask ran again; null while it is down. */
export const downtime = (view: RecoveryView): EngineTime | null => (view.ends.channels === null ? null : view.ends.channels - view.startedAt)

/** Each stage with its duration, in order; a stage that did not occur is left out, one under way is open; none is once the job has ended. */
export function stageDurations(view: RecoveryView, now: EngineTime): { readonly stage: RecoveryStage; readonly micros: EngineTime; readonly open: boolean }[] {
  const result: { stage: RecoveryStage; micros: EngineTime; open: boolean }[] = []
  let from = view.startedAt
  for (const [index, stage] of RECOVERY_STAGES.entries()) {
    const to = view.ends[stage]
    if (to === null) {
      if (RECOVERY_STAGES.slice(index + 1).some((later) => view.ends[later] !== null)) continue
      if (view.abandoned === null) result.push({ stage, micros: Math.max(0, now - from), open: true })
      break
    }
    result.push({ stage, micros: Math.max(0, to - from), open: false })
    from = Math.max(from, to)
  }
  return result
}

function taskChanged(view: RecoveryView, at: EngineTime, to: string): RecoveryView {
  if (view.ends.channels !== null) return view
  if (to === 'CANCELED' || to === 'FAILED') return again(view, 'cancelled', at)
  const redeployed = view.redeployed || to === 'DEPLOYING' || to === 'INITIALIZING' || to === 'RUNNING'
  return { ...(to === 'DEPLOYING' ? end(view, 'back-off', at) : view), redeployed }
}

function startOver(view: RecoveryView | null, at: EngineTime, cause: string): RecoveryView {
  return view !== null && view.ends.channels === null ? { ...view, cause } : begin(at, cause, null)
}

/** The first event ends the stage. */
function end(view: RecoveryView, stage: RecoveryStage, at: EngineTime): RecoveryView {
  return view.ends[stage] === null ? { ...view, ends: { ...view.ends, [stage]: at } } : view
}

/** The last event of its kind ends the stage. */
const again = (view: RecoveryView, stage: RecoveryStage, at: EngineTime): RecoveryView => ({ ...view, ends: { ...view.ends, [stage]: at } })
