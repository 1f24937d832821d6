/** What feeds a task's chain: input gates, or a source at the head. Flink: StreamInputProcessor. */
import type { EngineTime } from '../model/time.ts'

export interface TaskInputProcessor {
  /** Works on up to `budget` records (an event counts as one) and returns early where the task may not go on. */
  process(budget: number): void
  /** There is something to work on without any further input of the host. */
  readonly hasWork: boolean
  /** An event waits that goes ahead of all data, also while the outputs are full. */
  readonly hasPriority: boolean
  /** A record was taken, and its cost is being paid. */
  readonly isRecordInHand: boolean
  /** All records have been seen, and the chain may finish (behaviour 14). */
  readonly isEndOfData: boolean
  /** The end is one for good: operators finish. False: a source was stopped without drain (behaviour 13.2). */
  readonly isDrained: boolean
  readonly recordsIn: number
  readonly bytesIn: number
}

/** Whether the task may take the next record. */
export interface RecordPermit {
  /** Outputs are available, no operator waits, no snapshot is in its synchronous part, nothing has failed. Asked once per record. */
  mayTakeRecord(): boolean
  /** As `mayTakeRecord`, but for an event that overtakes: whatever the outputs say. */
  mayHandlePriority(): boolean
  readonly costMicros: EngineTime
}
