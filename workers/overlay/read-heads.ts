/** Of each source subtask the last records that it read: what the tape shows in colour. */
import type { TraceSummary } from '../model/overlay-scene.ts'
import type { TraceEvent } from '../model/trace.ts'
import { keyOf } from './draw-marks.ts'
import { subtaskOf } from './token-world.ts'

const RECENT_MAX = 18

interface Reads {
  partition: number
  head: number
  recent: { readonly offset: number; readonly label: string }[]
}

export class ReadHeads {
  private readonly bySubtask = new Map<string, Reads>()

  see(trace: TraceEvent): void {
    if (trace.type !== 'read') return
    const key = subtaskOf(trace.attempt)
    const { partition, offset } = trace.record
    const label = keyOf(trace.record.label)
    const known = this.bySubtask.get(key)
    const recent = (known?.partition === partition ? known.recent : []).filter((record) => record.offset < offset)
    recent.push({ offset, label })
    this.bySubtask.set(key, { partition, head: offset + 1, recent: recent.slice(-RECENT_MAX) })
  }

  toRecord(): TraceSummary['reads'] {
    return Object.fromEntries(this.bySubtask)
  }
}
