/**
 * What sources have read, partition by partition, as the trace tells it: the last records, how far the oldest unbroken stretch goes back,
 * and which records are read for the second time since a source was put back.
 */
import type { TraceSummary } from '../model/overlay-scene.ts'
import type { EngineEvent } from '../model/events.ts'
import type { TraceEvent } from '../model/trace.ts'
import { keyOf } from './draw-marks.ts'
import { subtaskOf } from './token-world.ts'

const RECENT_MAX = 18

interface Reads {
  partition: number
  head: number
  recent: { readonly offset: number; readonly label: string }[]
}

interface Stretch {
  /** Every record from here to `head` was seen. */
  from: number
  head: number
  /** Records before this offset were read by an earlier attempt. */
  replayUntil: number
}

export class ReadHeads {
  private readonly bySubtask = new Map<string, Reads>()
  private readonly stretches = new Map<number, Stretch>()
  private complete = true

  see(trace: TraceEvent): void {
    if (trace.type !== 'read') return
    const key = subtaskOf(trace.attempt)
    const { partition, offset } = trace.record
    const known = this.bySubtask.get(key)
    const recent = (known?.partition === partition ? known.recent : []).filter((record) => record.offset < offset)
    recent.push({ offset, label: keyOf(trace.record.label) })
    this.bySubtask.set(key, { partition, head: offset + 1, recent: recent.slice(-RECENT_MAX) })
    const stretch = this.stretches.get(partition)
    if (stretch === undefined) this.stretches.set(partition, { from: offset, head: offset + 1, replayUntil: 0 })
    else {
      if (offset !== stretch.head) stretch.from = offset
      stretch.head = offset + 1
    }
  }

  /** A source that is put back: from now on what it reads up to its old head is read again. */
  rewound({ body }: EngineEvent): void {
    if (body.type !== 'SourceRewound') return
    const partition = Number(/(\d+)$/.exec(body.split)?.[1] ?? 0)
    const stretch = this.stretches.get(partition)
    if (stretch === undefined || stretch.from > body.to) this.complete = false
    if (stretch === undefined) return
    stretch.replayUntil = Math.max(stretch.replayUntil, stretch.head)
    stretch.from = Math.min(stretch.from, body.to)
    stretch.head = body.to
  }

  beginRecovery(): void {
    this.complete = true
  }

  isReplayed(record: { readonly partition: number; readonly offset: number }): boolean {
    const stretch = this.stretches.get(record.partition)
    // A record whose origin nobody knows belongs to no partition.
    return stretch !== undefined && record.offset < stretch.replayUntil
  }

  /** Every record between the restored offsets and the old heads was traced the first time. */
  get isComplete(): boolean {
    return this.complete
  }

  toRecord(): TraceSummary['reads'] {
    return Object.fromEntries(this.bySubtask)
  }
}
