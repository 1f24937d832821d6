/** What the last reports of each subtask say, with shares and rates over the stretch between them. */
import type { TaskReport } from '../model/report.ts'
import type { EngineTime } from '../model/time.ts'

export interface SubtaskFlow {
  readonly report: TaskReport
  /** Shares of the last stretch, together 1; null until two reports are there. */
  readonly busy: number | null
  readonly backpressured: number | null
  /** What of `backpressured` was hard; the rest was soft (behaviour 8.4). */
  readonly hard: number | null
  readonly idle: number | null
  /** Records per second of engine time. */
  readonly inRate: number | null
  readonly outRate: number | null
  /** Report with which the window of the rates began. */
  readonly window: Pick<TaskReport, 'at' | 'recordsIn' | 'recordsOut'>
}

export type FlowView = Readonly<Record<string, SubtaskFlow>>

export const EMPTY_FLOW_VIEW: FlowView = {}

/** Weight of the newest stretch: steady enough to read, quick enough to follow. */
const NEW_SHARE = 0.35

export function reduceFlow(view: FlowView, report: TaskReport): FlowView {
  const key = `${report.vertex}_${report.subtask}`
  const known = view[key]
  const fresh = known === undefined || known.report.attempt !== report.attempt
  const flow = fresh ? started(report) : between(known, report)
  return { ...view, [key]: flow }
}

/** A task that does not run measures nothing: its last figures are of one that did. What it reported stays, its state say. */
export function forgetShares(view: FlowView, key: string): FlowView {
  const known = view[key]
  return known === undefined ? view : { ...view, [key]: started(known.report) }
}

function started(report: TaskReport): SubtaskFlow {
  return { report, busy: null, backpressured: null, hard: null, idle: null, inRate: null, outRate: null, window: report }
}

function between(known: SubtaskFlow, report: TaskReport): SubtaskFlow {
  const elapsed = report.at - known.report.at
  const busy = report.busyMicros - known.report.busyMicros
  const backpressured = report.backpressuredMicros - known.report.backpressuredMicros
  const idle = report.idleMicros - known.report.idleMicros
  const sum = busy + backpressured + idle
  if (elapsed <= 0 || sum <= 0) return { ...known, report }
  return {
    report,
    busy: mix(known.busy, busy / sum),
    backpressured: mix(known.backpressured, backpressured / sum),
    hard: mix(known.hard, (report.hardBackpressuredMicros - known.report.hardBackpressuredMicros) / sum),
    idle: mix(known.idle, idle / sum),
    ...rates(known, report),
  }
}

/** A rate over less than this says nothing: a handful of records decides it. */
const RATE_WINDOW = 250_000

function rates(known: SubtaskFlow, report: TaskReport): Pick<SubtaskFlow, 'inRate' | 'outRate' | 'window'> {
  const { window } = known
  const elapsed = report.at - window.at
  if (elapsed < RATE_WINDOW) return { inRate: known.inRate, outRate: known.outRate, window }
  return {
    inRate: perSecond(report.recordsIn - window.recordsIn, elapsed),
    outRate: perSecond(report.recordsOut - window.recordsOut, elapsed),
    window: report,
  }
}

const mix = (before: number | null, now: number): number => (before === null ? now : before * (1 - NEW_SHARE) + now * NEW_SHARE)
const perSecond = (count: number, elapsed: EngineTime): number => (count * 1_000_000) / elapsed
