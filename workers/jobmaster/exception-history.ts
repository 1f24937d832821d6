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

export class ExceptionHistory {
  /** Newest last. */
  readonly entries: ExceptionEntry[] = []
  truncated = false

  add(entry: ExceptionEntry): void {
    this.entries.push(entry)
    if (this.entries.length > HISTORY_SIZE) {
      this.entries.shift()
      this.truncated = true
    }
  }
}
