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
  readonly at: EngineTime
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

/** `moving`: it came forward within this. */
export const quietMicros = (timeoutMicros: EngineTime): EngineTime => Math.max(1, Math.min(QUIET_MAX, timeoutMicros * QUIET_SHARE))

/** `slow`: not lately, but within this. `stuck`: not even so. */
export const stuckMicros = (timeoutMicros: EngineTime): EngineTime => quietMicros(timeoutMicros) * STUCK_AFTER

export function motionOf(progress: CheckpointProgress, timeoutMicros: EngineTime, now: EngineTime): Motion {
  const still = now - progress.at
  if (still <= quietMicros(timeoutMicros)) return 'moving'
  return still <= stuckMicros(timeoutMicros) ? 'slow' : 'stuck'
}

export const findProgress = (view: ProgressView, id: CheckpointId): CheckpointProgress | undefined => view.findLast((progress) => progress.checkpointId === id)

/** Everything that is told of a checkpoint by its tasks is a step forward, except that one gives it up. */
export function reduceProgress(view: ProgressView, event: EngineEvent): ProgressView {
  const { at, body } = event
  if (body.type === 'CheckpointTriggered') return [...view, { checkpointId: body.checkpointId, at, places: {} }].slice(-CHECKPOINT_HISTORY_MAX)
  if (!('checkpointId' in body) || !('subtask' in body)) return view
  if (body.type === 'CheckpointDeclined' || body.type === 'CheckpointAbortedAtTask' || body.type === 'CheckpointCompleteNotified') return view
  return change(view, body.checkpointId, (progress) => ({ ...progress, at: Math.max(progress.at, at) }))
}

/** A barrier that has less before it than at the report before has come forward. */
export function reduceProgressReport(view: ProgressView, report: TaskReport): ProgressView {
  let next = view
  for (const { channel, barrier } of report.inputs) {
    if (barrier === null) continue
    next = change(next, barrier.checkpointId, (progress) => {
      const before = progress.places[channel]
      const { buffersAhead, recordsAhead } = barrier
      const forward = before === undefined || recordsAhead < before.recordsAhead || buffersAhead < before.buffersAhead
      const place = { buffersAhead, recordsAhead, mostBuffers: Math.max(buffersAhead, before?.mostBuffers ?? 0), mostRecords: Math.max(recordsAhead, before?.mostRecords ?? 0) }
      return { ...progress, at: forward ? Math.max(progress.at, report.at) : progress.at, places: { ...progress.places, [channel]: place } }
    })
  }
  return next
}

function change(view: ProgressView, id: CheckpointId, by: (progress: CheckpointProgress) => CheckpointProgress): ProgressView {
  const index = view.findLastIndex((progress) => progress.checkpointId === id)
  const known = view[index]
  return known === undefined ? view : view.with(index, by(known))
}
