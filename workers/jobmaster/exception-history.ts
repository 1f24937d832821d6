/** The failures that the job went through. Flink: ExceptionHistory, RootExceptionHistoryEntry. */
import type { ExecutionAttemptId, TaskManagerId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'

/** `web.exception-history-size`. */
const HISTORY_SIZE = 16

export interface ExceptionEntry {
  readonly at: EngineTime
  readonly message: string
  readonly detail: string | null
  /** Null: a failure of the job as a whole. */
  readonly taskName: string | null
  readonly attempt: ExecutionAttemptId | null
  readonly taskManager: TaskManagerId | null
}

/** A root cause, and what failed while the job was already restarting because of it. */
export interface RootException extends ExceptionEntry {
  readonly concurrent: ExceptionEntry[]
}

/** Failures kept beside one root cause. */
const MAX_CONCURRENT = 16

export class ExceptionHistory {
  /** Newest last. */
  readonly entries: RootException[] = []

  add(entry: ExceptionEntry): void {
    this.entries.push({ ...entry, concurrent: [] })
    if (this.entries.length > HISTORY_SIZE) this.entries.shift()
  }

  /** Belongs to the newest root cause. */
  addConcurrent(entry: ExceptionEntry): void {
    const root = this.entries.at(-1)
    if (root === undefined) this.add(entry)
    else if (root.concurrent.length < MAX_CONCURRENT) root.concurrent.push(entry)
  }
}
