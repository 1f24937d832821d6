/** When things happened in a run, by the clock of the page, as a trace of the browser can be laid beside it. */
import type { EngineEvent } from '../../workers/model/events.ts'
import type { CheckpointId, VertexId } from '../../workers/model/ids.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import type { Stretch } from '../runner/turns.ts'

export interface PageTimes {
  /** Of the page's mark. */
  readonly marked: number
  /** Of the records: where the rate is measured. */
  readonly run: Stretch
  /** From the beginning of the synchronous part to the end of the asynchronous one; of each subtask that counts, in its order. */
  readonly snapshots: readonly (readonly Stretch[])[]
}

export interface PageClock {
  readonly marked: number
  at(time: EngineTime): number
}

export function pageTimes(clock: PageClock, run: { readonly start: EngineTime; readonly end: EngineTime }, seen: readonly EngineEvent[], counter: VertexId | undefined): PageTimes {
  const open = new Map<string, number>()
  const snapshots: Stretch[][] = []
  const nameOf = (checkpoint: CheckpointId, subtask: number): string => `${checkpoint} ${subtask}`
  for (const { at, body } of seen) {
    if (body.type === 'SyncSnapshotStarted' && body.vertex === counter) open.set(nameOf(body.checkpointId, body.subtask), clock.at(at))
    if (body.type !== 'AsyncSnapshotEnded' || body.vertex !== counter) continue
    const from = open.get(nameOf(body.checkpointId, body.subtask))
    if (from !== undefined) (snapshots[body.subtask] ??= []).push({ from, to: clock.at(at) })
  }
  return { marked: clock.marked, run: { from: clock.at(run.start), to: clock.at(run.end) }, snapshots }
}
