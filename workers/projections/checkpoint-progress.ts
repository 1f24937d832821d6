/**
 * When a checkpoint last came forward, and where its barriers stand: out of events and reports. An age alone does not tell a checkpoint that is
 * slow from one that is stuck; the last duration tells nothing at all while one hangs.
 */
import type { EngineEvent } from '../model/events.ts'
import type { ChannelId, CheckpointId } from '../model/ids.ts'
import type { TaskReport } from '../model/report.ts'
import type { EngineTime } from '../model/time.ts'
import { CHECKPOINT_HISTORY_MAX } from './checkpoint-view.ts'

/** A barrier that was seen in an input queue behind data. */
export interface BarrierPlace {
  readonly buffersAhead: number
  readonly recordsAhead: number
  /** The most that was seen before it. */
  readonly mostBuffers: number
  readonly mostRecords: number
}

export interface CheckpointProgress {
  readonly checkpointId: CheckpointId
  /** The last event of its own: a barrier, a phase, an acknowledgement. */
  readonly at: EngineTime
  /** When a subtask that has not taken its snapshot was last seen to work off records: the barriers behind them come nearer. */
  readonly workedAt: EngineTime
  /** Up to where reports and events have told: what is not known yet is not held against it. */
  readonly seenAt: EngineTime
  /** By `<vertex>_<subtask>`: those that have taken their snapshot. */
  readonly taken: readonly string[]
  /** Of the others, the records that they had processed at their last report. */
  readonly recordsIn: Readonly<Record<string, number>>
  /** By channel. Reports come a few times a second: a barrier that passed between two of them is not here. */
  readonly places: Readonly<Record<ChannelId, BarrierPlace>>
}

/** Oldest first. */
export type ProgressView = readonly CheckpointProgress[]

export type Motion = 'moving' | 'slow' | 'stuck'

/** No wait for a word about a checkpoint is longer than this, however long its timeout. */
const QUIET_MAX = 5_000_000
const QUIET_SHARE = 0.05
const STUCK_AFTER = 4

/** `moving`: an event of its own within this. */
export const quietMicros = (timeoutMicros: EngineTime): EngineTime => Math.max(1, Math.min(QUIET_MAX, timeoutMicros * QUIET_SHARE))

/** `slow`: an event, or data before its barriers worked off, within this. `stuck`: neither. */
export const stuckMicros = (timeoutMicros: EngineTime): EngineTime => quietMicros(timeoutMicros) * STUCK_AFTER

export interface MotionFound {
  readonly motion: Motion
  /** Since its last event; while stuck since anything at all happened for it. */
  readonly stillMicros: EngineTime
}

export function motionOf(progress: CheckpointProgress, timeoutMicros: EngineTime): MotionFound {
  const still = Math.max(0, progress.seenAt - progress.at)
  if (still <= quietMicros(timeoutMicros)) return { motion: 'moving', stillMicros: still }
  const idle = progress.seenAt - Math.max(progress.at, progress.workedAt)
  return idle <= stuckMicros(timeoutMicros) ? { motion: 'slow', stillMicros: still } : { motion: 'stuck', stillMicros: idle }
}

export const findProgress = (view: ProgressView, id: CheckpointId): CheckpointProgress | undefined => view.findLast((progress) => progress.checkpointId === id)

/** Everything that is told of a checkpoint by its tasks is a step forward, except that one gives it up. */
export function reduceProgress(view: ProgressView, event: EngineEvent): ProgressView {
  const { at, body } = event
  if (body.type === 'CheckpointTriggered') {
    return [...view, { checkpointId: body.checkpointId, at, workedAt: at, seenAt: at, taken: [], recordsIn: {}, places: {} }].slice(-CHECKPOINT_HISTORY_MAX)
  }
  if (!('checkpointId' in body) || !('subtask' in body)) return view
  if (body.type === 'CheckpointDeclined' || body.type === 'CheckpointAbortedAtTask' || body.type === 'CheckpointCompleteNotified') return view
  const key = `${body.vertex}_${body.subtask}`
  return change(view, body.checkpointId, (progress) => ({
    ...progress,
    at: Math.max(progress.at, at),
    seenAt: Math.max(progress.seenAt, at),
    taken: body.type === 'SyncSnapshotStarted' && !progress.taken.includes(key) ? [...progress.taken, key] : progress.taken,
  }))
}

/** Of the checkpoints that may be under way; `open` are their ids. */
export function reduceProgressReport(view: ProgressView, report: TaskReport, open: readonly CheckpointId[]): ProgressView {
  let next = view
  for (const id of open) next = change(next, id, (progress) => placesOf(workedOff(progress, report), report))
  return next
}

function workedOff(progress: CheckpointProgress, report: TaskReport): CheckpointProgress {
  const seen = { ...progress, seenAt: Math.max(progress.seenAt, report.at) }
  const key = `${report.vertex}_${report.subtask}`
  if (report.inputs.length === 0 || progress.taken.includes(key) || report.at < progress.at) return seen
  const before = progress.recordsIn[key]
  const worked = before !== undefined && report.recordsIn > before
  return { ...seen, workedAt: worked ? Math.max(progress.workedAt, report.at) : progress.workedAt, recordsIn: { ...progress.recordsIn, [key]: report.recordsIn } }
}

function placesOf(progress: CheckpointProgress, report: TaskReport): CheckpointProgress {
  let { places } = progress
  for (const { channel, barrier } of report.inputs) {
    if (barrier?.checkpointId !== progress.checkpointId) continue
    const { buffersAhead, recordsAhead } = barrier
    const before = places[channel]
    places = { ...places, [channel]: { buffersAhead, recordsAhead, mostBuffers: Math.max(buffersAhead, before?.mostBuffers ?? 0), mostRecords: Math.max(recordsAhead, before?.mostRecords ?? 0) } }
  }
  return places === progress.places ? progress : { ...progress, places }
}

function change(view: ProgressView, id: CheckpointId, by: (progress: CheckpointProgress) => CheckpointProgress): ProgressView {
  const index = view.findLastIndex((progress) => progress.checkpointId === id)
  const known = view[index]
  return known === undefined ? view : view.with(index, by(known))
}
